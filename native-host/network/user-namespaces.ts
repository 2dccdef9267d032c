import { readFileSync } from 'node:fs';

/** The settings that distributions forbid user namespaces by, and what allows them again. */
const locks = [
  {
    // Ubuntu 23.10 and later; source: discourse.ubuntu.com, specification SE045.
    setting: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    locked: '1',
    remedy: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  },
  {
    // Debian 10 and earlier, and those who harden later ones.
    setting: '/proc/sys/kernel/unprivileged_userns_clone',
    locked: '0',
    remedy: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    setting: '/proc/sys/user/max_user_namespaces',
    locked: '0',
    remedy: 'sudo sysctl -w user.max_user_namespaces=15000',
  },
] as const;

/**
 * The command that lets ordinary users make user namespaces, where a setting of this machine keeps them from it.
 * @param read gives a setting of the kernel, null where there is none
 * @returns null where no such setting is known to be locked
 */
export function userNamespaceRemedy(read: (path: string) => string | null = readSetting): string | null {
  return locks.find(({ setting, locked }) => read(setting)?.trim() === locked)?.remedy ?? null;
}

function readSetting(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
