import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { button, element } from './element.ts';
import { errorWords } from './error-words.ts';
import { text } from './text.ts';

/** Why the host cannot be used, and the one command that mends it, ready to copy. */
export function hostNotice(error: ErrorReport): HTMLElement {
  const title = error.code === 'version-mismatch' ? 'popupHostMismatch' : 'popupHostMissing';
  const { message, remedy } = errorWords(error);
  const command = remedy?.startsWith('bin/') ? remedy : null;
  return element(
    'div',
    { class: 'host-notice', role: 'alert' },
    element('h2', {}, text(title)),
    element('p', {}, message, command === null && remedy !== null ? ` ${remedy}` : null),
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
