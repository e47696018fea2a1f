/** The processes that one command started: finds those that still run, and signals only them. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";

/**
 * A running process of a session; `startedAt` distinguishes it from a later one with the same pid.
 */
export interface Member {
  readonly pid: number;
  /** The process group: a shell with job control gives each job its own. */
  readonly group: number;
  readonly session: number;
  readonly startedAt: string;
}

/** Reads the process table, where the system permits it. */
export interface ProcessTable {
  /** The running processes of a session. */
  listMembers(session: number): Promise<readonly Member[]>;
  /** Whether the process still runs and is still in that session. */
  isAlive(member: Member): Promise<boolean>;
}

/** First and longest interval between checks of a group that outlived its shell. */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 500;

/** In less time than this no pid is reused, made a session and left by its leader again. */
const FRESH_MS = 1_000;

export class ProcessGroup {
  #shellAlive = true;
  #known: readonly Member[] = [];
  /** When the shell or a member was last seen running. */
  #seenAt = 0;
  #lookMs = FIRST_LOOK_MS;
  #lookNow: (() => void) | undefined;

  /** @param shell resolves when the first process of the group has ended */
  constructor(
    readonly pid: number,
    shell: Promise<unknown>,
    private readonly table: ProcessTable | undefined,
  ) {
    shell.then(() => {
      this.#shellAlive = false;
      this.#seenAt = performance.now();
    });
  }

  /**
   * Whether the shell or a member still runs. `outputOpen` means that a process still holds the
   * output pipe, possibly in another group of the session.
   */
  async isAlive({ outputOpen }: { readonly outputOpen: boolean }): Promise<boolean> {
    if (this.#shellAlive) return true;
    const answers = groupAnswers(this.pid);
    if (this.table === undefined) return answers;
    if (!answers && !outputOpen && this.#known.length === 0) return false;
    for (const member of this.#known) if (await this.table.isAlive(member)) return true;
    await this.#look(this.table);
    return this.#known.length > 0;
  }

  /** Whether a running process is a member; without a process table only the first one is known. */
  async holds(pid: number): Promise<boolean> {
    if (pid === this.pid) return this.#shellAlive;
    if (this.table === undefined) return false;
    return (await this.#look(this.table)).some((member) => member.pid === pid);
  }

  /**
   * Resolves when all have ended. Polls, at growing intervals, because the system reports an end
   * only to the parent.
   */
  async gone(): Promise<void> {
    while (await this.isAlive({ outputOpen: true })) {
      const woken = Promise.withResolvers<void>();
      this.#lookNow = woken.resolve;
      await within(woken.promise, this.#lookMs);
      this.#lookMs = Math.min(this.#lookMs * 1.5, LAST_LOOK_MS);
    }
  }

  /** Call it when a process may have ended: checks immediately, then at short intervals again. */
  hurry(): void {
    this.#lookMs = FIRST_LOOK_MS;
    this.#lookNow?.();
  }

  /**
   * Signals every running member.
   * @throws ServiceError `permission_denied`: all of them belong to another user.
   */
  async signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const groups = await this.#livingGroups();
    const sent = groups.map((group) => this.#signalGroup(group, signal));
    this.hurry();
    if (sent.length === 0 || sent.some((each) => each !== "refused")) return;
    throw new ServiceError(
      "permission_denied",
      `Cannot end process ${this.pid}: it belongs to another user`,
    );
  }

  async #livingGroups(): Promise<readonly number[]> {
    const members = this.table === undefined ? [] : await this.#look(this.table);
    const groups = new Set(members.map((member) => member.group));
    const ownLives = this.#shellAlive || (this.table === undefined && groupAnswers(this.pid));
    if (ownLives) groups.add(this.pid);
    return [...groups];
  }

  /** The members; empty when the number may since belong to an unrelated session. */
  async #look(table: ProcessTable): Promise<readonly Member[]> {
    const members = await table.listMembers(this.pid);
    if (members.length > 0 && !this.#areOurs(members)) return this.#known = [];
    this.#seenAt = performance.now();
    return this.#known = members;
  }

  #areOurs(members: readonly Member[]): boolean {
    if (this.#shellAlive) return true;
    // an unrelated process leads it
    if (members.some((member) => member.pid === this.pid)) return false;
    if (performance.now() - this.#seenAt < FRESH_MS) return true;
    return members.some((member) => this.#known.some((known) => isSame(member, known)));
  }

  #signalGroup(group: number, signal: Deno.Signal): Sent {
    const sent = send(-group, signal);
    // a stopped process handles it only once it continues
    if (sent === "sent" && signal === "SIGTERM") send(-group, "SIGCONT");
    if (sent !== "nobody" || group !== this.pid || !this.#shellAlive) return sent;
    // A shell that has only just started may not yet be in the group that it creates.
    return send(this.pid, signal);
  }
}

function isSame(one: Member, other: Member): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt;
}

type Sent = "sent" | "nobody" | "refused";

function send(target: number, signal: Deno.Signal | 0): Sent {
  try {
    Deno.kill(target, signal);
    return "sent";
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied ? "refused" : "nobody";
  }
}

/** Whether the group contains any process, even a zombie. */
function groupAnswers(group: number): boolean {
  return send(-group, 0) !== "nobody";
}
