/** Messages of a browser over a pipe: what is too large is refused alone, and what follows arrives. */

import { expect } from "expect";
import {
  CdpConnection,
  MAX_ANSWER_BYTES,
  overPipe,
} from "../../../src/platform/browser/cdp/connection.ts";

Deno.test("an answer or an event that is too large is refused alone", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const events: unknown[] = [];
  const heard = Promise.withResolvers<void>();
  const connection = new CdpConnection(
    overPipe(new WritableStream(), readable),
    (...event) => {
      events.push(event);
      if (event[0] === "Runtime.executionContextsCleared") heard.resolve();
    },
  );
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const write = (text: string) => writer.write(encoder.encode(text));
  const filling = encoder.encode("x".repeat(4 * 1024 * 1024));
  const [large, small] = [connection.call("DOM.getDocument"), connection.call("DOM.disable")];
  small.catch(() => {});
  const refused = expect(large).rejects.toMatchObject({ code: "conflict" });
  await write('{"id":1,"result":{"text":"');
  for (let size = 0; size <= MAX_ANSWER_BYTES; size += filling.length) await writer.write(filling);
  await write('"}}\0{"id":2,"result":7}\0{"method":"Runtime.consoleAPICalled","params":{"t":"');
  await writer.write(filling);
  await write('"},"sessionId":"S1"}\0{"method":"Runtime.executionContextsCleared"}\0');
  await refused;
  expect(await small).toBe(7);
  await heard.promise;
  expect(events).toEqual([
    ["large", { method: "Runtime.consoleAPICalled" }, "S1"],
    ["Runtime.executionContextsCleared", undefined, undefined],
  ]);
  connection.close();
});
