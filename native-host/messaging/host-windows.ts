import type { HostRequest } from '../../shared/messages/host-protocol.ts';

export type OpenWindowRequest = Extract<HostRequest, { type: 'open-window' }>;

/** What the port needs of managed windows. */
export interface HostWindows {
  /**
   * Opens a page in a browser of its own. Settles once its window is there.
   * @throws TowlineError what kept it from opening, `host-busy` when too many are open
   */
  open(request: OpenWindowRequest): Promise<void>;
}
