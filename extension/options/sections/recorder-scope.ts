import { element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import { allowedOf, patternsOf, requestPages } from '../../platform/recorder-permissions.ts';
import type { recorderSettings, RecorderSettings } from '../../platform/recorder-settings.ts';

const scopes = ['off', 'sites', 'all'] as const satisfies RecorderSettings['scope'][];

/** Nothing, these sites, or all: applied by a button, since the browser takes questions only after a click. */
export async function recorderScope(
  current: RecorderSettings,
  settings: typeof recorderSettings,
): Promise<HTMLElement> {
  const choices = scopes.map((scope) => ({
    scope,
    box: element('input', {
      type: 'radio',
      name: 'scope',
      value: scope,
      checked: scope === current.scope,
    }),
  }));
  const sites = element('textarea', { rows: 4, spellcheck: 'false' }, current.sites.join('\n'));
  const status = element('p', { role: 'status', class: 'saved' });
  const scopeNow = (): RecorderSettings['scope'] => choices.find(({ box }) => box.checked)?.scope ?? 'off';

  async function apply(): Promise<void> {
    const names = sites.value.split(/\s+/).filter((name) => name !== '');
    const bad = names.find((name) => hostName(name) === null);
    if (bad !== undefined) {
      status.textContent = text('recorderBadSite', bad);
      return;
    }
    const hosts = [...new Set(names.map((name) => hostName(name) ?? name))];
    const scope = scopeNow() === 'sites' && hosts.length === 0 ? 'off' : scopeNow();
    // At once: the browser hears of a click only so long.
    const asking = scope === 'off' ? Promise.resolve(true) : requestPages({ scope, sites: hosts });
    const agreed = await asking;
    if (agreed) await settings.change({ scope, sites: hosts });
    status.textContent = text(agreed ? 'recorderApplied' : 'recorderDenied');
  }

  const form = element(
    'form',
    { class: 'recorder-scope' },
    element(
      'fieldset',
      {},
      element('legend', { class: 'visually-hidden' }, text('recorderScope')),
      ...choices.map(({ scope, box }) => element('label', { class: 'choice' }, box, scopeName(scope))),
    ),
    element('label', { class: 'field' }, element('span', {}, text('recorderSites')), sites),
    element('p', { class: 'caption' }, text('recorderWhyPages')),
    element('button', { type: 'submit', class: 'primary' }, text('recorderApply')),
    status,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void apply();
  });
  const wanted = patternsOf(current);
  if ((await allowedOf(wanted)).length < wanted.length) status.textContent = text('recorderDenied');
  return form;
}

function scopeName(scope: RecorderSettings['scope']): string {
  return { off: text('recorderScopeOff'), sites: text('recorderScopeSites'), all: text('recorderScopeAll') }[
    scope
  ];
}

/** The host name of what a person typed, an address or a name; null when it is neither. */
function hostName(typed: string): string | null {
  const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.hostname : null;
}
