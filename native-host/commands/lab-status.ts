import type { LabStatus, RunningLab } from '../../shared/messages/lab-status.ts';
import { runningLabs } from '../runs/lab-registry.ts';

export interface LabStatusOptions {
  json?: boolean;
}

/** Says which labs of this user run. @returns the exit status */
export async function showLabs({ json }: LabStatusOptions, print: (line: string) => void): Promise<number> {
  const status: LabStatus = { labs: (await runningLabs()).map(({ lab }) => lab) };
  if (json === true) print(JSON.stringify(status, null, 2));
  else if (status.labs.length === 0) print('No lab of yours runs.');
  else for (const lab of status.labs) for (const line of labText(lab)) print(line);
  return 0;
}

const kinds: Readonly<Record<RunningLab['kind'], string>> = {
  comparison: 'a comparison, on a network of its own',
  served: 'served on this machine',
};

/** One lab in plain lines. */
function labText({ id, kind, url, servers, pid, user, startedAt }: RunningLab): string[] {
  return [
    `${id}  ${url}  (${kinds[kind]})`,
    `  of ${user}, process ${pid}, since ${startedAt.slice(0, 19).replace('T', ' ')} UTC`,
    ...servers.map(({ name, port, addresses }) => `  ${name}:${port}  ${addresses.join('  ')}`),
  ];
}
