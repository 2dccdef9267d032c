import type { PageRequest } from '../../shared/messages/extension-messages.ts';
import type { WithoutHttp3State } from '../../shared/messages/without-http3.ts';
import { element } from '../charts/element.ts';
import { errorWords } from '../charts/error-words.ts';
import { protocolName } from '../charts/names.ts';
import { text } from '../charts/text.ts';

export interface WithoutHttp3View {
  view: HTMLElement;
  /** @returns true when the page in front has just been loaded anew for it */
  show(now: WithoutHttp3State): boolean;
}

/**
 * The switch that keeps one host from HTTP/3, what that means, and how it went.
 *
 * @param here the page in front; null where it cannot be switched on, but may be on for another
 */
export function withoutHttp3View(
  here: { url: string; tabId: number } | null,
  send: (request: PageRequest) => void,
): WithoutHttp3View {
  let state: WithoutHttp3State = { state: 'off', failed: null };
  const box = element('input', { type: 'checkbox', role: 'switch', 'aria-describedby': 'without-meaning' });
  const name = element('span', {});
  /** Stays as its words change, to be spoken. */
  const outcome = element('div', { role: 'status' });

  box.addEventListener('click', (event) => {
    // It shows what is, which the background tells. Not disabled meanwhile, which would lose the focus.
    event.preventDefault();
    if (state.state === 'on') send({ type: 'stop-without-http3' });
    else if (state.state === 'off' && here) send({ type: 'start-without-http3', ...here });
  });

  return {
    view: element(
      'section',
      { class: 'without', 'aria-labelledby': 'without-title' },
      element('h2', { id: 'without-title' }, text('withoutTitle')),
      element('label', { class: 'choice' }, box, name),
      element('p', { class: 'caption', id: 'without-meaning' }, text('withoutMeaning')),
      outcome,
    ),
    show(now) {
      const wasSwitching = state.state === 'switching';
      state = now;
      const on = now.state !== 'off';
      box.checked = on;
      box.setAttribute('aria-busy', String(now.state === 'switching'));
      name.textContent = text('withoutSwitch', new URL(on ? now.origin : (here?.url ?? '')).host);
      outcome.replaceChildren(...outcomeOf(now, here?.url ?? null));
      return wasSwitching && now.state === 'on';
    },
  };
}

function outcomeOf(state: WithoutHttp3State, pageUrl: string | null): HTMLElement[] {
  switch (state.state) {
    case 'off': {
      // What went wrong with another host is nothing to this page.
      if (state.failed === null || !pageUrl?.startsWith(`${state.failed.origin}/`)) return [];
      const { message, remedy } = errorWords(state.failed.error);
      return [element('p', { class: 'failed' }, [message, remedy ?? ''].join(' ').trim())];
    }
    case 'switching':
      return [element('p', {}, text('withoutSwitching'))];
    case 'on':
      return [element('p', {}, loadedSentence(state))];
  }
}

function loadedSentence({ load }: Extract<WithoutHttp3State, { state: 'on' }>): string {
  if (load === null) return text('withoutUnknown');
  const { protocol, requests, http3 } = load;
  if (http3 > 0) return text('withoutNotTaken', String(http3), String(requests));
  return text('withoutTaken', protocolName(protocol) ?? protocol, String(requests));
}
