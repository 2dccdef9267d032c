import { accessSync, constants, existsSync } from 'node:fs';

const device = '/dev/net/tun';

/** The command that lets this user make tun and tap devices; null where they may already. */
export function tunRemedy(): string | null {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return null;
  } catch {
    const open = `sudo chmod 0666 ${device}`;
    // Where it is part of the kernel there is no module to load, and asking for one fails.
    return existsSync(device) ? open : `sudo modprobe tun && ${open}`;
  }
}
