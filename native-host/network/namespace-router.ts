import { TowlineError } from '../../shared/errors/towline-error.ts';
import { addVeth, type LinkAddress, type LinkEnd } from './links.ts';
import { addNamespace, deleteNamespace, type Namespace } from './namespaces.ts';
import type { Router } from './router.ts';
import { tryTool } from './run-tool.ts';

/** The ends of the router's two links, as far as its neighbours own them. */
export interface RouterNeighbours {
  /** In the edge namespace; its other end is the router's interface towards the browser. */
  edge: LinkEnd;
  /** In the far namespace; its other end is the router's interface towards the servers. */
  far: LinkEnd;
}

/** The router's own ends. */
export interface RouterEnds {
  down: LinkAddress;
  up: LinkAddress;
}

/** A router in a third network namespace, where this kernel itself can shape. */
export async function openNamespaceRouter(
  neighbours: RouterNeighbours,
  ends: RouterEnds,
  mtuBytes: number,
): Promise<Router> {
  const namespace = await addNamespace('router', 'router');
  await addVeth({ ...ends.down, namespace }, neighbours.edge, mtuBytes);
  await addVeth(neighbours.far, { ...ends.up, namespace }, mtuBytes);
  return {
    kind: 'namespace',
    takesTime: false,
    run: (argv) => runInRouter(namespace, argv),
    close: () => deleteNamespace(namespace),
  };
}

async function runInRouter(namespace: Namespace, argv: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await tryTool([...namespace.enter, ...argv]);
  if (status === 0) return stdout;
  throw new TowlineError(
    'router-failed',
    'network',
    `The router refused "${argv.join(' ')}": ${stderr.trim()}.`,
  );
}
