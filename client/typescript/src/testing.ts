/**
 * Desks for tests: `withDesk()` for `node:test` and others, `deskFixture()` for Vitest, and
 * `expectDesk()`. Of a test that fails a picture, what was done, and a video are kept.
 */

import type { ConnectOptions } from "./connection.ts";
import { Desk } from "./desk.ts";
import type { ComputerControlError } from "./errors.ts";
import type * as Types from "./generated/types.gen.ts";
import { ComputerControl } from "./mod.ts";

export {
  type Criteria,
  Desk,
  type Element,
  Elements,
  expectDesk,
  type WaitOptions,
} from "./desk.ts";

export interface DeskOptions extends ConnectOptions {
  /** Where a folder for each test that fails is made; `desk-artifacts` by default. */
  readonly artifacts?: string;
  /** How the desk is made: fields of `desk/create`. */
  readonly desk?: Omit<Types.CreateDeskRequest, "name">;
}

/** A test of Vitest. */
interface Task {
  readonly name: string;
  readonly fullName?: string;
  readonly result?: { readonly state: string };
}

/** What is read of the context that `node:test`, Vitest and Deno give to a test. */
export interface TestContext {
  readonly name?: string;
  readonly fullName?: string;
  readonly filePath?: string | undefined;
  readonly task?: Task;
  /** Aborts when the test has taken too long. */
  readonly signal?: AbortSignal;
  diagnostic?(message: string): void;
  annotate?(message: string, type?: string): Promise<unknown>;
  onTestFinished?(action: () => Promise<void>): void;
}

type VitestContext = Required<Pick<TestContext, "task" | "onTestFinished">>;

/**
 * A test with a desk of its own: `test("saves", withDesk(async (desk) => { ... }))`. The files of one
 * that fails are named by `diagnostic` of `node:test`, or `annotate` of Vitest.
 */
export function withDesk<Context extends TestContext>(
  test: (desk: Desk, context: Context) => unknown,
  options: DeskOptions = {},
): (context: Context) => Promise<void> {
  return (context) => {
    const run = runTest(test, context, options);
    context.onTestFinished?.(() => run.catch(() => {})); // it goes on when it takes too long
    return run;
  };
}

async function runTest<Context extends TestContext>(
  test: (desk: Desk, context: Context) => unknown,
  context: Context,
  options: DeskOptions,
): Promise<void> {
  const recorded = await RecordedDesk.open(options);
  const { signal } = context;
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    signal?.throwIfAborted();
    await Promise.race([test(recorded.desk, context), aborted]);
  } catch (error) {
    for (const [kind, said] of await recorded.keep(context)) {
      const isOver = signal?.aborted === true;
      if (!isOver && context.annotate) await context.annotate(said, kind);
      else if (!isOver && context.diagnostic) context.diagnostic(`${kind}: ${said}`);
      else console.error(`${kind}: ${said}`);
    }
    await recorded.delete().catch(() => {}); // the error of the test is the one to see
    throw error;
  }
  await recorded.delete();
}

/**
 * For Vitest: `const test = base.extend<{ desk: Desk }>({ desk: deskFixture() })`. The files of a
 * test that fails are named in its output.
 */
export function deskFixture(options: DeskOptions = {}) {
  return async (
    { task, onTestFinished }: VitestContext,
    use: (desk: Desk) => Promise<void>,
  ): Promise<void> => {
    let isUsed = false;
    const opening = RecordedDesk.open(options);
    onTestFinished(async () => {
      if (!isUsed) await opening.then((late) => late.delete(), () => {}); // its time was up before
    });
    const recorded = await opening;
    isUsed = task.result?.state !== "fail";
    if (!isUsed) return;
    try {
      await use(recorded.desk);
      const kept = task.result?.state === "fail" ? await recorded.keep({ task }) : [];
      for (const [kind, said] of kept) console.error(`${kind}: ${said}`);
    } finally {
      await recorded.delete();
    }
  };
}

/** What is kept: what it is, and its path, or why there is none. */
type Kept = [kind: string, said: string];
type File = readonly [name: string, content: Uint8Array];

/** A desk that is recorded; nothing is written before it is to be kept. */
class RecordedDesk {
  readonly #missing: Kept[] = [];
  #trail: string | undefined;
  #video: string | undefined;

  private constructor(readonly desk: Desk, private readonly artifacts: string) {}

  static async open({ artifacts = "desk-artifacts", desk: fields, ...connect }: DeskOptions) {
    const name = `test-${crypto.randomUUID().slice(-12)}`;
    const entry = await new ComputerControl(connect).desk.create({ ...fields, name });
    const desk = new Desk(connect, entry);
    const recorded = new RecordedDesk(desk, artifacts);
    recorded.#trail = (await recorded.#attempt("trail", () => desk.trail.start()))?.id;
    recorded.#video = (await recorded.#attempt("video", () => desk.recording.start()))?.id;
    return recorded;
  }

  async keep(context: TestContext): Promise<readonly Kept[]> {
    const folder = `${this.artifacts}/${folderName(context)}`;
    const [trail, video] = [this.#trail, this.#video];
    const readers: Record<string, () => Promise<File>> = {
      picture: async () => ["picture.png", (await this.desk.screenshot()).bytes],
      ...(trail !== undefined && { trail: () => this.#readTrail(trail) }),
      ...(video !== undefined && { video: () => this.#readVideo(video) }),
    };
    const kept: Kept[] = [];
    for (const [kind, read] of Object.entries(readers)) {
      const path = await this.#attempt(kind, async () => await writeInto(folder, await read()));
      if (path !== undefined) kept.push([`desk_${kind}`, path]);
    }
    return [...kept, ...this.#missing];
  }

  /** Deletes the desk with everything on it, unless the test has done so. */
  async delete(): Promise<void> {
    try {
      await this.desk.desk.delete({ name: this.desk.name });
    } catch (error) {
      if ((error as ComputerControlError).code !== "not_found") throw error;
    }
  }

  async #readTrail(id: string): Promise<File> {
    const path = `${this.desk.folder}/trail-${id}.html`;
    await this.desk.trail.export({ id, format: "html", path });
    return ["trail.html", await this.desk.readFile(path)];
  }

  async #readVideo(id: string): Promise<File> {
    const { format } = await this.desk.recording.stop({ id });
    return [`video.${format}`, (await this.desk.recording.get({ id })).bytes];
  }

  async #attempt<T>(kind: string, action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      this.#missing.push([`desk_${kind}`, `none: ${(error as Error).message}`]);
      return undefined;
    }
  }
}

/** `form.test.ts-saves`; what cannot stand in a name of a file is its code. */
function folderName({ name = "test", fullName = name, filePath, task }: TestContext): string {
  const file = filePath === undefined ? "" : `${filePath.split(/[/\\]/).at(-1)}-`;
  const text = task ? task.fullName ?? task.name : `${file}${fullName}`;
  return text.replaceAll(/ > | |\//g, "-")
    .replaceAll(/[^\w.-]/gu, (each) => `_${each.codePointAt(0)!.toString(16)}`).slice(0, 150);
}

/** Of `node:fs/promises`, also in Deno and Bun: the package is built without Node's types. */
interface FileSystem {
  mkdir(path: string, options: { readonly recursive: true }): Promise<unknown>;
  writeFile(path: string, content: Uint8Array): Promise<void>;
}

const FILE_SYSTEM: string = "node:fs/promises";

/** @returns the path of the file */
async function writeInto(folder: string, [name, content]: File): Promise<string> {
  const files: FileSystem = await import(/* @vite-ignore */ FILE_SYSTEM);
  await files.mkdir(folder, { recursive: true });
  await files.writeFile(`${folder}/${name}`, content);
  return `${folder}/${name}`;
}
