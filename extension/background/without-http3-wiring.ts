import { onBrowserStart } from '../platform/extension-info.ts';
import { forgetAlternatives } from '../platform/forget-alternatives.ts';
import { askPage } from '../platform/page-reader.ts';
import { answerProxyChallenges } from '../platform/proxy-challenges.ts';
import { proxySetting } from '../platform/proxy-setting.ts';
import { reloadPastCache } from '../platform/tabs.ts';
import type { HostPort } from './host-port.ts';
import { WithoutHttp3 } from './without-http3.ts';

/** Joins the parts of "without HTTP/3". Null in a build that may set no proxy. */
export function wireWithoutHttp3(host: HostPort): WithoutHttp3 | null {
  const proxy = proxySetting();
  if (proxy === null) return null;
  const withoutHttp3 = new WithoutHttp3({
    proxy,
    forgetAlternatives,
    ask: (question) => host.ask(question),
    reload: async (tabId) => {
      await reloadPastCache(tabId);
      return askPage(tabId, 'now');
    },
  });
  answerProxyChallenges((challenge) => withoutHttp3.answer(challenge));
  // After a crash the setting is still there: to begin is to take it back.
  onBrowserStart(() => undefined);
  return withoutHttp3;
}
