/** Files on a system that reads and writes only a part of what it is asked for, as it may. */

import { expect } from "expect";
import { open } from "node:fs/promises";
import { testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { replace } from "../../simulation/virtual_time.ts";
import { CASES, contentAfter, contentOf, prepare } from "./file_cases.ts";

/** As many bytes as the system takes at once: one at first, then more. */
const MOST = [1, 2, 3, 5, 1_000, 4_096, 30_000];

Deno.test("files are the same when the system reads and writes parts", async (test) => {
  await using folder = await testFolder();
  const { post, session } = testApp({ config: { stateDir: `${folder.path}/state` } });
  await using _session = session;
  let count = 0;
  for (const [at, { path, body, after }] of CASES.entries()) {
    const call = async (dir: string) => {
      const { status, text } = await post(`/api/${path}`, await prepare(dir, body));
      return { status, text: text.replaceAll(dir, "DIR").replaceAll(TIMES, "") };
    };
    await test.step(`${path} ${JSON.stringify(body)}`, async () => {
      const [whole, parts] = [`${folder.path}/${at}-whole`, `${folder.path}/${at}-parts`];
      const wanted = await call(whole);
      expect([wanted.status < 300, await contentOf(whole)]).toEqual([true, contentAfter(after)]);
      using partly = await inParts(`${whole}/large.txt`);
      expect(await call(parts)).toEqual(wanted);
      count += partly.count;
      expect(await contentOf(parts)).toEqual(contentAfter(after));
    });
  }
  expect(count).toBeGreaterThan(50);
});

/** What differs between two files of the same content. */
const TIMES = /"(?:modified|created|accessed)[^,}]*/g;

type Method = (this: unknown, bytes: Uint8Array, ...rest: number[]) => unknown;
type Methods = Record<"read" | "write", Method>;

/** From now on files are read and written in parts, until it is disposed. */
async function inParts(path: string) {
  const handle = await open(path);
  const ofNode: Methods = Object.getPrototypeOf(handle);
  await handle.close();
  const ofDeno = Deno.FsFile.prototype as unknown as Methods;
  const parts = { count: 0 };
  const most = () => MOST[parts.count++ % MOST.length]!;
  const stack = new DisposableStack();
  for (const name of ["read", "write"] as const) {
    const [node, deno] = [ofNode[name], ofDeno[name]];
    const inNode: Method = function (bytes, offset = 0, length = bytes.length, ...at) {
      return node.call(this, bytes, offset, Math.min(length, most()), ...at);
    };
    const inDeno: Method = function (bytes) {
      return deno.call(this, bytes.subarray(0, most()));
    };
    stack.defer(replace(ofNode, name, inNode));
    stack.defer(replace(ofDeno, name, inDeno));
  }
  return Object.assign(parts, { [Symbol.dispose]: () => stack.dispose() });
}
