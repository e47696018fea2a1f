/**
 * The display of a simulated screen: its server answers late, hangs and goes away, and reports what is drawn, or is
 * compared. In its world, a `Worker` of the service runs in this thread.
 */

import { createHash } from "node:crypto";
import { hasCode, ServiceError } from "../../src/core/errors.ts";
import { Semaphore } from "../../src/core/locks.ts";
import { serveJobs, type WorkerScope } from "../../src/core/serve_jobs.ts";
import { Waiters } from "../../src/core/shared_run.ts";
import type { FromThread, ToThread } from "../../src/core/worker_thread.ts";
import { JobRunner } from "../../src/features/display/jobs.ts";
import type { PictureJob, PictureResult } from "../../src/features/display/pictures.ts";
import { PictureComparer } from "../../src/imaging/picture_comparer.ts";
import {
  ComparedChanges,
  LoggedChanges,
  type PollRequest,
  type PollResult,
  WorkerPoller,
} from "../../src/platform/comparing/compared_changes.ts";
import type { LinuxDisplay } from "../../src/platform/linux/linux_display.ts";
import type {
  CaptureOptions,
  Changes,
  ChangeState,
  CursorState,
  Point,
  Region,
  Rgb,
  Screen,
  Size,
  UsePicture,
} from "../../src/platform/types/mod.ts";
import type { FakeDisplay } from "../support/fake_platform.ts";
import { Activity, type Asked, Askers } from "./display_askers.ts";
import { type Moment, SimulatedScreen } from "./simulated_screen.ts";
import { replace } from "./virtual_time.ts";
import type { World } from "./world.ts";

/** A server that answers nothing for longer counts as gone, which is a case of its own. */
const LONGEST_HANG_MS = 5_000;
const LONGEST_ABSENCE_MS = 5_000;
/** What the memory of a picture holds once it has been used. */
const OVERWRITTEN = 0xbadbad;
/** So often a comparison takes its picture when the screen is resized meanwhile. */
const MAX_TRIES = 3;
const CURSOR: CursorState = { box: { x: 0, y: 0, width: 1, height: 1 }, key: "cursor" };

export class SimulatedServer {
  readonly screen: SimulatedScreen;
  readonly askers: Askers;
  readonly activity: Activity;
  readonly threads: SimulatedThread[] = [];
  /** How many wait for a change now. */
  waiting = 0;
  /** Another one after each start. */
  #run = 1;
  #isAway = false;
  #hasEnded = false;
  #hanging: PromiseWithResolvers<void> | undefined;
  readonly #links = new Set<Link>();
  /** What it takes to use a picture, in milliseconds. */
  readonly #slowMs: number;

  /** @param source whether it reports what is drawn, or its pictures are compared */
  constructor(readonly world: World, readonly source: Changes["source"]) {
    this.screen = new SimulatedScreen(world);
    this.askers = new Askers(world.time);
    this.activity = new Activity(world.time);
    this.#slowMs = world.pick([0, 0, 100]);
    this.screen.onDraw = (moment) => {
      for (const link of this.#links) link.onDraw(moment);
    };
  }

  /** From now on threads of this process are those of the world, until it is disposed. */
  install(): Disposable {
    const { threads } = this;
    const start = (module: URL) => {
      const thread = new SimulatedThread(this, module);
      threads.push(thread);
      return thread;
    };
    const sha256 = (_: string, data: Uint8Array) => {
      const hash = createHash("sha256").update(data).digest();
      return Promise.resolve(new Uint8Array(hash).buffer);
    };
    const restore = [
      replace(globalThis, "Worker", function (module: URL) {
        return start(module);
      }),
      replace(crypto.subtle, "digest", sha256), // the runtime's own takes real time
    ];
    return { [Symbol.dispose]: () => restore.forEach((each) => each()) };
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Of `LinuxDisplays`. */
  async open(fake: FakeDisplay): Promise<LinuxDisplay> {
    const link = this.connect("the display");
    await this.activity.during(() => link.ask("the display is opened", () => {}));
    return new SimulatedDisplay(this, link, fake);
  }

  async openReader(name: string, { isPolling }: { readonly isPolling: boolean }): Promise<Screen> {
    const link = this.connect(name);
    const open = () => link.ask("the screen is opened", () => {});
    await (isPolling ? open() : this.activity.during(open));
    return new SimulatedReader(this, link, { isPolling, slowMs: this.#slowMs });
  }

  connect(name: string): Link {
    const link = new Link(this, name, this.#run);
    this.#links.add(link);
    return link;
  }

  disconnect(link: Link): void {
    this.#links.delete(link);
  }

  isConnected(link: Link): boolean {
    return !this.#isAway && this.#links.has(link);
  }

  /** Resolves when it answers again. */
  async answers(): Promise<void> {
    while (this.#hanging !== undefined) await this.#hanging.promise;
  }

  hang(): void {
    if (this.#hanging !== undefined || this.#isAway) return;
    this.#hanging = Promise.withResolvers();
    this.activity.begin();
    setTimeout(() => this.#goOn(), 1 + this.world.below(LONGEST_HANG_MS));
  }

  /** For a while; then it is started again. */
  goAway(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#goOn();
    const lost = [...this.#links];
    this.#links.clear();
    for (const { onLoss } of lost) onLoss();
    setTimeout(() => this.#start(), 1 + this.world.below(LONGEST_ABSENCE_MS));
  }

  resize(): void {
    if (!this.#isAway) this.screen.resize();
  }

  /** From now on nobody can connect: the service ends. */
  end(): void {
    this.#hasEnded = true;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  #goOn(): void {
    if (this.#hanging === undefined) return;
    this.#hanging.resolve();
    this.#hanging = undefined;
    this.activity.end();
  }

  #start(): void {
    this.#run++;
    this.#isAway = false;
    this.screen.resize();
  }
}

/** A connection: its answers and events come in order. */
class Link {
  onDraw: (moment: Moment) => void = () => {};
  onLoss: () => void = () => {};
  readonly #order: string;

  constructor(private readonly server: SimulatedServer, name: string, run: number) {
    this.#order = `${name} ${run}`;
  }

  get isConnected(): boolean {
    return this.server.isConnected(this);
  }

  async ask<T>(what: string, value: () => T): Promise<T> {
    await this.server.answers();
    return await this.server.world.answer(what, () => {
      if (this.isConnected && !this.server.hasEnded) return value();
      throw new ServiceError("unavailable", 'The X server at ":1" went away; try again');
    }, this.#order);
  }

  /** An event comes later, and none is lost. */
  send(what: string, deliver: () => void): void {
    const { activity, world } = this.server;
    const take = () => void (this.isConnected && deliver());
    activity.during(() => world.answer(what, take, this.#order).catch(take));
  }

  close(): void {
    this.server.disconnect(this);
  }
}

class SimulatedDisplay implements LinuxDisplay {
  readonly displayNum = 1;
  readonly name = ":1";
  readonly serverRun = crypto.randomUUID();
  readonly screen = { backend: "x11", name: ":1" } as const;
  readonly input;
  readonly focus;
  readonly delivery;
  readonly deliveryTracker;
  readonly realInput;
  readonly clipboard;
  readonly accessibility;
  readonly windows;
  /** As it was reported last. */
  size: Size;
  #changes: Promise<Changes & Disposable> | undefined;

  constructor(
    private readonly server: SimulatedServer,
    private readonly link: Link,
    fake: FakeDisplay,
  ) {
    this.input = fake.input;
    this.focus = fake.focus;
    this.delivery = fake.delivery;
    this.deliveryTracker = fake.deliveryTracker;
    this.realInput = fake.realInput;
    this.clipboard = fake.clipboard;
    this.accessibility = fake.accessibility;
    this.windows = fake.windows;
    this.size = server.screen.current.size;
    link.onDraw = ({ kind, size }) => {
      if (kind === "resized") link.send("the new size", () => this.size = size);
    };
  }

  get connected(): boolean {
    return this.link.isConnected;
  }

  async pixel({ x, y }: Point): Promise<Rgb> {
    const { activity, screen } = this.server;
    const read = () => screen.read({ x, y, width: 1, height: 1 })[0]!;
    const pixel = await activity.during(() => this.link.ask("a pixel", read));
    return [pixel >> 16, pixel >> 8 & 255, pixel & 255];
  }

  watch(): Promise<Changes> {
    return this.#changes ??= this.#openChanges().catch((error) => {
      this.#changes = undefined;
      throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.link.close();
    const changes = await this.#changes?.catch(() => undefined);
    changes?.[Symbol.dispose]();
  }

  async #openChanges(): Promise<Changes & Disposable> {
    const { server } = this;
    if (server.source === "comparison") return new NotedComparison(server);
    const link = server.connect("changes");
    await server.activity.during(() => link.ask("changes are followed", () => {}));
    return new ReportedChanges(server, link);
  }
}

/** As the DAMAGE extension reports: one event when something is drawn, and no other until a poll. */
class ReportedChanges extends LoggedChanges implements Changes, Disposable {
  readonly source = "events";
  #areas: Region[] = [];
  #unreported = false;
  readonly #waiters = new Waiters();

  constructor(private readonly server: SimulatedServer, private readonly link: Link) {
    super();
    link.onDraw = ({ drawn }) => {
      if (this.#areas.push(drawn) === 1) link.send("an event", () => this.#report());
    };
    link.onLoss = () => this.#waiters.notify(); // the next poll reports the loss
  }

  override poll(): Promise<ChangeState> {
    return this.server.askers.notePoll(() => super.poll());
  }

  async next(count: number, signal: AbortSignal): Promise<void> {
    if (!this.link.isConnected || this.#unreported || this.log.count > count) return;
    this.server.waiting++;
    try {
      await this.#waiters.wait(signal);
    } finally {
      this.server.waiting--;
    }
  }

  cursor(): Promise<CursorState> {
    return Promise.resolve(CURSOR);
  }

  [Symbol.dispose](): void {
    this.link.close();
    this.#waiters.notify();
  }

  protected async collect(): Promise<Size> {
    const { askers, screen } = this.server;
    this.#unreported = false;
    try {
      const areas = await this.link.ask("a poll", () => this.#areas.splice(0));
      if (areas.length > 0) this.log.add(areas);
      askers.noteState(screen.now);
      return screen.current.size;
    } catch (error) {
      this.#report(); // what it did not get is still there
      throw error;
    }
  }

  #report(): void {
    this.#unreported = true;
    this.#waiters.notify();
  }
}

class NotedComparison extends ComparedChanges {
  constructor(private readonly server: SimulatedServer) {
    super(new WorkerPoller({ backend: "gdi", name: ":1" }));
  }

  override poll(): Promise<ChangeState> {
    return this.server.askers.notePoll(() => super.poll());
  }

  override async next(count: number, signal: AbortSignal): Promise<void> {
    this.server.waiting++;
    try {
      await super.next(count, signal);
    } finally {
      this.server.waiting--;
    }
  }
}

/** Reads the screen: one picture at a time, whose memory the next one overwrites. */
class SimulatedReader implements Screen {
  readonly #memory = new Semaphore({ capacity: 1 });

  constructor(
    private readonly server: SimulatedServer,
    private readonly link: Link,
    private readonly options: { readonly isPolling: boolean; readonly slowMs: number },
  ) {}

  get connected(): boolean {
    return this.link.isConnected;
  }

  async capture<T>(region: Region, _: CaptureOptions, use: UsePicture<T>): Promise<T> {
    const take = () => this.#memory.run(() => this.#take(region, use));
    const { result } = await (this.options.isPolling ? take() : this.server.activity.during(take));
    return result;
  }

  close(): void {
    this.link.close();
  }

  async #take<T>(region: Region, use: UsePicture<T>): Promise<{ readonly result: T }> {
    const { width, height } = region;
    const pixels = await this.link.ask("a capture", () => this.server.screen.read(region));
    const { slowMs, isPolling } = this.options;
    if (slowMs > 0 && !isPolling) await new Promise((resolve) => setTimeout(resolve, slowMs));
    const result = use({ width, height, pixels });
    pixels.fill(OVERWRITTEN);
    return { result };
  }
}

/** A thread of the service, in this one: it makes pictures and searches in them, or compares them. */
class SimulatedThread {
  onmessage = (_: { readonly data: FromThread }) => {};
  onerror = () => {};
  isEnded = false;
  /** The regions that it remembers, by their names. */
  readonly remembered = new Set<string>();
  readonly #isPolling: boolean;
  readonly #name: string;
  readonly #scope: WorkerScope;
  /** Who has asked for each job. */
  readonly #askers = new WeakMap<object, Asked | undefined>();

  constructor(private readonly server: SimulatedServer, module: URL) {
    this.#isPolling = module.href.endsWith("/poll_worker.ts");
    this.#name = `thread ${server.threads.length + 1}`;
    this.#scope = {
      onmessage: () => {},
      postMessage: (data) => this.#carry("from", () => this.onmessage({ data })),
    };
    if (this.#isPolling) serveJobs(this.#comparing(), () => [], this.#scope);
    else serveJobs(this.#making(), () => [], this.#scope);
  }

  postMessage(data: ToThread): void {
    if ("job" in data) this.#askers.set(data.job as object, this.server.askers.current);
    this.#carry("to", () => this.#scope.onmessage({ data } as MessageEvent<ToThread>));
  }

  terminate(): void {
    this.isEnded = true;
    this.onmessage = () => {};
  }

  /** No message is lost, and those of one direction come in order. */
  #carry(way: string, deliver: () => void): void {
    const take = () => void (this.isEnded || deliver());
    if (this.#isPolling) return queueMicrotask(take);
    const { activity, world } = this.server;
    const order = `${way} ${this.#name}`;
    activity.during(() => world.answer(`a message ${order}`, take, order).catch(take));
  }

  /** As `picture_worker.ts` does. */
  #making(): (sent: PictureJob) => Promise<PictureResult> {
    const open = () => this.server.openReader(this.#name, { isPolling: false });
    const runner = new JobRunner(open);
    return async (sent) => {
      const { name, screen, job } = sent;
      const result = await runner.run(name, screen, job);
      const { name: region } = job as { readonly name: string };
      if (name === "forget") this.remembered.delete(region);
      if (name === "remember") {
        this.remembered.add(region);
        const asked = this.#askers.get(sent);
        if (asked) asked.remembered ??= this.server.screen.now;
      }
      return { result, reading: undefined };
    };
  }

  /** As `poll_worker.ts` does. */
  #comparing(): (request: PollRequest) => Promise<PollResult | CursorState | boolean> {
    const { screen, askers } = this.server;
    const comparer = new PictureComparer();
    let opened: Promise<Screen> | undefined;
    const poll = async (): Promise<PollResult> => {
      opened ??= this.server.openReader(this.#name, { isPolling: true }).catch((error) => {
        opened = undefined;
        throw error;
      });
      const { size } = screen.current;
      return await (await opened).capture({ x: 0, y: 0, ...size }, { cursor: "hidden" }, (now) => {
        askers.noteState(screen.now);
        return { size, areas: comparer.compare(now) };
      });
    };
    return async ({ ask }) => {
      if (ask === "cursor") return CURSOR;
      if (ask !== "poll") return comparer.shows(ask.region, ask.sum);
      for (let tries = 1;; tries++) {
        try {
          return await poll();
        } catch (error) {
          if (!hasCode(error, "conflict") || tries === MAX_TRIES) throw error;
        }
      }
    };
  }
}
