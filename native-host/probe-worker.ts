/** Entry file of one end of the path's probe: see network/probe-agent.ts. */
import { runProbeAgent } from './network/probe-agent.ts';

await runProbeAgent(process.stdin, process.stdout);
process.exit(0);
