/** A file that another program swaps for a FIFO between the look at it and its opening. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";

const ignore = Deno.build.os === "windows"; // has no FIFOs among its files

/** The file is a FIFO as soon as the service has looked at it. */
function swapAtLook(path: string, fifo: string): Disposable {
  const { stat } = Deno;
  Deno.stat = async (asked) => {
    const info = await stat(asked);
    if (info.isFile && String(asked) === path) await Deno.rename(fifo, path);
    return info;
  };
  return { [Symbol.dispose]: () => void (Deno.stat = stat) };
}

const OPERATIONS: readonly [string, (path: string) => object][] = [
  ["filesystem/read", (path) => ({ path })],
  ["editor/view", (path) => ({ path })],
  ["editor/str-replace", (path) => ({ path, old_str: "x", new_str: "y" })],
  ["editor/insert", (path) => ({ path, text: "y" })],
  ["filesystem/write", (path) => ({ path, content: "y", overwrite: true })],
  ["filesystem/copy", (path) => ({ source: path, destination: `${path}.copy` })],
  ["display/locate", (path) => ({ image_path: path })],
];

for (const [operation, input] of OPERATIONS) {
  Deno.test({
    name: `${operation} does not wait for the other end of a FIFO, and gives back its lock`,
    ignore,
    async fn() {
      await using folder = await testFolder();
      const app = testApp({ config: { home: folder.path, stateDir: `${folder.path}/state` } });
      const [path, fifo] = [`${folder.path}/file`, `${folder.path}/fifo`];
      await Deno.writeTextFile(path, "x\n");
      await new Deno.Command("mkfifo", { args: [fifo] }).output();
      {
        using _swapping = swapAtLook(path, fifo);
        await app.post(`/api/${operation}`, input(path)); // it answers at all
      }
      await Deno.remove(path);
      const file_text = "z";
      expect((await app.post("/api/editor/create", { path, file_text })).status).toBe(204);
      await app.session[Symbol.asyncDispose]();
    },
  });
}
