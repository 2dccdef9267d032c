import type { PreferenceValue } from '../../shared/arms/firefox-arm-preferences.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/**
 * Sets preferences for a while, on the branch of defaults. Firefox never writes that branch to disk: whatever way
 * the browser or the extension ends, also by kill -9, the next start has the original values, and nothing has to
 * be remembered to be put back. A value of the person's own hides the default and is left alone: where it is not
 * what is wanted, the switch refuses.
 */
export class PreferenceSwitch {
  readonly #originals = new Map<string, PreferenceValue>();
  #ended = false;

  /** Sets all or, where one is in the way, none. @throws TowlineError `preference-in-the-way`, or after {@link end} */
  set(wanted: Readonly<Record<string, PreferenceValue>>): void {
    if (this.#ended) throw new TowlineError('browser-failed', 'browser', 'The extension was ended.');
    const inTheWay = Object.entries(wanted).filter(([name, value]) => isHeld(name) && read(name) !== value);
    if (inTheWay.length > 0) throw heldByPerson(inTheWay.map(([name]) => name));
    const defaults = Services.prefs.getDefaultBranch('');
    for (const [name, value] of Object.entries(wanted)) {
      if (isHeld(name)) continue;
      if (!this.#originals.has(name)) this.#originals.set(name, read(name));
      write(defaults, name, value);
    }
  }

  /** Puts every default back. Calling it again does nothing. */
  restore(): void {
    const defaults = Services.prefs.getDefaultBranch('');
    for (const [name, value] of this.#originals) write(defaults, name, value);
    this.#originals.clear();
  }

  /** Puts every default back, and refuses to set any again. */
  end(): void {
    this.restore();
    this.#ended = true;
  }
}

/** Whether what the browser goes by is not the default. */
function isHeld(name: string): boolean {
  return Services.prefs.prefHasUserValue(name) || Services.prefs.prefIsLocked(name);
}

function read(name: string): PreferenceValue {
  const { prefs } = Services;
  switch (prefs.getPrefType(name)) {
    case prefs.PREF_BOOL:
      return prefs.getBoolPref(name);
    case prefs.PREF_INT:
      return prefs.getIntPref(name);
    case prefs.PREF_INVALID:
      throw new TowlineError('browser-failed', 'browser', `This Firefox has no preference ${name}.`, {
        remedy: 'Use Firefox ESR 153 or later.',
      });
    default:
      return prefs.getStringPref(name);
  }
}

function write(branch: PreferenceBranch, name: string, value: PreferenceValue): void {
  if (typeof value === 'boolean') branch.setBoolPref(name, value);
  else if (typeof value === 'number') branch.setIntPref(name, value);
  else branch.setStringPref(name, value);
}

function heldByPerson(names: string[]): TowlineError {
  return new TowlineError(
    'preference-in-the-way',
    'browser',
    `Preferences of your own stand in the way: ${names.join(', ')}.`,
    { remedy: 'Reset them in about:config; Towline does not change what you have set.' },
  );
}
