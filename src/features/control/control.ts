/**
 * Who may act: programs, as always; a person who has taken over, alone; nobody's programs while it is
 * paused; or the one program that has a lease. A person has all of the service; a pause and a lease are
 * of all of it, or of one desk. Every operation passes here before it runs. What runs when its caller
 * may no longer act is ended, and is not answered.
 */

import { within } from "../../core/deadline.ts";
import { hasCode, ServiceError, Stopping } from "../../core/errors.ts";
import { addMember } from "../../core/shared_run.ts";
import { accessOf, type Actor, Revocations } from "../actor.ts";
import type { Context } from "../context.ts";
import { Curtain } from "../curtain.ts";
import { checkBound, findDesk } from "../on_desk.ts";
import { DisplaySessions } from "../input/display_sessions.ts";
import type { Session } from "../session.ts";
import { checkScope, requireGroup } from "../permissions.ts";
import { Approvals } from "./approvals.ts";
import { HelpRequests } from "./help_requests.ts";
import { type ControlledOperation, Passage } from "./passage.ts";
import { Gates, type WantedLease } from "./gates.ts";
import { WARNING_MS } from "./person_times.ts";
import {
  type ControlState,
  describeLease,
  describeState,
  endOf,
  type Holders,
  type Lease,
  lockedFor,
  type Pause,
  type PersonInControl,
} from "./state.ts";

/** How long a change waits for keys and buttons to be up, and for operations that have been ended. */
const RELEASE_TIMEOUT_MS = 5_000;
const DRAIN_TIMEOUT_MS = 1_000;

const NOTICE = "display changed: take a new picture";
/** The most programs that are remembered as notified. */
const MAX_NOTIFIED = 1_000;

/** Of the operation that enters. */
export type EnteringContext = Pick<Context, "actor" | "config" | "session" | "signal">;

export class Control implements Disposable {
  static readonly ofService = true;
  readonly help = new HelpRequests(() => this.#notify());
  /** Closed while a person has control. */
  readonly #curtain: Curtain;
  #person: PersonInControl | undefined;
  readonly #gates: Gates;
  #changed = new Date();
  /** Operations that end when their caller may no longer act. */
  readonly #running = new Set<Passage>();
  readonly #listeners = new Set<(state: ControlState, desk?: string) => void>();
  readonly #handingBack = new Set<() => Promise<void>>();
  /** Programs that know of the last hand-back; `undefined` before the first. */
  #notified: Set<string> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #approvals: Approvals | undefined;
  /** Until who has taken over last may begin. */
  #releasing: Promise<void> | undefined;
  #hasEnded = false;
  #stopping: Stopping | undefined;

  constructor(private readonly session: Session) {
    this.#curtain = session.use(Curtain);
    this.#gates = new Gates(session, (desk) => this.#apply(desk));
    session.use(Revocations).onEach((id) => this.#accessEnded(id));
  }

  /**
   * Lets an operation begin, or refuses it at once; one that needs approval waits for that, and one
   * of a person until the take-over is complete, which would release what it presses. Dispose the
   * passage when nothing of the operation runs any more and its answer is sent.
   * @param input its checked fields
   * @throws ServiceError `locked` while somebody else has control; `forbidden` without the scope,
   * where another group that it uses is disabled, or when a person refuses; `unavailable` when too many
   * wait
   */
  enter(
    operation: ControlledOperation,
    context: EnteringContext,
    input: unknown,
  ): Passage | Promise<Passage> {
    const { actor } = context;
    if (actor.scopes !== undefined) checkScope(operation, actor);
    if (actor.desk !== undefined) checkBound(operation, actor);
    for (const group of operation.uses?.(input) ?? []) requireGroup(context, group);
    if (isAlwaysOpen(operation, actor)) return new Passage(operation, actor);
    const desk = deskOf(operation, context, input);
    const refusal = this.refusalOf(actor, operation, desk);
    if (refusal !== undefined) throw refusal;
    if (this.#person !== undefined && !operation.readOnly) {
      this.noteActivity(actor);
      const releasing = this.#releasing;
      if (releasing !== undefined) {
        return releasing.then(() => this.enter(operation, context, input));
      }
    }
    const passage = new Passage(operation, actor, this.#running, desk);
    const approvals = this.#approvals;
    if (!approvals?.needs(operation, actor, input)) return passage;
    const asking = approvals.ask(passage, context, input);
    const running = desk === undefined ? undefined : this.session.desks.get(desk)?.running;
    if (running === undefined) return asking;
    running.add(passage); // it ends with the desk
    return asking.finally(() => running.delete(passage));
  }

  /**
   * The service stops: what runs may finish until `end` is called, which ends the rest.
   */
  beginStop(): { readonly end: () => void } {
    const stopping = this.#stopping ??= new Stopping();
    return {
      end: () => {
        for (const passage of this.#running) passage.end(stopping);
      },
    };
  }

  /** The error to report: while the service stops, a display may go that others have ended with it. */
  reported(error: unknown): unknown {
    return this.#stopping !== undefined && hasCode(error, "unavailable") ? this.#stopping : error;
  }

  /** What waits until a person allows it, where anything does. */
  get approvals(): Approvals | undefined {
    return this.#approvals;
  }

  /**
   * Makes operations wait.
   * @param names as `--approve` has them
   * @param hasOtherPerson whether another token than this one makes a person
   */
  requireApproval(names: ReadonlySet<string>, hasOtherPerson?: (token: string) => boolean): void {
    if (names.size === 0) return;
    this.#approvals ??= new Approvals(names);
    if (hasOtherPerson !== undefined) this.#approvals.hasOtherPerson = hasOtherPerson;
  }

  /** What the first answer says that a program gets after a person has handed back; once for each. */
  takeNotice(operation: ControlledOperation, { id, kind }: Actor): string | undefined {
    const notified = this.#notified;
    if (notified === undefined || kind === "person" || notified.has(id)) return undefined;
    if (operation.group === "control" || operation.group === "system") return undefined;
    const [oldest] = notified;
    if (notified.size >= MAX_NOTIFIED) notified.delete(oldest!);
    notified.add(id);
    return NOTICE;
  }

  /** Whether a request must name a lease. */
  get isLeased(): boolean {
    return this.#gates.all.some(({ lease }) => lease !== undefined);
  }

  get state(): ControlState {
    return this.stateOf(undefined);
  }

  /** That of the service, or on one desk. */
  stateOf(desk: string | undefined): ControlState {
    return this.#describe(this.#holdersOf(desk), desk);
  }

  /** What is paused or leased on desks alone, by their names. */
  get deskStates(): ReadonlyMap<string, ControlState> {
    const desks = this.#gates.all.flatMap(({ desk }) => desk === undefined ? [] : [desk]);
    return new Map(desks.map((desk) => [desk, this.#ownState(desk)]));
  }

  /**
   * Calls `listener`, which must not throw, with each new state: that of the service, or what is paused
   * or leased on one desk alone.
   */
  onChange(listener: (state: ControlState, desk?: string) => void): Disposable {
    return addMember(this.#listeners, listener);
  }

  /**
   * Why an actor may not act now, or look at anything; `undefined` if it may.
   * @param desk on which; absent for all that is on no desk
   */
  refusalOf(
    actor: Actor,
    operation?: ControlledOperation,
    desk?: string,
  ): ServiceError | undefined {
    if (this.#person !== undefined) {
      return this.#controlOf(actor) === undefined ? lockedFor(this.#holdersOf(desk)) : undefined;
    }
    if (actor.kind === "person" || operation?.id === RELEASE_ALL) return undefined;
    const isOpen = !this.#gates.service.refuses(actor) &&
      this.#gates.of(desk)?.refuses(actor) !== true;
    return isOpen ? undefined : lockedFor(this.#holdersOf(desk));
  }

  /**
   * Why the live picture is not for somebody now: persons always watch, and so does who has a link of
   * one; others while they may look at anything.
   */
  refusalToWatch(actor: Actor, desk?: string): ServiceError | undefined {
    const isPersons = (actor.watchOnly?.by ?? actor.kind) === "person";
    return isPersons ? undefined : this.refusalOf(actor, undefined, desk);
  }

  // A person.

  /**
   * Gives a person control, also if another person has it: from now on all others are refused, and
   * what they run is ended. Resolves when nothing is pressed any more.
   * @throws ServiceError `locked` when another person has taken over meanwhile
   */
  async takeOver(person: Actor): Promise<void> {
    if (person.kind !== "person") throw new TypeError("A program takes a lease instead");
    if (this.#controlOf(person) !== undefined) {
      this.noteActivity(person);
      return await this.#releasing;
    }
    const now = performance.now();
    const own: PersonInControl = {
      person,
      since: new Date(),
      began: now,
      active: now,
      left: undefined,
      isWarned: false,
      isEnding: false,
    };
    this.#person = own;
    this.#curtain.close();
    this.#apply();
    const releasing: Promise<void> = this.#releasing = this.#release().finally(() => {
      if (this.#releasing === releasing) this.#releasing = undefined;
    });
    await releasing;
    if (this.#person === own) return;
    throw new ServiceError("locked", "Control has been taken or handed back in the meantime");
  }

  /**
   * Ends a person's control once nothing is pressed any more; programs may act after that. `false`
   * if the person does not have it.
   * @param reason what the person says to the programs that asked for help
   */
  async handBack(person: Actor, reason?: string): Promise<boolean> {
    const own = this.#controlOf(person);
    if (own !== undefined) await this.#endControl(own, reason);
    return own !== undefined;
  }

  /** From now on `tidy` is called at each hand-back, and has some seconds before programs may act. */
  onHandBack(tidy: () => Promise<void>): void {
    this.#handingBack.add(tidy);
  }

  /** The person has done something: control does not end for being idle. */
  noteActivity(person: Actor): void {
    const own = this.#controlOf(person);
    if (own === undefined) return;
    own.active = performance.now();
    if (!own.isWarned || own.active >= endOf(own) - WARNING_MS) return;
    own.isWarned = false;
    this.#schedule();
    this.#notify();
  }

  /** The last page of the person is gone: control ends soon, unless one comes back. */
  personLeft(person: Actor): void {
    const own = this.#controlOf(person);
    if (own === undefined) return;
    own.left ??= performance.now();
    this.#schedule();
  }

  personReturned(person: Actor): void {
    const own = this.#controlOf(person);
    if (own === undefined) return;
    own.left = undefined;
    this.noteActivity(person);
  }

  /** A token is revoked or over: with it ends what its person has. */
  #accessEnded(id: string): void {
    const own = this.#person;
    if (own !== undefined && !own.isEnding && accessOf(own.person) === id) {
      void this.#endControl(own);
    }
  }

  // Programs. What one has taken ends with its token.

  /** Refuses every program until {@link resume}; resolves when nothing is pressed any more. */
  async pause(by: Actor, reason?: string, desk?: string): Promise<void> {
    if (!this.#gates.open(desk).pause(by, reason)) return;
    if (this.#person === undefined) await this.#release(desk);
  }

  /** @throws ServiceError `locked` for a program when a person has paused, or is at the computer */
  resume(by: Actor, desk?: string): void {
    const gate = this.#gates.of(desk);
    if (gate?.paused === undefined) return;
    if (by.kind === "program" && gate.paused.by.kind === "person") {
      throw lockedFor(this.#holdersOf(desk));
    }
    if (by.kind === "person" && desk === undefined) this.#setUse(undefined);
    gate.resume();
  }

  /**
   * Refuses every program while a person uses the computer's own mouse or keyboard; `undefined` when
   * that is over. What is paused or leased stays so. Resolves when nothing is pressed any more.
   */
  async pauseForUse(use: Pause | undefined): Promise<void> {
    this.#setUse(use);
    if (use !== undefined && this.#person === undefined) await this.#release();
  }

  /**
   * Lets one program act alone for a time, or renews its lease: in all of the service, or on one desk.
   * @throws ServiceError `locked` while a person has control, or it is paused; `conflict` while it, a
   * part of it or what it is a part of is leased, or where the lease to renew has ended; `not_found`
   * where there is no such desk
   */
  lease(by: Actor, wanted: WantedLease, desk?: string): Lease {
    const { id } = wanted;
    const gate = this.#gates.leased(id, desk) ?? this.#gates.open(desk);
    const holders = this.#holdersOf(gate.desk);
    if (holders.person !== undefined || holders.pause !== undefined) throw lockedFor(holders);
    const lease = id === undefined ? this.#gates.conflictingLease(gate) : undefined;
    if (lease === undefined) return gate.take(by, wanted);
    throw new ServiceError("conflict", `${describeLease(lease)}: ${LEASE_ADVICE}`);
  }

  /**
   * @param id of the lease; else that by which a program acts, and for a person whichever there is
   * @throws ServiceError `not_found` where the lease has ended
   */
  releaseLease(by: Actor, id = by.lease, desk?: string): void {
    const isAny = by.kind === "person" && id === undefined;
    const gate = isAny ? this.#gates.of(desk) : this.#gates.leased(id, desk);
    if (gate?.lease === undefined) {
      throw new ServiceError("not_found", "There is no such lease, or it has ended");
    }
    gate.endLease();
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#gates[Symbol.dispose]();
    this.help[Symbol.dispose]();
    this.#approvals?.[Symbol.dispose]();
    this.#listeners.clear();
  }

  /** A pause and a lease of the whole service come before those of a desk. */
  #holdersOf(desk: string | undefined): Holders {
    const own = this.#gates.of(desk);
    const { paused, lease } = this.#gates.service;
    return { person: this.#person, pause: paused ?? own?.paused, lease: lease ?? own?.lease };
  }

  /** What a person has, until it begins to be handed back. */
  #controlOf({ kind, id }: Actor): PersonInControl | undefined {
    const own = this.#person;
    const has = own !== undefined && !own.isEnding && kind === "person" && own.person.id === id;
    return has ? own : undefined;
  }

  #setUse(use: Pause | undefined): void {
    const isChanged = this.#gates.service.setUse(use);
    if (isChanged && use === undefined) this.#notified = new Set(); // the person has changed the display
  }

  /** Ends what may no longer run, after a change of the service, or of a desk. */
  #apply(desk?: string): void {
    if (desk === undefined) this.#changed = new Date();
    for (const passage of this.#running) {
      const refusal = this.refusalOf(passage.actor, passage.operation, passage.desk);
      if (refusal !== undefined) passage.end(refusal);
    }
    this.#schedule();
    this.#notify(desk);
  }

  /** Resolves when nothing is pressed any more. A display that does not respond holds up nobody. */
  async #release(desk?: string): Promise<void> {
    const ended = [...this.#running].filter(({ over }) => over !== undefined);
    const drained = Promise.all(ended.map(({ left }) => left));
    const { desks } = this.session;
    const all = desk === undefined
      ? [this.session, ...[...desks.values()].map(({ session }) => session)]
      : [desks.get(desk)?.session].filter((session) => session !== undefined);
    const released = Promise.all(
      all.map((each) => each.use(DisplaySessions).releaseAll().catch(() => {})),
    );
    await Promise.all([within(drained, DRAIN_TIMEOUT_MS), within(released, RELEASE_TIMEOUT_MS)]);
  }

  /** Nobody may act while what the person holds is released, and what the person leaves is tidied up. */
  async #endControl(own: PersonInControl, reason?: string): Promise<void> {
    own.isEnding = true;
    this.#apply();
    await this.#release();
    const tidying = [...this.#handingBack].map((tidy) => tidy().catch(() => {}));
    await within(Promise.all(tidying), RELEASE_TIMEOUT_MS);
    if (this.#person !== own) return; // another person has taken over meanwhile
    this.#person = undefined;
    this.#notified = new Set();
    this.#curtain.open();
    this.help.handedBack(own.person, reason);
    this.#apply();
  }

  #describe(holders: Holders, desk: string | undefined): ControlState {
    const own = desk === undefined ? undefined : this.#gates.of(desk)?.changed;
    const changed = own === undefined || own < this.#changed ? this.#changed : own;
    return describeState(holders, { changed, help: this.help.list() });
  }

  #ownState(desk: string): ControlState {
    const { paused: pause, lease } = this.#gates.of(desk) ?? {};
    return this.#describe({ person: undefined, pause, lease }, desk);
  }

  #notify(desk?: string): void {
    if (this.#listeners.size === 0) return;
    const state = desk === undefined ? this.state : this.#ownState(desk);
    for (const listener of [...this.#listeners]) listener(state, desk);
  }

  // One timer, for whatever is next: the warning, the end of a person's control, that of a lease.

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const own = this.#person;
    const end = own === undefined || own.isEnding ? Infinity : endOf(own);
    const next = Math.min(
      own?.isWarned ? end : end - WARNING_MS,
      end,
      ...this.#gates.all.map(({ lease }) => lease?.end ?? Infinity),
    );
    if (next === Infinity || this.#hasEnded) return;
    const ms = Math.max(0, Math.ceil(next - performance.now()));
    this.#timer = setTimeout(() => this.#tick(), ms);
  }

  #tick(): void {
    const now = performance.now();
    for (const gate of this.#gates.all) {
      if (gate.lease !== undefined && now >= gate.lease.end) gate.endLease();
    }
    const own = this.#person;
    if (own === undefined || own.isEnding) return this.#schedule();
    const end = endOf(own);
    if (now >= end) return void this.#endControl(own);
    if (!own.isWarned && now >= end - WARNING_MS) {
      own.isWarned = true;
      this.#notify();
    }
    this.#schedule();
  }
}

const LEASE_ADVICE = "try again then or when it is released, or renew it by its id";
const RELEASE_ALL = "releaseAll";
const DELETE_DESK = "deleteDesk";
/** A link shows what its maker may see now. */
const CREATE_LINK = "createLink";

/** What tells how things are, and what asks for control. */
function isAlwaysOpen({ id, group, readOnly }: ControlledOperation, { kind }: Actor): boolean {
  if (group === "trail") return readOnly;
  if (group === "control") return kind === "person" || id !== CREATE_LINK;
  return group === "system" && id !== RELEASE_ALL;
}

/** The desk on which an operation acts: to delete one does, too. */
function deskOf(
  operation: ControlledOperation,
  context: EnteringContext,
  input: unknown,
): string | undefined {
  if (operation.id === DELETE_DESK) return (input as { readonly name: string }).name;
  return findDesk(operation, context, input)?.name;
}
