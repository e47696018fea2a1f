/**
 * The file system of this thread, of which one call fails, or all from one on: the first, the second and so on. What
 * other threads do, and the `open` of `node:fs`, which is bound where it is imported, never fails here.
 */

import { expect } from "expect";
import { open } from "node:fs/promises";
import { ServiceError } from "../../src/core/errors.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";
import { replace } from "./virtual_time.ts";

const MESSAGES = {
  EIO: "Input/output error (os error 5)",
  ENOSPC: "No space left on device (os error 28)",
  EMFILE: "Too many open files (os error 24)",
} as const;
type Code = keyof typeof MESSAGES;

export interface FileFailure {
  readonly code: Code;
  /** Whether all later calls fail as well. */
  readonly lasts: boolean;
  /** Whether the call has had its effect by then. */
  readonly isDone: boolean;
}

const ANY: readonly Code[] = ["EIO"];
const WRITES: readonly Code[] = ["EIO", "ENOSPC"];
const OPENS: readonly Code[] = ["EIO", "EMFILE"];
/** What each call can fail with: those of `Deno`, of its files, and of those of `node:fs`. */
const CALLS = {
  deno: {
    open: ["EIO", "ENOSPC", "EMFILE"],
    writeTextFile: ["EIO", "ENOSPC", "EMFILE"],
    readTextFile: OPENS,
    readDir: OPENS,
    stat: ANY,
    lstat: ANY,
    realPath: ANY,
    readLink: ANY,
    remove: ANY,
    mkdir: WRITES,
    rename: WRITES,
  },
  file: {
    read: ANY,
    stat: ANY,
    tryLock: ANY,
    write: WRITES,
    sync: WRITES,
    syncData: WRITES,
    truncate: WRITES,
  },
  handle: { read: ANY, stat: ANY, sync: WRITES },
} satisfies Record<string, Readonly<Record<string, readonly Code[]>>>;
/** What can have had its effect when it fails. */
const EFFECTS = [
  "writeTextFile",
  "remove",
  "mkdir",
  "rename",
  "write",
  "sync",
  "syncData",
  "truncate",
];

type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Does what may fail, once in an attempt; gives whether it was done, and else was refused as documented. */
export type Failing = (work: () => Promise<void>) => Promise<boolean>;

const FAILURES: readonly FileFailure[] = [
  { code: "EIO", lasts: false, isDone: false },
  { code: "EIO", lasts: false, isDone: true },
  { code: "EIO", lasts: true, isDone: false },
  { code: "ENOSPC", lasts: true, isDone: false },
  { code: "EMFILE", lasts: false, isDone: false },
];
const ignore = unless(
  Deno.build.os !== "windows",
  "Windows lets nobody read a file that is locked",
);

/**
 * One test of all kinds of failures.
 * @param least calls that can fail, in all kinds together
 */
export function testEach(
  name: string,
  least: number,
  attempt: (folder: string, failing: Failing) => Promise<void>,
): void {
  Deno.test({
    name: `${name}, whichever call to the file system fails`,
    ignore,
    async fn() {
      let count = 0;
      for (const failure of FAILURES) count += await failEachFileCall(failure, attempt);
      expect(count).toBeGreaterThanOrEqual(least);
    },
  });
}

/**
 * One attempt again and again, each in a folder of its own, until it has had all calls without a failure.
 * @returns how many calls it needs that can fail so
 * @throws Error which call has failed, and what was wrong then
 */
export async function failEachFileCall(
  failure: FileFailure,
  attempt: (folder: string, failing: Failing) => Promise<void>,
): Promise<number> {
  for (let nth = 1;; nth++) {
    await using folder = await testFolder();
    const files = new FailingFiles(folder.path, { ...failure, nth });
    const failing: Failing = async (work) => {
      using _failing = await files.begin();
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof ServiceError && error.code === "unavailable") return false;
        throw error;
      }
    };
    try {
      await attempt(folder.path, failing);
    } catch (error) {
      const which = `${failure.code} of ${files.failed.join(", ")}, call ${nth}`;
      throw new Error(`${which}: ${(error as Error).message}`, { cause: error });
    }
    if (files.failed.length === 0) return nth - 1;
  }
}

interface Plan extends FileFailure {
  /** Counted from 1. */
  readonly nth: number;
}

class FailingFiles {
  /** The calls that have failed. */
  readonly failed: string[] = [];
  #count = 0;

  constructor(private readonly folder: string, private readonly plan: Plan) {}

  /** From now on they fail, until it is disposed. */
  async begin(): Promise<Disposable> {
    using stack = new DisposableStack();
    const isOurs = ([path]: readonly unknown[]) => String(path).startsWith(this.folder);
    for (const [name, codes] of Object.entries(CALLS.deno)) {
      stack.defer(this.#wrap(Deno, name, { codes, isOurs }));
    }
    for (const [name, codes] of Object.entries(CALLS.file)) {
      stack.defer(this.#wrap(Deno.FsFile.prototype, name, { codes, isOurs: () => true }));
    }
    const handle = await prototypeOfHandles();
    for (const [name, codes] of Object.entries(CALLS.handle)) {
      stack.defer(this.#wrap(handle, name, { codes, isOurs: () => true }));
    }
    return stack.move();
  }

  /** Gives what puts the call back. */
  #wrap(
    owner: object,
    name: string,
    { codes, isOurs }: {
      readonly codes: readonly Code[];
      isOurs(args: readonly unknown[]): boolean;
    },
  ): () => void {
    const real = Reflect.get(owner, name) as Call;
    const { isDone } = this.plan;
    const find = (args: readonly unknown[]) =>
      codes.includes(this.plan.code) && isOurs(args) ? this.#next(name) : undefined;
    const wrapped: Call = function (...args) {
      const error = find(args);
      if (error === undefined) return real.apply(this, args);
      if (name === "readDir") return unreadable(error);
      if (!isDone || !EFFECTS.includes(name)) return Promise.reject(error);
      return Promise.resolve(real.apply(this, args)).then(() => Promise.reject(error));
    };
    return replace(owner as Record<string, unknown>, name, wrapped);
  }

  #next(name: string): Error | undefined {
    const { nth, lasts, code } = this.plan;
    this.#count++;
    if (lasts ? this.#count < nth : this.#count !== nth) return undefined;
    this.failed.push(name);
    return Object.assign(new Error(MESSAGES[code]), { code });
  }
}

/** As `Deno.readDir`, which fails when it is first asked for an entry. */
function unreadable(error: Error): AsyncIterable<Deno.DirEntry> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

async function prototypeOfHandles(): Promise<object> {
  const handle = await open(import.meta.filename!);
  await handle.close();
  return Object.getPrototypeOf(handle);
}
