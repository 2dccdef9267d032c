import type { Endpoint } from './flow-record.ts';

/** From here on systems choose ports for clients: Linux' own choice, below that of RFC 6335 section 6. */
const firstEphemeralPort = 32_768;

/** Tells which end of a flow asks, where its first packet does not say it. */
export class ClientSide {
  readonly #addresses: ReadonlySet<string>;

  /** @param addresses what is sent from these is "up"; may be empty */
  constructor(addresses: readonly string[] = []) {
    this.#addresses = new Set(addresses);
  }

  /** Of a TCP flow that was met without its SYN: by the client's addresses, else the end with the higher port asks. */
  isSourceOfTcp(source: Endpoint, destination: Endpoint): boolean {
    return this.#byAddress(source, destination) ?? source.port >= destination.port;
  }

  /** Of an Initial. A server's looks like a client's; only a capture that began late shows it first. */
  isSourceOfQuic(source: Endpoint, destination: Endpoint): boolean {
    return this.#byAddress(source, destination) ?? !isServersPort(source, destination);
  }

  /** @returns null where the addresses do not tell: on the loopback both are the client's */
  #byAddress(source: Endpoint, destination: Endpoint): boolean | null {
    const sourceKnown = this.#addresses.has(source.address);
    return sourceKnown === this.#addresses.has(destination.address) ? null : sourceKnown;
  }
}

/** Whether the source's port is one that is asked for, and the destination's one that a system hands out. */
function isServersPort(source: Endpoint, destination: Endpoint): boolean {
  return source.port < firstEphemeralPort && destination.port >= firstEphemeralPort;
}
