/** A receiver of OTLP over HTTP that keeps the bodies of all requests. */

import { testFolder } from "../../support/folder.ts";

export interface Receiver extends AsyncDisposable {
  /** The bodies, by signal, as files. */
  readonly folder: string;
  /** By which a service exports to it, with what must never be exported. */
  readonly env: Readonly<Record<string, string>>;
  /** All that came, as bytes that stand for themselves. */
  everything(): Promise<string>;
}

/** @param canary is in a header of each request */
export async function startReceiver(canary: string): Promise<Receiver> {
  const folder = await testFolder();
  let count = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const signal = new URL(request.url).pathname.split("/").at(-1)!;
    let bytes = await request.bytes();
    if (request.headers.get("content-encoding") === "gzip") {
      bytes = await new Response(
        new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")),
      ).bytes();
    }
    await Deno.writeFile(`${folder.path}/${signal}-${count++}`, bytes);
    return new Response(null, { headers: { "content-type": "application/x-protobuf" } });
  });
  return {
    folder: folder.path,
    env: {
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "desk-of-the-test",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary}-key`,
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_METRIC_EXPORT_INTERVAL: "500",
    },
    async everything() {
      let text = "";
      for await (const { name } of Deno.readDir(folder.path)) {
        text += new TextDecoder("latin1").decode(await Deno.readFile(`${folder.path}/${name}`));
      }
      return text;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await folder[Symbol.asyncDispose]();
    },
  };
}
