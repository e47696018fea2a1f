/** Callers that record a screen, while others fill in stored secrets there: no recording shows one, and none is lost. */

import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { serveJobs, type WorkerScope } from "../../src/core/serve_jobs.ts";
import { unlessAborted } from "../../src/core/deadline.ts";
import { ServiceError } from "../../src/core/errors.ts";
import type { FromThread, ToThread } from "../../src/core/worker_thread.ts";
import {
  type RecordingItem,
  RecordingStore,
} from "../../src/features/recording/recording_store.ts";
import type { RecordingJob } from "../../src/features/recording/recording_worker.ts";
import { itemToText } from "../../src/features/secrets/stored.ts";
import { boxAround } from "../../src/imaging/boxes.ts";
import type { Changes, Region } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
} from "./callers.ts";
import { replace } from "./virtual_time.ts";
import { type Choice, type Scenario, World } from "./world.ts";

/** Each value is one character, many times: what is on the screen tells whose it is. */
const FILLED = [..."甲乙丙"];
/** These are typed at what has the focus: only a recording that runs by then can see where that is. */
const TYPED = [..."丁戊己"];
const SECRETS = [...FILLED, ...TYPED];
const MAX_BYTES = 1_048_576;
/** Two finished recordings and a running one fit. */
const LIMITS = { ...DEFAULT_LIMITS, maxRecordings: 2, maxRecordingsBytes: 3 * MAX_BYTES };
/** A program draws what it has got within this time. */
const DRAW_MS = 100;

/** @throws Error as {@link simulate} */
export async function simulateRecording(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new RecordingRun(world);
    using _installed = run.install();
    await run.callAll(calls);
    await run.end(failures === 0);
  });
}

class RecordingRun {
  readonly #callers: Callers<Call>;
  readonly #screen = new SimulatedScreen();
  readonly #threads = new Set<RecordingThread>();
  readonly #items = new Map<string, RecordingItem>();
  readonly #locks = new Set<string>();
  /** When those that are over were removed. */
  readonly #removed = new Map<string, number>();
  /** What a recording shows that none may. */
  readonly #leaks: string[] = [];

  constructor(private readonly world: World) {
    const app = testApp({ config: { limits: LIMITS } });
    this.#callers = new Callers(world, app, () => {});
    const { secrets } = app.platform;
    for (const secret of SECRETS) {
      secrets.stored.set(secret, itemToText(new Map([["password", secret.repeat(20)]])));
    }
    const screen = app.platform.screen();
    const { sent, mouse, port } = screen.fake;
    const push = sent.push.bind(sent);
    sent.push = (...lines) => {
      for (const line of lines) {
        const secret = SECRETS.find((each) => line === `type ${each}`);
        const { x, y } = mouse.cursor;
        const area = { x: Math.max(0, x - 60), y: Math.max(0, y - 10), width: 200, height: 20 };
        const drawn = secret === undefined ? [] : [{ secret, area, typedMs: world.time.now }];
        setTimeout(() => this.#screen.draw(drawn), world.below(DRAW_MS));
      }
      return push(...lines);
    };
    port.confirm = () => world.answer("confirmation", () => {}, "display");
    Object.assign(screen, {
      screen: { backend: "x11", name: ":1" },
      watch: () => Promise.resolve(this.#changes()),
    });
  }

  /** From now on recordings are kept in this world, until it is disposed. */
  install(): Disposable {
    const { world } = this;
    const disk = <T>(what: string, value: () => T) => world.answer(`the disk: ${what}`, value);
    const store: Partial<RecordingStore> = {
      open: () => disk("open", () => {}),
      lock: (id) => disk("lock", () => (this.#locks.add(id), {} as Deno.FsFile)),
      freeReserve: () => Promise.resolve(),
      unlock: (id) => disk("unlock", () => void this.#locks.delete(id)),
      write: (item) => disk("write", () => void this.#items.set(item.id, item)),
      list: () =>
        disk("list", () => [...this.#items.values()].sort((a, b) => a.id < b.id ? 1 : -1)),
      find: (id) => disk("find", () => this.#items.get(id)),
      removeVideo: () => Promise.resolve(),
      remove: ({ id }) => disk("remove", () => this.#remove(id)),
    };
    const [threads, screen, leaks] = [this.#threads, this.#screen, this.#leaks];
    const restore = [
      ...Object.entries(store).map(([name, method]) =>
        replace(RecordingStore.prototype, name as keyof RecordingStore, method)
      ),
      replace(
        globalThis,
        "Worker",
        class extends RecordingThread {
          constructor() {
            super(world, screen, leaks);
            threads.add(this);
          }

          override terminate() {
            super.terminate();
            threads.delete(this);
          }
        },
      ),
      replace(Deno, "Command", FfmpegThatLists),
      replace(
        crypto,
        "randomUUID",
        () => `${world.random().toString(16).slice(2, 10).padEnd(8, "0")}-`,
      ),
    ];
    return { [Symbol.dispose]: () => restore.forEach((each) => each()) };
  }

  async callAll(count: number): Promise<void> {
    const change: Choice = {
      what: "the screen changes",
      weight: 0.05,
      run: () => this.#screen.draw([]),
    };
    const weights = { come: this.world.pick([0.1, 1]), leave: 0.01 };
    await this.#callers.callAll(count, (number) => this.#randomCall(number), [change], weights);
  }

  async end(nothingFails: boolean): Promise<void> {
    await this.#callers.end();
    if (this.world.logged.some((line) => SECRETS.some((secret) => line.includes(secret)))) {
      throw new Error("The log has a secret");
    }
    if (this.#leaks.length > 0) throw new Error(`A recording shows ${this.#leaks[0]}`);
    const starts = this.#callers.all.filter((each) => {
      return each.call.path === "recording/start" && isDone(each);
    });
    for (const start of starts) {
      const { id } = JSON.parse(start.answer!.text) as RecordingItem;
      const removed = this.#removed.get(id);
      if (!nothingFails) continue; // a removal that fails can come after one that has not
      if (removed !== undefined) this.#checkRemoved(id, removed, starts);
      else if (!this.#items.has(id)) {
        throw new Error(`${describe(start)} started a recording that is not there`);
      }
    }
  }

  /** A recording is removed by who deletes it, and for one that begins, but for none that cannot. */
  #checkRemoved(id: string, atMs: number, starts: readonly Started<Call>[]): void {
    const isDeleted = this.#callers.all.some(({ call }) =>
      call.path === "recording/delete" && (call.body as { readonly id: string }).id === id
    );
    const isReplaced = starts.some(({ startedMs, answer }) =>
      startedMs <= atMs && atMs <= answer!.endedMs
    );
    if (!isDeleted && !isReplaced) throw new Error(`The recording ${id} was removed for nobody`);
  }

  #remove(id: string): void {
    const item = this.#items.get(id);
    if (item) this.#removed.set(id, this.world.time.now);
    this.#items.delete(id);
    this.#locks.delete(id);
  }

  #changes(): Changes {
    const { world } = this;
    const screen = this.#screen;
    const size = { width: 800, height: 600 };
    const ask = <T>(value: () => T) => world.answer("the display", value, "display");
    return {
      source: "events",
      poll: () => ask(() => ({ run: "1", count: screen.count, size })),
      since: () => undefined,
      next: (count, signal) => unlessAborted(screen.after(count), signal),
      cursor: () => ask(() => ({ box: { x: 0, y: 0, width: 9, height: 9 }, key: "cursor" })),
    } as Changes;
  }

  #randomCall(number: number): Call {
    const { world } = this;
    const id = world.pick([...this.#items.keys(), "20260101-000000000-00000000"]);
    const service = world.pick(FILLED);
    const at = { x: 400, y: 20 + number % 14 * 40 };
    const secret = { service: world.pick(TYPED), field: "password" };
    const limits = { max_bytes: MAX_BYTES, max_seconds: 1 + world.below(20), cursor: false };
    return {
      expected: [404],
      ...world.pickKind<Call>([
        { path: "recording/start", body: limits },
        { path: "recording/start", body: limits },
        { path: "recording/stop", body: { id, timeout_ms: 1 + world.below(5_000) } },
        { path: "recording/delete", body: { id } },
        { path: "mouse/click", body: at },
        { path: "keyboard/type", body: { secret } },
        {
          path: "keychain/authenticate",
          body: { service, authElements: [{ type: "password", coordinates: at }] },
        },
      ], operationOf),
    };
  }
}

interface Drawn {
  readonly secret: string;
  readonly typedMs: number;
  readonly area: Region;
}

/** What the programs show. */
class SimulatedScreen {
  count = 0;
  readonly drawn: Drawn[] = [];
  #next = Promise.withResolvers<void>();

  draw(drawn: readonly Drawn[]): void {
    this.drawn.push(...drawn);
    this.count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  async after(count: number): Promise<void> {
    while (this.count <= count) await this.#next.promise;
  }
}

/** The thread of one recording, which notes what its pictures show. */
class RecordingThread {
  onmessage = (_: { readonly data: FromThread }) => {};
  onerror = () => {};
  readonly #scope: WorkerScope;
  readonly #closed = Promise.withResolvers<undefined>();
  #captured: readonly Drawn[] = [];
  #last: readonly Drawn[] = [];
  readonly #openedMs: number;
  #frames = 0;
  #atMs = 0;

  constructor(
    private readonly world: World,
    private readonly screen: SimulatedScreen,
    private readonly leaks: string[],
  ) {
    this.#openedMs = world.time.now;
    this.#scope = {
      onmessage: () => {},
      postMessage: (data) => queueMicrotask(() => this.onmessage({ data })),
    };
    serveJobs((job: RecordingJob) => this.#execute(job), () => [], this.#scope);
  }

  postMessage(data: ToThread): void {
    queueMicrotask(() => this.#scope.onmessage({ data } as MessageEvent<ToThread>));
  }

  terminate(): void {
    this.onmessage = () => {};
  }

  async #execute(job: RecordingJob): Promise<object | undefined | void> {
    if (job.kind === "ended") return await this.#closed.promise;
    if (job.kind === "open" && this.world.random() < 0.1) {
      throw new ServiceError("unavailable", "The display cannot be opened");
    }
    return await this.world.answer(`the recording has ${job.kind}`, () => this.#answer(job));
  }

  #answer(job: Exclude<RecordingJob, { kind: "ended" }>): object | undefined | void {
    if (job.kind === "capture") return void (this.#captured = [...this.screen.drawn]);
    if (job.kind === "changes") {
      const seen = new Set(this.#last);
      this.#captured = [...this.screen.drawn];
      const fresh = this.#captured.filter((each) => !seen.has(each)).map(({ area }) => area);
      return fresh.length === 0 ? undefined : boxAround(fresh);
    }
    if (job.kind === "add") {
      this.#frames++;
      this.#atMs = job.atMs;
      this.#last = this.#captured;
      const shown = this.#captured.find(({ secret, area, typedMs }) =>
        (FILLED.includes(secret) || typedMs > this.#openedMs) &&
        !job.masks.some((mask) => covers(mask, area))
      );
      if (shown) this.leaks.push(`${shown.secret} at ${this.world.time.now.toFixed(1)}`);
    }
    if (job.kind === "close") this.#closed.resolve(undefined);
    const progress = { frames: this.#frames, bytes: 0.6 * MAX_BYTES, atMs: this.#atMs };
    return job.kind === "close" ? { progress, detail: null } : progress;
  }
}

function covers(mask: Region, { x, y, width, height }: Region): boolean {
  return mask.x <= x && mask.y <= y && mask.x + mask.width >= x + width &&
    mask.y + mask.height >= y + height;
}

/** Answers what the service asks before a recording: which encoders there are. */
class FfmpegThatLists {
  spawn() {
    const stdout = new TextEncoder().encode(
      "ffmpeg version 7.1\n V..... libvpx\n V..... libx264\n",
    );
    const output = { code: 0, success: true, signal: null, stdout, stderr: new Uint8Array() };
    return { output: () => Promise.resolve(output), status: Promise.resolve(output), kill() {} };
  }
}
