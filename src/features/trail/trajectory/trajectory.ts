/**
 * One trajectory: the operations on a display as steps, with what there was to see before and after
 * each. An operation waits until that is seen, for four seconds at most.
 */

import { within } from "../../../core/deadline.ts";
import { shortOrMark } from "../../../core/texts.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Display } from "../../../platform/types/mod.ts";
import { redactAll } from "../../browser/in_browser.ts";
import { callName } from "../../call_names.ts";
import { type Context, innerContext } from "../../context.ts";
import { Curtain } from "../../curtain.ts";
import {
  type CalledNote,
  isMadeOfOthers,
  type NotedCall,
  type NotedCaller,
} from "../../session.ts";
import { screenKey } from "../../recording/masks.ts";
import {
  type CallObserver,
  codeOf,
  type EffectAnswer,
  effectOf,
  OperationLog,
  visibleFields,
} from "../operation_log.ts";
import { keptFields, withoutKeys } from "./kept_fields.ts";
import { FOCUSED, type Look, Looker, type Where } from "./looker.ts";
import type { KeptStep, KeptTrajectory, Seen, StartInput, TrailInfo } from "./step.ts";
import { describeTargets, displayOf, type Fields, takeAim } from "./targets.ts";

export const MAX_STEPS = 1_000;
/** Of all pictures, and of all trees: later ones are left out. */
const MAX_PICTURE_BYTES = 128 * 1024 * 1024;
const MAX_TREE_CHARS = 32 * 1024 * 1024;
/** How long an operation waits for what there is before it: some programs take a second to report. */
const BEFORE_TIMEOUT_MS = 4_000;
/** Until programs have drawn what an operation did, unless the next one begins before. */
const AFTER_MS = 500;
/** How long the end of a trajectory waits for what is still seen. */
const CLOSE_TIMEOUT_MS = 5_000;

/** What is no step: who may act, the service itself, and what only looks. */
const LEFT_OUT: ReadonlySet<string> = new Set(["control", "system", "recording", "trail"]);
const WAITS: ReadonlySet<string> = new Set(["display.wait", "browser.wait"]);

export interface TrajectoryOptions extends StartInput {
  readonly id: string;
  /** All by which operations may name the display. */
  readonly numbers: ReadonlySet<number>;
}

export class Trajectory implements CallObserver {
  readonly #began = Date.now();
  readonly #looker: Looker;
  readonly #steps: KeptStep[] = [];
  /** Operations that have not ended. */
  readonly #running = new Set<Promise<unknown>>();
  /** What is still seen. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #observing: Disposable;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #sizes = { pictures: 0, trees: 0 };
  readonly #known = new WeakSet<Uint8Array>();
  readonly #dropped = { steps: 0, pictures: 0, trees: 0 };
  #endedBy: TrailInfo["ended_by"] = null;
  #endedAt: number | undefined;
  #lastEnd = Date.now();
  /** Gives the step before what there is to see when the next one begins. */
  #seeNext: ((look: Promise<Look>) => void) | undefined;

  /** @param context its signal aborts with the service */
  constructor(
    private readonly context: Context,
    readonly options: TrajectoryOptions,
    private readonly display: Display,
  ) {
    this.#looker = new Looker(context, display, options);
    this.#observing = context.session.use(OperationLog).observe(this);
    this.#timer = setTimeout(() => void this.end("time"), 1_000 * options.max_seconds);
    Deno.unrefTimer(this.#timer);
  }

  get id(): string {
    return this.options.id;
  }

  get stepCount(): number {
    return this.#steps.length;
  }

  /** What the pictures and trees take, in bytes and characters. */
  get size(): number {
    return this.#sizes.pictures + this.#sizes.trees;
  }

  get info(): TrailInfo {
    const { id, display_num, texts, pictures, trees } = this.options;
    const { width, height } = this.display.size;
    return {
      format: 1,
      id,
      started_at: new Date(this.#began).toISOString(),
      ended_at: new Date(this.#endedAt ?? Date.now()).toISOString(),
      ended_by: this.#endedBy,
      display_num,
      size: { width, height },
      texts,
      pictures,
      trees,
      dropped: { ...this.#dropped },
    };
  }

  /** All that has happened by now. */
  async kept(): Promise<KeptTrajectory> {
    await this.#settled();
    const steps = this.options.texts ? [...this.#steps] : this.#steps.map(withoutKeys);
    return { info: this.info, steps };
  }

  /** Only the first reason counts; resolves when everything is seen. */
  async end(by: NonNullable<TrailInfo["ended_by"]>): Promise<void> {
    if (this.#endedBy === null) {
      this.#endedBy = by;
      this.#endedAt = Date.now();
      this.#observing[Symbol.dispose]();
      clearTimeout(this.#timer);
    }
    await this.#settled();
    this.#looker[Symbol.dispose]();
  }

  begin(
    _id: number,
    operation: CalledNote,
    input: unknown,
    caller: NotedCaller,
  ): NotedCall | undefined {
    const fields = (input ?? {}) as Fields;
    if (this.#endedBy !== null || !this.#isStep(operation, fields, caller)) return undefined;
    if (this.#steps.length >= MAX_STEPS) {
      this.#dropped.steps++;
      void this.end("steps");
      return undefined;
    }
    const step = this.#addStep(operation, fields, caller);
    const called = { group: operation.group, fields };
    const began = performance.now();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#running.add(done);
    return {
      prepare: async () => {
        const late = new AbortController();
        const preparing = this.#follow(this.#prepare(step, called, late.signal));
        if (!await within(preparing, BEFORE_TIMEOUT_MS)) late.abort();
      },
      end: (error, answer) => {
        step.outcome = error === undefined ? "done" : codeOf(error);
        step.duration_ms = Math.round((performance.now() - began) * 10) / 10;
        this.#lastEnd = Date.now();
        this.#follow(this.#finish(step, answer));
        this.#running.delete(done);
        finish();
      },
    };
  }

  #isStep(operation: CalledNote, fields: Fields, { actor, isPart, desk }: NotedCaller): boolean {
    if (desk?.name !== this.context.session.desk?.name) return false;
    if (isPart || isMadeOfOthers(operation) || LEFT_OUT.has(operation.group)) return false;
    if (operation.readOnly && !WAITS.has(callName(operation))) return false;
    const number = displayOf(fields, this.context.session);
    if (number !== undefined && !this.options.numbers.has(number)) return false;
    // what a person does in control is nobody else's
    return actor.kind === "program" || !this.context.session.use(Curtain).isClosed;
  }

  #addStep(
    operation: CalledNote,
    input: Readonly<Record<string, unknown>>,
    { actor, requestId, desk }: NotedCaller,
  ): KeptStep {
    const { group } = operation;
    const seen = visibleFields(group, input).fields;
    const { texts } = this.options;
    const { fields, omitted } = keptFields(group, input, { texts, seen });
    if (desk !== undefined) fields["desk"] = desk.name; // named by the batch, or by the token
    const now = Date.now();
    const step: KeptStep = {
      number: this.#steps.length + 1,
      request_id: requestId,
      actor: actor.name,
      operation: callName(operation),
      fields: {},
      omitted: [...new Set([...omitted, ...Object.keys(fields)])], // until they are redacted
      started_at: new Date(now).toISOString(),
      duration_ms: 0,
      pause_ms: Math.max(0, now - this.#lastEnd),
      outcome: "running",
      surface: "none",
      targets: {},
      before: {},
      after: {},
    };
    this.#steps.push(step);
    const keeping = redactAll(this.context, fields)
      .then((redacted) => Object.assign(step, { fields: redacted, omitted }));
    this.#follow(keeping);
    return step;
  }

  /** @param late aborts when the operation begins: what is seen from then on may be its effect */
  async #prepare(
    step: KeptStep,
    called: Parameters<typeof takeAim>[0],
    late: AbortSignal,
  ): Promise<void> {
    const looker = this.#looker;
    const aim = await takeAim(called, looker);
    if (aim === undefined) return;
    step.surface = aim.surface;
    step.display_num = this.options.display_num;
    const looking = looker.look(aim.where, late);
    this.#seeNext?.(looking);
    this.#seeNext = undefined;
    const look = await looking;
    if (late.aborted) {
      this.#dropped.pictures += this.options.pictures && look.picture === undefined ? 1 : 0;
      this.#dropped.trees += this.options.trees && look.nodes === undefined ? 1 : 0;
    }
    step.before = this.#keep(look);
    const targets = await describeTargets(aim, look, looker);
    if (!late.aborted) step.targets = targets;
  }

  async #finish(step: KeptStep, answer: unknown): Promise<void> {
    const effect = typeof answer === "object" && answer !== null ? effectOf(answer) : undefined;
    if (effect !== undefined) step.effect = await this.#describeEffect(effect);
    const { pictures, trees } = this.options;
    if (step.surface !== "none" && (pictures || trees)) {
      step.after = this.#keep(await this.#seeAfter(step.surface));
    }
  }

  /** When the next step begins, or when programs have drawn. */
  async #seeAfter(surface: KeptStep["surface"]): Promise<Look> {
    const { promise, resolve } = Promise.withResolvers<Look>();
    this.#seeNext?.(Promise.resolve({}));
    this.#seeNext = resolve;
    if (await within(promise, AFTER_MS, this.context.signal)) return await promise;
    const where: Where = surface === "page" ? { page: undefined } : FOCUSED;
    return await this.#looker.look(where);
  }

  /** Title and names in it are of programs: they are redacted already where they come from. */
  async #describeEffect({ effect, by, reason, window }: EffectAnswer): Promise<EffectAnswer> {
    const said = await redactAll(this.context, { reason, window });
    const { typed } = this.context.session.use(OperationLog);
    const hide = (text: string) => shortOrMark(this.options.texts ? text : typed.hide(text), 1_000);
    return {
      effect,
      by,
      reason: said.reason && hide(said.reason),
      window: said.window && hide(said.window),
    };
  }

  /** As much of it as there is room for. */
  #keep({ picture, tree }: Look): Seen {
    const bytes = picture === undefined || this.#known.has(picture) ? 0 : picture.length;
    const hasRoom = this.#findRoom("pictures", bytes, MAX_PICTURE_BYTES);
    if (picture !== undefined && hasRoom) this.#known.add(picture);
    const hasTreeRoom = this.#findRoom("trees", tree?.length ?? 0, MAX_TREE_CHARS);
    return { picture: hasRoom ? picture : undefined, tree: hasTreeRoom ? tree : undefined };
  }

  #findRoom(kind: "pictures" | "trees", size: number, max: number): boolean {
    const hasRoom = this.#sizes[kind] + size <= max;
    if (hasRoom) this.#sizes[kind] += size;
    else this.#dropped[kind]++;
    return hasRoom;
  }

  /** The end waits for it; what cannot be seen, or redacted, is absent. */
  #follow(work: Promise<unknown>): Promise<void> {
    const following = work.catch(() => {}).then(() => void this.#pending.delete(following));
    this.#pending.add(following);
    return following;
  }

  /** One that runs on is kept as it is. */
  async #settled(): Promise<void> {
    await within(Promise.all([...this.#running]), AFTER_MS);
    await within(Promise.all([...this.#pending]), CLOSE_TIMEOUT_MS);
  }
}

// All trajectories of the service: those that are recorded, and the last that have ended.

/** At a time, and of those that have ended: they are in memory. */
const MAX_RUNNING = 4;
const MAX_ENDED = 4;

export class Trajectories implements AsyncDisposable {
  /** The newest last. */
  readonly #all = new Map<string, Trajectory>();
  readonly #ending = new AbortController();

  /** @throws ServiceError `unavailable`: there is no such display, or too many are recorded */
  async start(context: Context, input: StartInput): Promise<Trajectory> {
    const { displays } = context.platform;
    const display = await displays.open(input.display_num);
    const first = await Promise.resolve(displays.open(1)).catch(() => undefined);
    const isFirst = first !== undefined && screenKey(first) === screenKey(display);
    const numbers = new Set([input.display_num, ...isFirst ? [1] : []]);
    const running = [...this.#all.values()].filter(({ info }) => info.ended_by === null).length;
    if (running >= MAX_RUNNING) {
      const text = `${MAX_RUNNING} trajectories are already recorded, the maximum: stop one first`;
      throw new ServiceError("unavailable", text);
    }
    const { signal } = this.#ending;
    const own = innerContext(context, { actor: context.actor, signal });
    const id = crypto.randomUUID();
    const trajectory = new Trajectory(own, { ...input, id, numbers }, display);
    this.#all.set(id, trajectory);
    this.#dropOldest();
    return trajectory;
  }

  /**
   * @param id by default that of the newest
   * @throws ServiceError `not_found`
   */
  find(id: string | undefined): Trajectory {
    const found = id === undefined ? [...this.#all.values()].at(-1) : this.#all.get(id);
    if (found !== undefined) return found;
    const which = id === undefined ? "Nothing has been recorded" : `There is no trajectory "${id}"`;
    throw new ServiceError("not_found", `${which}: the last ${MAX_ENDED} are kept in memory`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new ServiceError("unavailable", "The service is stopping"));
    await Promise.all([...this.#all.values()].map((each) => each.end("service_ended")));
    this.#all.clear();
  }

  #dropOldest(): void {
    const ended = [...this.#all.values()].filter(({ info }) => info.ended_by !== null);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      this.#all.delete(id);
    }
  }
}
