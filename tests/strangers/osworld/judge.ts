/** The programs in Python beside this file: one makes the documents of the tasks, the other judges documents and computers. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineReader } from "../../support/lines.ts";
import { EXTENSIONS, type Metric, type OfficeDocument, type OfficeTask } from "./office_task.ts";
import type { Evaluator } from "./local_task.ts";
import { FOLDER, pythonEnv } from "./packages.ts";

const PYTHON = "/usr/bin/python3";
const MAKER = fileURLToPath(new URL("./documents.py", import.meta.url));
const JUDGE = fileURLToPath(new URL("./judge.py", import.meta.url));

/** Paths of a task's documents on this computer. */
export interface TaskFiles {
  readonly start: string;
  readonly expected: string;
  /** Where what the program has saved is put. */
  readonly result: string;
}

/** Writes the documents of all tasks; gives their paths by the names of the tasks. */
export async function makeDocuments(
  tasks: readonly OfficeTask[],
): Promise<ReadonlyMap<string, TaskFiles>> {
  const files = new Map<string, TaskFiles>();
  const orders: { family: string; path: string; document: OfficeDocument }[] = [];
  for (const { name, family, start, expected } of tasks) {
    const folder = join(FOLDER, "documents", name);
    await Deno.mkdir(folder, { recursive: true });
    const path = (what: string) => join(folder, `${what}.${EXTENSIONS[family]}`);
    const own = { start: path("start"), expected: path("expected"), result: path("result") };
    files.set(name, own);
    orders.push({ family, path: own.start, document: start });
    orders.push({ family, path: own.expected, document: expected });
  }
  const child = new Deno.Command(PYTHON, {
    args: [MAKER],
    env: await pythonEnv(),
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const ended = child.output(); // reads what it says while it is written to
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(orders))).catch(() => {}); // it says why
  await writer.close().catch(() => {});
  const { success, stderr } = await ended;
  if (!success) throw new Error(`Cannot make documents: ${new TextDecoder().decode(stderr)}`);
  return files;
}

export interface Verdict {
  /** From 0 to 1. */
  readonly score: number;
  /** What the evaluator said, what stands in the document, and what should; empty for 1. */
  readonly why: string;
}

export interface Judge extends AsyncDisposable {
  /** @param result the path of what the program has saved */
  judge(result: string, expected: string, metrics: readonly Metric[]): Promise<Verdict>;
  /** Judges what there is on a computer. */
  judgeComputer(computer: JudgedComputer, evaluator: Evaluator): Promise<Verdict>;
}

export interface JudgedComputer {
  /** Where the routes of OSWorld's server are. */
  readonly address: string;
  /** Where VLC says what it plays. */
  readonly playerPort: number;
  /** Where files that are read from there are put. */
  readonly folder: string;
}

export async function startJudge(): Promise<Judge> {
  const child = new Deno.Command(PYTHON, {
    args: [JUDGE],
    env: await pythonEnv(),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const answers = lineReader(child.stdout);
  const writer = child.stdin.getWriter();

  async function ask(request: object): Promise<Verdict> {
    await writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    const line = await answers.next();
    if (line === undefined) throw new Error("The judge has ended: see what it wrote above");
    const { score, said = "", saw, wanted } = JSON.parse(line);
    const why = score === 1
      ? ""
      : `Judged ${score}: ${lastLines(said)} It saw ${saw}, not ${wanted}`;
    return { score, why };
  }

  return {
    judge: (result, expected, metrics) => ask({ result, expected, metrics }),
    judgeComputer: (computer, evaluator) => ask({ ...computer, evaluator }),
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {}); // it has ended
      await answers.rest();
      await child.status;
    },
  };
}

/** The last lines say what differs. */
function lastLines(said: string): string {
  return said.trim().split("\n").slice(-3).join(" / ");
}
