/** Clients that do what they can again and again, and check that what was acknowledged is there. */

import { expect } from "expect";
import { ask } from "./ask.ts";
import type { World } from "./world.ts";

/** The exit code of a command that somebody has killed. */
const KILLED = 137;

/** One round of a client: does something, and checks it. */
export type Client = (round: number) => Promise<void>;

/** Makes one client of each kind. Their names are for failures. */
export function createClients(world: World): Readonly<Record<string, Client>> {
  const call = (path: string, body?: unknown) => ask(world.address, path, body);
  return {
    "appends lines": lineAppender(world, call),
    "writes files": fileWriter(world, call),
    "stores values": valueKeeper(call),
    async "runs commands"(round) {
      const outcome = await call("/api/bash/command", { command: `echo ${round}` });
      if (outcome.kind !== "done") return;
      const { exit_code, output } = outcome.json as { exit_code: number; output: string };
      if (exit_code === KILLED) return; // it was one of the helpers
      expect({ exit_code, output }).toEqual({ exit_code: 0, output: `${round}\n` });
    },
    async "moves the mouse"(round) {
      const at = { x: round % 1_000, y: round % 700 };
      const [pid, xvfb] = [world.pid, world.xvfbPid];
      const moved = await call("/api/mouse/move", at);
      const position = await call("/api/mouse/position");
      if (moved.kind !== "done" || position.kind !== "done") return;
      if (world.pid !== pid || world.xvfbPid !== xvfb) return; // a new server has a cursor of its own
      expect(position.json).toEqual(at);
    },
    async "types"() {
      await call("/api/keyboard/type", { text: "aBé漢", typing_delay: 1 });
      await call("/api/keyboard/key", { key: "ctrl+shift+a" });
    },
    async "looks"(round) {
      await call("/api/filesystem/list", { path: world.folder });
      await call("/api/display/pixel_color", { x: 1, y: 1 });
      await fetch(
        `${world.address}/api/display/screenshot?format=jpeg&max_width=${100 + round % 50}`,
      )
        .then((response) => response.arrayBuffer()).catch(() => {});
    },
  };
}

type Call = (path: string, body?: unknown) => ReturnType<typeof ask>;

/** Every acknowledged line is there once and in order; of those that were not, each is there at most once. */
function lineAppender({ folder }: World, call: Call): Client {
  const path = `${folder}/lines`;
  const acknowledged: number[] = [];
  return async (round) => {
    const create = await call("/api/filesystem/info/" + encodeURIComponent(path)).catch(() => null);
    if (create === null) await call("/api/editor/create", { path, file_text: "" }).catch(() => {});
    const outcome = await call("/api/editor/insert", { path, text: `line ${round}\n` })
      .catch(isMissing);
    if (outcome?.kind === "done") acknowledged.push(round);
    const seen = await call("/api/editor/view", { path }).catch(isMissing);
    if (seen?.kind !== "done") return;
    const lines = (seen.json as string).split("\n").filter((line) => line !== "");
    const numbers = lines.map((line) => Number(/^line (\d+)$/.exec(line)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(acknowledged.filter((number) => !numbers.includes(number))).toEqual([]);
  };
}

/** The file does not exist yet. */
function isMissing(error: Error): undefined {
  if (!/: 404 /.test(error.message)) throw error;
}

/** A file is whole: the version that was acknowledged last, or one that was sent later. */
function fileWriter({ folder }: World, call: Call): Client {
  const path = `${folder}/whole`;
  let acknowledged = -1;
  return async (round) => {
    const content = `${round},`.repeat(20_000);
    const outcome = await call("/api/filesystem/write", { path, content, overwrite: true });
    if (outcome.kind === "done") acknowledged = round;
    if (acknowledged < 0) return;
    const seen = await call("/api/filesystem/read", { path });
    if (seen.kind !== "done") return;
    const text = (seen.json as { content: string }).content;
    const version = Number(text.slice(0, text.indexOf(",")));
    expect(text === `${version},`.repeat(20_000)).toBe(true);
    expect(version).toBeGreaterThanOrEqual(acknowledged);
    expect(version).toBeLessThanOrEqual(round);
  };
}

/** A stored value is the one that was acknowledged last, or one that was sent later. */
function valueKeeper(call: Call): Client {
  let candidates: number[] = [];
  let isStored = false;
  return async (round) => {
    const item = { password: `value ${round}` };
    const outcome = await call("/api/keychain/set-item", { service: "site", item });
    isStored ||= outcome.kind === "done";
    candidates = outcome.kind === "done" ? [round] : [...candidates, round];
    // wrong tries are slowed down, so that the likely value comes first
    const likely = outcome.kind === "refused" ? candidates : candidates.toReversed();
    for (const candidate of likely) {
      const element = { type: "password", value: `value ${candidate}` };
      const body = { service: "site", authElements: [element] };
      const checked = await call("/api/keychain/authenticate", body);
      if (checked.kind !== "done") return;
      if (checked.json === true) {
        candidates = [candidate];
        return;
      }
    }
    if (isStored) throw new Error(`None of the values ${candidates.join()} is stored`);
  };
}
