/** The program with a window full of controls, as a test starts it. */

import { expect } from "expect";
import { lineReader } from "../lines.ts";
import { waitFor } from "../wait.ts";

export interface ControlsWindow extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when the program finds this in its controls. */
  holds(state: Readonly<Record<string, unknown>>): Promise<void>;
}

/** @param hangs whether it takes no messages after it has shown its window */
export async function openControls({ hangs = false } = {}): Promise<ControlsWindow> {
  const script = new URL("./controls_window.ts", import.meta.url).href;
  const flags = ["run", "-A", "--no-check", "--no-config", "--no-lock"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...flags, script, ...(hangs ? ["hang"] : [])],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/"ready"/);
  let state: Record<string, unknown> = {};
  const keep = (line: string) => state = { ...state, ...JSON.parse(line) };
  lines.seen.forEach(keep);
  const reading = (async () => {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) keep(line);
  })();
  return {
    pid: child.pid,
    async holds(wanted) {
      const isSo = () => Object.entries(wanted).every(([key, value]) => state[key] === value);
      await waitFor(isSo, { what: JSON.stringify(wanted) })
        .catch(() => expect(state).toMatchObject(wanted));
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
      await reading;
    },
  };
}
