/** Snapshots of real programs, each beside pyatspi, which reads the same of the same program. */

import { fileURLToPath } from "node:url";
import { largePage } from "../tests/real_programs/elements/support/pages.ts";
import {
  type AccessibleSession,
  startAccessibleSession,
} from "../tests/real_programs/support/accessible_session.ts";
import { openBrowser } from "../tests/real_programs/support/browser.ts";
import { openEditor } from "../tests/real_programs/support/editor.ts";
import { run } from "../tests/support/desktop.ts";
import { startService } from "../tests/support/service.ts";
import { longestWork } from "./longest_work.ts";
import { median } from "./median.ts";
import { startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const ROUNDS = 9;
const PYTHON = fileURLToPath(new URL("./elements_pyatspi.py", import.meta.url));

/** What is read: what shows, as a snapshot does by default, or everything that the program tells. */
const READINGS = [
  { label: "what shows", hidden: false, python: "showing" },
  { label: "everything", hidden: true, python: "all" },
] as const;

export async function benchElements(): Promise<void> {
  section("Elements: reading beside pyatspi (median ms of each; share; elements of each)");
  await using session = await startAccessibleSession();
  const args = ["--port", "0", "--display", `1=${session.display}`];
  await using service = await startServer("../main.ts", args, session.env);
  const measure = (program: string) => measureProgram(program, service.port, session);
  {
    await using _mousepad = await openEditor(session.place, "mousepad");
    await measure("mousepad");
  }
  await using _chromium = await openBrowser(session.place, "chromium", { body: largePage() });
  await measure("chromium");
  const { display, env } = session;
  await using inside = await startService({
    displays: [display],
    env: { ...Deno.env.toObject(), DISPLAY: display, ...env },
  });
  const longest = await longestWork(async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const { hidden } of READINGS) {
        const fields = { ...WHOLE, include_hidden: hidden };
        const response = await inside.send("/api/accessibility/snapshot", fields);
        if (!response.ok) throw new Error(await response.text());
        await response.body?.cancel();
      }
    }
  });
  row("longest work on the main thread meanwhile (ms)", [longest.toFixed(0)]);
}

const WHOLE = { window: "all", max_elements: 10_000, max_chars: 1_000_000 };

async function measureProgram(
  program: string,
  port: number,
  session: AccessibleSession,
): Promise<void> {
  for (const { label, hidden, python } of READINGS) {
    const snapshot = () => readSnapshot(port, { include_hidden: hidden });
    const count = await snapshot();
    const ours = await median(snapshot, ROUNDS);
    const theirs: PythonReading[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await readByPython(session, program, python));
    }
    const middle = percentile(theirs.map(({ ms }) => ms), 50);
    row(`${program}, ${label}`, [
      ...[ours.toFixed(0), middle.toFixed(0), (ours / middle).toFixed(2)],
      ...[count, theirs[0]!.elements],
    ]);
  }
}

/** Gives the number of elements that were read. */
async function readSnapshot(port: number, fields: Record<string, unknown>): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/accessibility/snapshot`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...WHOLE, ...fields }),
  });
  const said = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(said));
  return said.count;
}

interface PythonReading {
  readonly ms: number;
  readonly elements: number;
}

/** A process for each, because what it remembers from before need not be true any more. */
async function readByPython(
  { display, env }: AccessibleSession,
  program: string,
  what: string,
): Promise<PythonReading> {
  const args = [PYTHON, program, what];
  const said = await run("/usr/bin/python3", args, { DISPLAY: display, ...env });
  return JSON.parse(new TextDecoder().decode(said));
}
