/**
 * What keeps programs from acting: a pause, or the lease of one of them. The whole service has such a gate, and each desk
 * its own. What a program has taken ends with its token.
 */

import { ServiceError } from "../../core/errors.ts";
import { accessOf, type Actor, Revocations } from "../actor.ts";
import { deskNamed } from "../on_desk.ts";
import type { Session } from "../session.ts";
import type { Lease, Pause } from "./state.ts";

interface GateOptions {
  /** Absent for the whole service. */
  readonly desk?: string;
  readonly session: Session;
  /** Called after each change. */
  changed(): void;
}

export interface WantedLease {
  readonly seconds: number;
  /** Of the lease to renew. */
  readonly id?: string;
}

/** The whole service, and by name the desks of which something was paused or leased. */
export class Gates implements Disposable {
  readonly service: Gate;
  readonly #desks = new Map<string, Gate>();

  /** @param changed is called after each change: of the service, or of a desk */
  constructor(
    private readonly session: Session,
    private readonly changed: (desk?: string) => void,
  ) {
    this.service = new Gate({ session, changed: () => changed() });
  }

  get all(): readonly Gate[] {
    return [this.service, ...this.#desks.values()];
  }

  of(desk: string | undefined): Gate | undefined {
    return desk === undefined ? this.service : this.#desks.get(desk);
  }

  /** The one that a lease closes. @param desk the only one where it is looked for */
  leased(id: string | undefined, desk: string | undefined): Gate | undefined {
    if (id === undefined) return undefined;
    const gates = desk === undefined ? this.all : [this.#desks.get(desk)];
    return gates.find((gate) => gate?.lease?.id === id);
  }

  /** The lease that leaves no room for one of this gate: its own, that of a desk, or that of the whole service. */
  conflictingLease(gate: Gate): Lease | undefined {
    const others = gate === this.service ? this.all : [this.service, gate];
    return others.find(({ lease }) => lease !== undefined)?.lease;
  }

  /** What is paused or leased there ends with the desk. @throws ServiceError `not_found` */
  open(desk: string | undefined): Gate {
    const known = this.of(desk);
    if (known !== undefined || desk === undefined) return known ?? this.service;
    const { session } = this;
    const { running } = deskNamed(session, desk);
    const gate = new Gate({ desk, session, changed: () => this.changed(desk) });
    running.add({
      end: () => {
        this.#desks.delete(desk);
        gate[Symbol.dispose]();
        this.changed(desk);
      },
    });
    this.#desks.set(desk, gate);
    return gate;
  }

  [Symbol.dispose](): void {
    for (const gate of this.all) gate[Symbol.dispose]();
  }
}

class Gate implements Disposable {
  #pause: Pause | undefined;
  /** While a person uses the computer's own mouse or keyboard: beside what is paused and leased. */
  #use: Pause | undefined;
  #lease: Lease | undefined;
  #changed = new Date();

  constructor(private readonly options: GateOptions) {}

  get desk(): string | undefined {
    return this.options.desk;
  }

  /** When it was opened or closed last. */
  get changed(): Date {
    return this.#changed;
  }

  get paused(): Pause | undefined {
    return this.#pause ?? this.#use;
  }

  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** Whether a program may not act here. */
  refuses(program: Actor): boolean {
    const isOpen = this.paused === undefined &&
      (this.#lease === undefined || program.lease === this.#lease.id);
    return !isOpen;
  }

  /** `false` where it is paused already; what a person has paused stays so. */
  pause(by: Actor, reason?: string): boolean {
    if (this.#pause !== undefined && (by.kind === "program" || this.#pause.by.kind === "person")) {
      return false;
    }
    const following = this.#follow(by, () => this.#setPause(undefined));
    this.#setPause({ ...this.#named, by, since: new Date(), reason, following });
    return true;
  }

  resume(): void {
    this.#setPause(undefined);
  }

  /** `false` where nothing changes. */
  setUse(use: Pause | undefined): boolean {
    if (use === this.#use) return false;
    this.#use = use;
    this.#noteChange();
    return true;
  }

  /** @throws ServiceError `conflict` where the lease to renew has ended */
  take(by: Actor, { seconds, id }: WantedLease): Lease {
    const before = this.#lease;
    if (id !== undefined && before?.id !== id) {
      const message = "There is no such lease, or it has ended: take a new one";
      throw new ServiceError("conflict", message);
    }
    const ms = seconds * 1_000;
    const lease: Lease = {
      ...this.#named,
      id: before?.id ?? crypto.randomUUID(),
      by,
      since: before?.since ?? new Date(),
      end: performance.now() + ms,
      until: new Date(Date.now() + ms),
      following: this.#follow(by, () => this.endLease()),
    };
    this.#setLease(lease);
    return lease;
  }

  endLease(): void {
    this.#setLease(undefined);
  }

  [Symbol.dispose](): void {
    this.#pause?.following?.[Symbol.dispose]();
    this.#lease?.following?.[Symbol.dispose]();
  }

  get #named(): { readonly desk?: string } {
    const { desk } = this.options;
    return desk === undefined ? {} : { desk };
  }

  #setPause(pause: Pause | undefined): void {
    this.#pause?.following?.[Symbol.dispose]();
    this.#pause = pause;
    this.#noteChange();
  }

  #setLease(lease: Lease | undefined): void {
    this.#lease?.following?.[Symbol.dispose]();
    this.#lease = lease;
    this.#noteChange();
  }

  #noteChange(): void {
    this.#changed = new Date();
    this.options.changed();
  }

  /** What a person has paused stays so: another one resumes it. */
  #follow(by: Actor, ended: () => void): Disposable | undefined {
    if (by.kind === "person") return undefined;
    return this.options.session.use(Revocations).on(accessOf(by), ended);
  }
}
