/** Everything that one command started: who of it lives, and signals for it and for nothing else. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";

/** A living process of a session; `startedAt` tells it from a later one with the same number. */
export interface Member {
  readonly pid: number;
  /** Its process group: a job of a shell with job control has one of its own. */
  readonly group: number;
  readonly session: number;
  readonly startedAt: string;
}

/** Looks into the process table, where the system lets us. */
export interface ProcessTable {
  /** The living processes of a session. */
  listMembers(session: number): Promise<readonly Member[]>;
  /** Whether it lives, and still in that session. */
  isAlive(member: Member): Promise<boolean>;
}

/** How often a group that outlived its shell is looked at: at first, and at last. */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 500;

/** In this time no number is given away, used for a session and left by its leader again. */
const FRESH_MS = 1_000;

export class ProcessGroup {
  #shellAlive = true;
  #known: readonly Member[] = [];
  /** When the shell or a member was last seen alive. */
  #seenAt = 0;
  #lookMs = FIRST_LOOK_MS;
  #lookNow: (() => void) | undefined;

  /** `shell` resolves when the first process of the group has ended. */
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
   * Whether the shell or a member lives. `outputOpen` says that somebody still holds the pipe, who
   * may be in another group of the session.
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

  /** Resolves when nobody lives; looks rarely, for the system tells nobody but a parent. */
  async gone(): Promise<void> {
    while (await this.isAlive({ outputOpen: true })) {
      const woken = Promise.withResolvers<void>();
      this.#lookNow = woken.resolve;
      await within(woken.promise, this.#lookMs);
      this.#lookMs = Math.min(this.#lookMs * 1.5, LAST_LOOK_MS);
    }
  }

  /** Somebody may have ended: look at once, and often for a while. */
  hurry(): void {
    this.#lookMs = FIRST_LOOK_MS;
    this.#lookNow?.();
  }

  /**
   * Signals every living member.
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

  /** The members; none when the number may have been given to a stranger's session. */
  async #look(table: ProcessTable): Promise<readonly Member[]> {
    const members = await table.listMembers(this.pid);
    if (members.length > 0 && !this.#areOurs(members)) return this.#known = [];
    this.#seenAt = performance.now();
    return this.#known = members;
  }

  #areOurs(members: readonly Member[]): boolean {
    if (this.#shellAlive) return true;
    if (members.some((member) => member.pid === this.pid)) return false; // a stranger leads it
    if (performance.now() - this.#seenAt < FRESH_MS) return true;
    return members.some((member) => this.#known.some((known) => isSame(member, known)));
  }

  #signalGroup(group: number, signal: Deno.Signal): Sent {
    const sent = send(-group, signal);
    if (sent === "sent" && signal === "SIGTERM") send(-group, "SIGCONT"); // a stopped one is deaf
    if (sent !== "nobody" || group !== this.pid || !this.#shellAlive) return sent;
    // In the first moment of its life the shell is not yet in the group that it makes.
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

/** Whether the group has any process, be it one that has ended and is not yet collected. */
function groupAnswers(group: number): boolean {
  return send(-group, 0) !== "nobody";
}
