import { createServer } from 'node:net';

/** A name that nobody else on this network has as long as it is held. */
export interface HeldName {
  release(): Promise<void>;
}

/**
 * Takes a name, or tells by null that somebody holds it. The lock is a Unix socket with an abstract name, which
 * belongs to the network namespace and which the kernel frees when its owner dies, however it dies (unix(7)).
 */
export async function holdName(name: string): Promise<HeldName | null> {
  const server = createServer();
  const held = await new Promise<boolean>((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(`\0towline-${name}`, () => {
      resolve(true);
    });
  });
  if (!held) return null;
  // A lock must not keep a process alive that has nothing else to do.
  server.unref();
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
