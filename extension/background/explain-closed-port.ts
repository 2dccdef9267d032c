import { TowlineError } from '../../shared/errors/towline-error.ts';

/**
 * The browser's sentence for a native host that ended or never started, as an error of ours.
 * Sentences: Chromium's extensions/browser/api/messaging/native_message_port.cc and
 * chrome/browser/extensions/api/messaging/native_message_process_host.cc; Firefox's NativeMessaging.sys.mjs.
 */
export function explainClosedPort(reason: string | null): TowlineError {
  const text = reason ?? '';
  if (/not found|No such native application/i.test(text)) {
    return new TowlineError('host-not-installed', 'messaging', 'The measuring host is not installed.', {
      remedy: 'bin/towline install',
    });
  }
  if (/forbidden|not allowed|disallowed/i.test(text)) {
    return new TowlineError(
      'host-not-installed',
      'messaging',
      'A measuring host is installed, but not for this extension.',
      { remedy: 'bin/towline install' },
    );
  }
  return new TowlineError(
    'host-not-installed',
    'messaging',
    text === '' ? 'The measuring host ended unexpectedly.' : `The measuring host ended: ${text}`,
    { remedy: 'bin/towline doctor' },
  );
}
