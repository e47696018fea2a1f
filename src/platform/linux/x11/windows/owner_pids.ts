/** The processes that have opened windows, as the server knows them (X-Resource extension, version 1.2). */

import type { ClientIds, Resources } from "../connection.ts";
import type { WindowRequests } from "./requests.ts";

export class OwnerPids {
  /** By the client; those that are asked for now. */
  readonly #asked = new Map<number, Promise<number | undefined>>();

  constructor(
    private readonly requests: WindowRequests,
    /** Absent where the server lacks the extension. */
    private readonly resources: Resources | undefined,
  ) {}

  /**
   * The process that has opened the window, if it is on the server's computer. Windows of one client
   * that are looked at together share a request: all ids of a client begin with the same bits.
   */
  of(window: number): Promise<number | undefined> {
    const { resources } = this;
    if (resources === undefined) return Promise.resolve(undefined);
    const client = window & ~this.requests.connection.setup.resource_mask;
    return this.#asked.getOrInsertComputed(
      client,
      () => this.#ask(resources, window).finally(() => this.#asked.delete(client)),
    );
  }

  async #ask(resources: Resources, window: number): Promise<number | undefined> {
    const specs = [{ client: window, mask: resources.ClientIdMask.LocalClientPID }];
    const ids = await this.requests.connection.call<ClientIds>(
      (done) => resources.QueryClientIds(specs, done),
      { isPatient: true },
    );
    return ids[0]?.value[0];
  }
}
