/** The Model Context Protocol on standard input and output, for one client. */

import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serverFactory } from "./server_factory.ts";
import { makeTools, type ToolSource } from "./tools.ts";

export interface StdioDoor {
  /** Resolves when the client has closed its side, or sent what is no message within the limits. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** When the client closes its side, every call is aborted. */
export async function serveOnStdio(source: ToolSource): Promise<StdioDoor> {
  const { config, log } = source.services;
  const tools = await makeTools(source);
  const transport = new WatchedTransport(config.limits.maxBodyBytes);
  const handle = serveStdio(
    serverFactory({ version: config.version, tools }),
    {
      transport,
      // its text may quote the message, which may hold what is typed
      onerror: ({ name }) => log.error("message refused", { error: name }),
    },
  );
  return { closed: transport.closed, close: () => handle.close() };
}

class WatchedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #resolve: () => void;

  constructor(maxBufferSize: number) {
    super(undefined, undefined, { maxBufferSize });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolve = resolve;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#resolve();
  }
}
