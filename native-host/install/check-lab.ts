import type { Checkup } from '../../shared/messages/doctor-report.ts';
import { checkTool } from './check-network.ts';
import type { Machine } from './machine.ts';

/** What the lab's own servers need. */
export function checkLab(machine: Machine): Checkup[] {
  return [
    checkTool(machine, 'lab', 'caddy', 'serves the pages of lab:PAGE over all three protocols'),
    checkTool(machine, 'lab', 'apache2', 'serves them with a limit of streams (--server apache)'),
    checkTool(machine, 'lab', 'openssl', 'makes the certificates of the lab'),
  ];
}
