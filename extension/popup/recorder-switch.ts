import { button, element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import { requestPages } from '../platform/recorder-permissions.ts';
import type { recorderSettings, RecorderSettings } from '../platform/recorder-settings.ts';

/**
 * Whether the recorder runs on this site, and the button that changes it, with the reason for the right that
 * the browser will ask for. Draws itself anew when it was changed.
 */
export function recorderSwitch(
  site: string,
  initial: RecorderSettings,
  store: typeof recorderSettings,
  onMore: () => void,
): HTMLElement {
  const view = element('section', { class: 'recorder', 'aria-live': 'polite' });
  const more = (): HTMLElement => button(text('recorderMore'), onMore, { class: 'quiet' });

  async function start(sites: string[]): Promise<void> {
    // Stored without waiting: the browser may close the popup over its own question, and hears of a click
    // only at once.
    const stored = store.change({ scope: 'sites', sites: [...sites, site] });
    const agreed = await requestPages({ scope: 'sites', sites: [site] });
    if (agreed) draw(await stored);
    else {
      await stored;
      draw(await store.change({ scope: sites.length > 0 ? 'sites' : 'off', sites }), text('recorderDenied'));
    }
  }

  function draw({ scope, sites }: RecorderSettings, note: string | null = null): void {
    if (scope === 'all') {
      view.replaceChildren(element('p', {}, text('recorderAllOn')), more());
      return;
    }
    const others = sites.filter((each) => each !== site);
    const isOn = scope === 'sites' && others.length < sites.length;
    const change = isOn
      ? button(text('recorderStop'), () => {
          void store.change({ scope: others.length > 0 ? 'sites' : 'off', sites: others }).then(draw);
        })
      : button(text('recorderStart'), () => void start(scope === 'sites' ? others : []));
    view.replaceChildren(
      element('p', { class: isOn ? '' : 'caption' }, text(isOn ? 'recorderOn' : 'recorderWhySite', site)),
      element('div', { class: 'actions' }, change, more()),
      ...(note === null ? [] : [element('p', { class: 'remedy' }, note)]),
    );
  }

  draw(initial);
  return view;
}
