/**
 * The audit file: one line of JSON for each operation. It is written some time after the operation, for
 * many at once, and no request waits for it. While it cannot be written, the log and `/readyz` say so,
 * and the lines wait in memory, as many as there is room for; how many were lost then is a line, too.
 */

import { within } from "../../core/deadline.ts";
import { writeAll } from "../../core/bytes.ts";
import { statIfThere, unlessMissing } from "../../core/files.ts";
import { type Log, log as standardLog } from "../../core/log.ts";
import { SharedRun } from "../../core/shared_run.ts";
import type { Readiness } from "../../platform/types/mod.ts";
import { Control } from "../control/control.ts";
import type { ControlState } from "../control/state.ts";
import type { Session } from "../session.ts";
import { toEntry } from "./entry.ts";
import { OperationLog } from "./operation_log.ts";

export interface AuditLimits {
  /** The size at which a new file is begun. */
  readonly maxBytes: number;
  /** Older files that are kept: `audit.jsonl.1` is the newest of them. */
  readonly maxOld: number;
  /** Characters of the lines that wait for the disk; the oldest are dropped for new ones. */
  readonly maxWaiting: number;
  /** How long after a failure it is tried again, in milliseconds. */
  readonly retryMs: number;
}

export const AUDIT_LIMITS: AuditLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxOld: 8,
  maxWaiting: 8 * 1024 * 1024,
  retryMs: 1_000,
};

/** Only its owner may read what others do. */
const PRIVATE = 0o600;
/** How long the end of the service waits for the disk. */
const CLOSE_TIMEOUT_MS = 2_000;

interface OpenFile {
  readonly file: Deno.FsFile;
  readonly ino: number | null;
  readonly dev: number;
  /** The bytes of complete lines. */
  size: number;
  /** Whether it ends in a part of a line, which stays. */
  isTorn: boolean;
  /** Whether it may have more than that, which could not be taken back. */
  mayExceed: boolean;
}

export class AuditFile implements AsyncDisposable {
  #file: OpenFile | undefined;
  /** Lines, and the characters that they have. */
  #waiting: string[] = [];
  #size = 0;
  #lost = 0;
  /** Why it is not written now. */
  #trouble: string | undefined;
  /** Why it grows beyond its size. */
  #notRotated: string | undefined;
  /** Until it has ended nothing is tried again. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** By desk, where it is not `programs`. */
  readonly #modes = new Map<string | undefined, ControlState["mode"]>();
  readonly #writing = new SharedRun(() => this.#write());
  readonly #using = new DisposableStack();

  constructor(
    private readonly session: Session,
    private readonly path: string,
    private readonly limits: AuditLimits = AUDIT_LIMITS,
    private readonly log: Pick<Log, "info" | "warn"> = standardLog,
  ) {
    this.#using.use(
      session.use(OperationLog).watch((records) =>
        this.#put(records.map((record) => toLine(toEntry(record))))
      ),
    );
    this.#using.use(session.use(Control).onChange((state, desk) => this.#noteControl(state, desk)));
    void this.#writing.run(); // a file that cannot be written is said at once
  }

  static openIn(session: Session): AuditFile {
    if (session.auditFile === undefined) throw new TypeError("There is no audit file");
    return new AuditFile(session, session.auditFile);
  }

  /** Whether the lines are on the disk, or why not. */
  get state(): Readiness {
    const reason = this.#trouble ?? this.#notRotated;
    if (reason !== undefined) return { ready: false, reason };
    return { ready: true, reason: `Operations are written to "${this.path}"` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.use(OperationLog)[Symbol.asyncDispose](); // its last records
    this.#using.dispose();
    const closing = this.#writing.run().then(async () => {
      await this.#file?.file.syncData().catch(() => {}); // the write has not failed
      this.#close();
    });
    if (!await within(closing, CLOSE_TIMEOUT_MS)) {
      this.log.warn("the last lines of the audit file are not written", { path: this.path });
    }
  }

  /** What a person does with the mouse and the keyboard is no line; that somebody has control is one. */
  #noteControl({ mode, by }: ControlState, desk: string | undefined): void {
    if (mode === (this.#modes.get(desk) ?? "programs")) return;
    if (mode === "programs") this.#modes.delete(desk);
    else this.#modes.set(desk, mode);
    const time = new Date().toISOString();
    this.#put([toLine({ time, event: "control", mode, who: by?.name ?? null, desk })]);
  }

  #put(lines: readonly string[]): void {
    for (const line of lines) {
      this.#waiting.push(line);
      this.#size += line.length;
    }
    let dropped = 0;
    for (; this.#size > this.limits.maxWaiting; dropped++) {
      this.#size -= this.#waiting[dropped]!.length;
    }
    this.#waiting.splice(0, dropped);
    this.#lost += dropped;
    if (this.#retry === undefined) void this.#writing.run();
  }

  async #write(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const [lines, lost] = [this.#waiting, this.#lost];
    [this.#waiting, this.#size, this.#lost] = [[], 0, 0];
    try {
      const open = await this.#open();
      const text = (lost > 0 ? lostLine(lost, this.#trouble) : "") + lines.join("");
      if (text !== "") await append(open, new TextEncoder().encode(text));
      this.#recover(lost);
    } catch (error) {
      const newer = this.#waiting;
      [this.#waiting, this.#size] = [[], 0];
      this.#lost += lost;
      this.#fail(error as Error);
      this.#put([...lines, ...newer]);
    }
  }

  /** The file at the path, a new one where that was removed, renamed or has its size. */
  async #open(): Promise<OpenFile> {
    const known = this.#file;
    if (known !== undefined) {
      const there = await statIfThere(this.path);
      const isSame = there?.ino === known.ino && there?.dev === known.dev;
      if (isSame && !known.mayExceed) known.size = there.size; // others may have written into it
      if (isSame && known.size < this.limits.maxBytes) return known;
      if (isSame && !await this.#rotate()) return known;
      if (!isSame) {
        this.#close();
        const { path } = this;
        this.log.warn("the audit file was removed or renamed: a new one has begun", { path });
      }
    }
    this.#file = await openAudit(this.path);
    this.#notRotated = undefined;
    return this.#file;
  }

  /** Gives the file the name of an old one; `false` where that fails: it goes on growing then. */
  async #rotate(): Promise<boolean> {
    const { path, limits: { maxOld } } = this;
    try {
      for (let number = maxOld; number > 1; number--) {
        await Deno.rename(`${path}.${number - 1}`, `${path}.${number}`).catch(unlessMissing);
      }
      await Deno.rename(path, `${path}.1`);
    } catch (error) {
      const reason = `Cannot rotate "${path}": ${(error as Error).message}`;
      if (this.#notRotated === undefined) this.log.warn("audit file not rotated", { reason });
      this.#notRotated = reason;
      return false;
    }
    this.#close();
    return true;
  }

  #close(): void {
    this.#file?.file.close();
    this.#file = undefined;
  }

  #fail({ message }: Error): void {
    const reason = `Cannot write "${this.path}": ${message}`;
    if (this.#trouble === undefined) {
      this.log.warn("audit file not written: its lines wait in memory", { reason });
    }
    this.#trouble = reason;
    this.#retry = setTimeout(() => void this.#writing.run(), this.limits.retryMs);
    Deno.unrefTimer(this.#retry);
  }

  #recover(lost: number): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.log.info("audit file written again", { path: this.path, lost });
  }
}

function lostLine(count: number, reason = "too many lines waited for the disk"): string {
  return toLine({ time: new Date().toISOString(), event: "lost", count, reason });
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** @throws Error for what is no regular file, or that another service writes */
async function openAudit(path: string): Promise<OpenFile> {
  if ((await statIfThere(path))?.isFile === false) throw new Error("it is not a regular file");
  // reading, too: whoever only writes waits for the reader of a FIFO
  const file = await Deno.open(path, { read: true, append: true, create: true, mode: PRIVATE });
  try {
    const { isFile, size, ino, dev } = await file.stat();
    if (!isFile) throw new Error("it is not a regular file");
    if (!await file.tryLock(true)) throw new Error("another service writes it");
    return {
      file,
      size,
      ino,
      dev,
      isTorn: size > 0 && !await endsLine(file, size),
      mayExceed: false,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A service that was killed can have left a part of a line. */
async function endsLine(file: Deno.FsFile, size: number): Promise<boolean> {
  const last = new Uint8Array(1);
  await file.seek(size - 1, Deno.SeekMode.Start);
  await file.read(last);
  return last[0] === 0x0a;
}

/** All of it, or nothing: what a full disk has taken is taken back. */
async function append(open: OpenFile, lines: Uint8Array): Promise<void> {
  const { file } = open;
  if (open.mayExceed) await takeBack(open);
  try {
    if (open.isTorn) await writeAll(file, new Uint8Array([0x0a]));
    open.size += open.isTorn ? 1 : 0;
    open.isTorn = false;
    await writeAll(file, lines);
    open.size += lines.length;
  } catch (error) {
    await file.truncate(open.size).catch(() => open.mayExceed = true);
    throw error;
  }
}

/** A file that can only be appended to keeps it. */
async function takeBack(open: OpenFile): Promise<void> {
  const { size } = await open.file.stat();
  if (size > open.size) {
    await open.file.truncate(open.size).catch(() => {
      open.size = size;
      open.isTorn = true;
    });
  }
  open.mayExceed = false;
}
