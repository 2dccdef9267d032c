import { tryTool } from './run-tool.ts';

/**
 * Whether this kernel can delay and lose packets. Asked by really doing it, on the loopback of a namespace made for
 * that and gone with the command: modules may be loadable, built in, or forbidden, and only this tells.
 */
export async function hasNetem(): Promise<boolean> {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const add = ['tc', 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms'];
  const { status } = await tryTool(['unshare', ...user, '--net', '--', ...add]);
  return status === 0;
}
