import { formatShape } from '../network/format-shape.ts';
import { networkProfiles } from '../network/network-profiles.ts';

export interface NetworkProfilesOptions {
  json?: boolean;
}

/** Lists the networks that `--shape` knows by name. @returns the exit status */
export function listNetworkProfiles(options: NetworkProfilesOptions, print: (line: string) => void): number {
  if (options.json === true) {
    print(JSON.stringify(networkProfiles, null, 2));
    return 0;
  }
  const width = Math.max(...networkProfiles.map(({ name }) => name.length));
  for (const { name, about, shape } of networkProfiles) {
    print(`${name.padEnd(width)}  ${formatShape(shape)}`);
    print(`${''.padEnd(width)}  ${about}`);
  }
  return 0;
}
