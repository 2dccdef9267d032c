import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { button, element } from './element.ts';
import { text } from './text.ts';

/** Why the host cannot be used, and the one command that mends it, ready to copy. */
export function hostNotice(error: ErrorReport): HTMLElement {
  const title = error.code === 'version-mismatch' ? 'popupHostMismatch' : 'popupHostMissing';
  const command = error.remedy?.startsWith('bin/') ? error.remedy : null;
  return element(
    'div',
    { class: 'host-notice', role: 'alert' },
    element('h2', {}, text(title)),
    element('p', {}, error.message, command === null && error.remedy !== null ? ` ${error.remedy}` : null),
    command === null
      ? null
      : element('p', {}, text(command.endsWith('doctor') ? 'popupHostDoctor' : 'popupHostInstall')),
    command === null ? null : copyable(command),
  );
}

function copyable(command: string): HTMLElement {
  const copy = button(text('copy'), () => {
    void navigator.clipboard.writeText(command).then(() => {
      copy.textContent = text('copied');
    });
  });
  return element('div', { class: 'command' }, element('code', {}, command), copy);
}
