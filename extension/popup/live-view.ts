import type { LiveLoad, LiveState } from '../../shared/messages/live-load.ts';
import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { button, element } from '../charts/element.ts';
import { errorWords } from '../charts/error-words.ts';
import { formatMs } from '../charts/format.ts';
import { armName, protocolName } from '../charts/names.ts';
import { text } from '../charts/text.ts';
import type { LiveNegotiation } from '../platform/live-negotiation.ts';

/**
 * "Reload this tab with ...": a button for each arm; what it costs is said and agreed to before the first load;
 * then how the load went, by its own account.
 *
 * @param state how things stand with this page as the popup opens
 * @param onLoaded called when the tab was loaded anew, or was to be
 */
export function liveView(
  tabId: number,
  live: LiveNegotiation,
  state: LiveState,
  onLoaded: () => void,
): HTMLElement {
  const title = element('h2', { id: 'live-title' }, text('liveTitle'));
  /** Stays as its words change: what a screen reader is to speak must have been there before. */
  const outcome = element('div', { role: 'status' });
  let loading = false;
  /** Agreed once for as long as the popup is open. */
  let agreed = false;

  const arms = ArmSchema.options.map((arm) => {
    const choice = button(armName(arm), () => {
      // Not disabled, which would lose the focus.
      if (loading) return;
      if (agreed) void load(arm);
      else ask(arm, choice);
    });
    return choice;
  });

  function show(now: LiveState): void {
    loading = now.state === 'loading';
    for (const choice of arms) choice.setAttribute('aria-disabled', String(loading));
    outcome.replaceChildren(outcomeOf(now));
  }

  async function load(arm: Arm): Promise<void> {
    show({ state: 'loading', tabId, arm });
    show(await live.load(tabId, arm));
    onLoaded();
  }

  function ask(arm: Arm, choice: HTMLButtonElement): void {
    const agree = button(text('liveAgree', armName(arm)), () => {
      agreed = true;
      choice.focus();
      void load(arm);
    });
    const cancel = button(
      text('liveDecline'),
      () => {
        choice.focus();
        show({ state: 'idle' });
      },
      { class: 'quiet' },
    );
    outcome.replaceChildren(
      element('div', { class: 'live-question' }, element('p', {}, text('liveCost')), agree, cancel),
    );
    agree.focus();
  }

  /** An earlier popup began it. */
  async function follow(): Promise<void> {
    let now = state;
    while (now.state === 'loading') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      now = await live.state();
      show(now);
      if (now.state !== 'loading') onLoaded();
    }
  }

  show(state);
  void follow();
  return element(
    'section',
    { class: 'live', 'aria-labelledby': 'live-title' },
    title,
    element('div', { class: 'live-arms', role: 'group', 'aria-labelledby': 'live-title' }, ...arms),
    outcome,
  );
}

/** How the last load went, and whether it is the arm's. */
function outcomeOf(state: LiveState): HTMLElement {
  switch (state.state) {
    case 'idle':
      return element('p', { class: 'caption' }, text('liveHint'));
    case 'loading':
      return element('p', {}, text('liveLoading', armName(state.arm)));
    case 'failed': {
      const { message, remedy } = errorWords(state.error);
      return element('p', { class: 'failed' }, [message, remedy ?? ''].join(' ').trim());
    }
    case 'loaded':
      return element('p', {}, loadedSentence(state.load));
  }
}

function loadedSentence({ arm, protocol, confirmed, requests, loadTimeMs }: LiveLoad): string {
  const name = protocolName(protocol) ?? protocol;
  if (!confirmed) return text('liveNotTaken', armName(arm), name);
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return text('liveTaken', name, String(requests[protocol] ?? 0), String(all), formatMs(loadTimeMs));
}
