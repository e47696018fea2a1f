/** Scripts of KWin, against one that is slow or refuses: what it is asked then, and what is told. */

import { expect } from "expect";
import {
  type BusCall,
  BusError,
  type MessageBus,
} from "../../../../../src/platform/linux/bus/types.ts";
import type { WaylandClient } from "../../../../../src/platform/linux/wayland/client.ts";
import { KwinScript, ScriptHost } from "../../../../../src/platform/linux/wayland/kde/script.ts";
import { WindowScripts } from "../../../../../src/platform/linux/wayland/kde/windows.ts";
import { testFolder } from "../../../../support/folder.ts";
import { waitFor } from "../../../../support/wait.ts";

const OBJECT_PATH = /^(\/|(\/[A-Za-z0-9_]+)+)$/; // of the specification of D-Bus
const SCRIPT = { source: "answer();", failure: "Cannot test" };

Deno.test("a script that has failed to start can be started again", async () => {
  await using folder = await testFolder();
  const kwin = new FakeKwin();
  await using script = new KwinScript(new ScriptHost(kwin.bus, folder.path), SCRIPT);
  kwin.refusesToRun = true;
  await expect(script.start(() => {})).rejects.toThrow("Cannot test: KWin: refused");
  expect(kwin.loaded.size).toBe(0);
  kwin.refusesToRun = false;
  await script.start(() => {});
  expect(kwin.paths.filter((path) => !OBJECT_PATH.test(path))).toEqual([]);
});

Deno.test("a script that had no room on the disk is written at its next run, and leaves nothing", async () => {
  await using folder = await testFolder();
  const kwin = new FakeKwin();
  const { writeTextFile } = Deno;
  {
    await using script = new KwinScript(new ScriptHost(kwin.bus, folder.path), SCRIPT);
    Deno.writeTextFile = async (path, text, options) => {
      Deno.writeTextFile = writeTextFile;
      await writeTextFile(path, String(text).slice(0, 3), options);
      throw new Error("No space left");
    };
    await expect(script.run()).rejects.toThrow("No space left");
    await script.run();
  }
  expect(await Array.fromAsync(Deno.readDir(folder.path))).toEqual([]);
});

Deno.test("a script that KWin unloads late is loaded again after that", async () => {
  await using folder = await testFolder();
  const kwin = new FakeKwin();
  await using script = new KwinScript(new ScriptHost(kwin.bus, folder.path), SCRIPT);
  kwin.unloadsLate = true;
  await script.run();
  await script.run();
  expect(kwin.paths.filter((path) => !OBJECT_PATH.test(path))).toEqual([]);
});

Deno.test("a script that KWin never loads is refused", async () => {
  await using folder = await testFolder();
  const kwin = new FakeKwin();
  await using script = new KwinScript(new ScriptHost(kwin.bus, folder.path), SCRIPT);
  kwin.refusesToLoad = true;
  await expect(script.run()).rejects.toMatchObject({ code: "unsupported" });
  expect(kwin.paths.filter((path) => !OBJECT_PATH.test(path))).toEqual([]);
});

Deno.test("a wait for a change of windows ends with its signal while KWin is slow", async () => {
  await using folder = await testFolder();
  const kwin = new FakeKwin();
  const client = { connected: true, closed: new Promise(() => {}) } as unknown as WaylandClient;
  await using windows = new WindowScripts(new ScriptHost(kwin.bus, folder.path), client);
  kwin.isSlow = true;
  const stopped = new AbortController();
  const waiting = expect(windows.changed(stopped.signal)).rejects.toThrow("stopped");
  await waitFor(() => kwin.hasRun, { what: "the script to run" });
  stopped.abort(new Error("stopped"));
  await waiting;
  kwin.answer();
});

/** Its scripting interface, with at most one script. */
class FakeKwin {
  refusesToRun = false;
  refusesToLoad = false;
  /** A script that was unloaded stays until the next one is to be loaded. */
  unloadsLate = false;
  isSlow = false;
  hasRun = false;
  readonly loaded = new Set<string>();
  /** Of all calls. */
  readonly paths: string[] = [];
  readonly #leaving = new Set<string>();
  #listener: (body: readonly unknown[]) => void = () => {};

  readonly bus = {
    name: ":1.1",
    connected: true,
    receive: (_match: unknown, listener: (body: readonly unknown[]) => void) => {
      this.#listener = listener;
      return { [Symbol.dispose]() {} };
    },
    call: async (call: BusCall) => {
      this.paths.push(call.path);
      await Promise.resolve();
      return { body: [this.#take(call)], files: [] };
    },
  } as unknown as MessageBus;

  answer(): void {
    this.#listener([]);
  }

  #take(call: BusCall): unknown {
    const { member, body = [] } = call;
    if (member === "loadScript") return this.#load(body[1] as string);
    if (member === "unloadScript") return this.#unload(body[0] as string);
    if (this.refusesToRun) throw new BusError("org.example.Error", "refused", call);
    this.hasRun = true;
    if (!this.isSlow) this.answer();
    return undefined;
  }

  #load(name: string): number {
    const isLoaded = this.loaded.has(name) || this.refusesToLoad;
    for (const each of this.#leaving) this.loaded.delete(each);
    this.#leaving.clear();
    if (isLoaded) return -1;
    this.loaded.add(name);
    return 0;
  }

  #unload(name: string): void {
    if (this.unloadsLate) this.#leaving.add(name);
    else this.loaded.delete(name);
  }
}
