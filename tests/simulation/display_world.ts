/**
 * Callers that take pictures of a screen and wait for what it shows, while programs draw on it now and then, all the
 * time or never, and its server is slow, hangs, resizes it and goes away.
 */

import { join } from "node:path";
import { ServiceError } from "../../src/core/errors.ts";
import { log } from "../../src/core/log.ts";
import { encodePng } from "../../src/imaging/png.ts";
import { LinuxDisplays } from "../../src/platform/linux/displays/displays.ts";
import { type TestApp, testApp } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import {
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
  stepUntil,
} from "./callers.ts";
import {
  type DisplayCall,
  DisplayChecks,
  type DisplayWait,
  type KnownPicture,
  type TakenPicture,
} from "./display_checks.ts";
import { SimulatedServer } from "./simulated_display.ts";
import { pixelAt } from "./simulated_screen.ts";
import { settle } from "./virtual_time.ts";
import { type Choice, type Scenario, World } from "./world.ts";

/** What checks may take beside the times that are asked for, however many others check, in milliseconds. */
const LATE_MS = 60_000;
/** The same, where nobody else asks for anything. */
const ALONE_MS = 30_000;
/** The longest step of time while somebody waits, in milliseconds. */
const BEAT_MS = 50;
/** A model's turn takes its picture when a display has been still for this time, in milliseconds. */
const SETTLED_MS = 150;
const STEP = { stableMs: 200, timeoutMs: 2_000 } as const;
/** Below 1, which no rounding reaches. */
const CONFIDENCE = 0.98;

type Each = Started<DisplayCall>;
type Made = Omit<DisplayCall, "from">;

/** @throws Error as {@link simulate} */
export async function simulateDisplay(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  await using folder = await testFolder();
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new DisplayRun(world, join(folder.path, "picture.png"));
    using _installed = run.install();
    await run.writePicture();
    await run.callAll(calls);
    await run.end();
  });
}

/** How programs draw in a world: `answers` soon after a caller has come, and seldom else. */
const PACES = {
  never: { draws: 0, come: [0.01, 1], timeoutsMs: [0, 1_000, 20_000] },
  answers: { draws: 0.0005, come: [0.003], timeoutsMs: [0, 20_000, 20_000] },
  sometimes: { draws: 0.01, come: [0.01, 1], timeoutsMs: [0, 1_000, 20_000] },
  often: { draws: 0.2, come: [0.05, 1], timeoutsMs: [0, 1_000, 10_000] },
  video: { draws: 0.02, come: [1], timeoutsMs: [0, 500, 3_000] },
} as const;
type Pace = keyof typeof PACES;

/** A program has drawn what a caller has brought about within this time, in milliseconds. */
const ANSWER_MS = 600;
/** A screen that gets another size can get several in this time, in milliseconds. */
const RESIZING_MS = 300;
/** All of that is over, and reported, after this time, in milliseconds. */
const QUIET_MS = 3_000;

class DisplayRun {
  readonly #app: TestApp;
  readonly #callers: Callers<DisplayCall>;
  readonly #server: SimulatedServer;
  readonly #displays: LinuxDisplays;
  readonly #checks: DisplayChecks;
  readonly #pace: Pace;
  /** What callers have got, the newest last. */
  readonly #pictures: KnownPicture[] = [];
  readonly #beat: ReturnType<typeof setInterval>;
  #hasEnded = false;

  constructor(private readonly world: World, private readonly picturePath: string) {
    const source = world.random() < 0.3 ? "comparison" : "events";
    this.#pace = world.pick(Object.keys(PACES) as Pace[]);
    const server = this.#server = new SimulatedServer(world, source);
    this.#checks = new DisplayChecks(server);
    let displays: LinuxDisplays | undefined;
    const app = this.#app = testApp({
      around: (platform) => {
        displays = new LinuxDisplays({
          bound: new Map([[1, ":1"]]),
          candidates: [],
          checkCandidate: () => Promise.resolve(),
          unbound: () => new ServiceError("internal", "Display 1 is bound"),
          open: () => server.open(platform.screen()),
          backend: { ownDisplay: undefined, ownDisplays: undefined },
          log,
        });
        return Object.assign(platform, { displays });
      },
    });
    this.#displays = displays!;
    const fetch: TestApp["fetch"] = (request) =>
      server.askers.run(this.#callers.all.length - 1, () => app.fetch(request));
    this.#callers = new Callers(world, { ...app, fetch }, (each) => this.#checkAnswer(each));
    this.#beat = setInterval(() => {}, BEAT_MS);
    const step = world.step.bind(world);
    world.step = async (choices) => {
      const hasHappened = await step(choices);
      await this.#untilFilesAreRead();
      return hasHappened;
    };
  }

  /** From now on threads are those of this world, until it is disposed. */
  install(): Disposable {
    return this.#server.install();
  }

  async writePicture(): Promise<void> {
    await Deno.writeFile(this.picturePath, encodePng(this.#server.screen.picture));
  }

  async callAll(count: number): Promise<void> {
    const { world } = this;
    const { screen } = this.#server;
    const isVideo = this.#pace === "video";
    const area = screen.randomArea();
    const video = isVideo
      ? setInterval(() => this.#drawVideo(area), world.pick([20, 70]))
      : undefined;
    const come = world.pick<number>(PACES[this.#pace].come);
    const weights = { come, leave: world.pick([0.0005, 0.02]) };
    const makeCall = () => {
      if (this.#pace === "answers" && world.random() < 0.5) {
        setTimeout(() => screen.draw(), world.below(ANSWER_MS));
      }
      return this.#randomCall();
    };
    await this.#callers.callAll(count, makeCall, this.#choices(), weights);
    clearInterval(video);
  }

  /** Whoever still waits is answered; nothing is left behind, and nobody is kept from asking. */
  async end(): Promise<void> {
    const { world } = this;
    const server = this.#server;
    if (server.waiting > 0) throw new Error(`${server.waiting} wait for changes for nobody`);
    if (!this.#hasEnded) {
      await stepUntil(world, () => !server.isAway);
      await this.#untilNobodyDraws();
      await this.#checkAlone();
      const left = server.threads.flatMap((each) => each.isEnded ? [] : [...each.remembered]);
      if (left.length > 0) throw new Error(`${left.length} regions are remembered for nobody`);
    }
    clearInterval(this.#beat);
    const hasEnded = await this.#callers.end() || this.#hasEnded;
    let isClosed = false;
    this.#displays[Symbol.asyncDispose]().then(() => isClosed = true);
    await stepUntil(world, () => isClosed);
    const running = server.threads.filter(({ isEnded }) => !isEnded);
    if (hasEnded && running.length > 0) throw new Error(`${running.length} threads are left`);
  }

  /** A smaller screen shows no part of it. */
  #drawVideo(area: KnownPicture["region"]): void {
    const { screen } = this.#server;
    const { width, height } = screen.current.size;
    if (area.x + area.width <= width && area.y + area.height <= height) screen.draw(area);
  }

  /** What else happens, beside a video. */
  #choices(): readonly Choice[] {
    const { world } = this;
    const server = this.#server;
    const { screen, source } = server;
    const { draws } = PACES[this.#pace];
    const trouble = world.random() < 0.5 ? 1 : 0;
    // what changes and is undone between a comparison and the picture after it is seen by one of both
    const blinks = source === "events" && draws > 0 && world.random() < 0.3 ? 1 : 0;
    const ends = world.random() < 0.1 ? 1 : 0;
    const choices: readonly Choice[] = [
      { what: "a program draws", weight: draws, run: () => screen.draw() },
      { what: "a program draws the same", weight: draws / 2, run: () => screen.redraw() },
      { what: "a text cursor blinks", weight: blinks * 0.05, run: () => screen.blink() },
      { what: "a program shows the picture", weight: draws / 2, run: () => screen.showPicture() },
      { what: "the screen is resized", weight: trouble * 0.002, run: () => this.#resize() },
      { what: "the server hangs", weight: trouble * 0.001, run: () => server.hang() },
      { what: "the server goes away", weight: trouble * 0.0005, run: () => server.goAway() },
      { what: "the service ends", weight: ends * 0.0005, run: () => this.#endService() },
    ];
    return choices.filter(({ weight }) => weight > 0);
  }

  /** Now and then several times, as when somebody tries its sizes. */
  #resize(): void {
    const { world } = this;
    const more = world.pick([0, 0, 1, 2]);
    this.#server.resize();
    for (let time = 0; time < more; time++) {
      setTimeout(() => this.#server.resize(), world.below(RESIZING_MS));
    }
  }

  /** As a service ends: what it keeps, and then its platform. */
  #endService(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#app.session[Symbol.asyncDispose]().then(async () => {
      this.#server.end();
      await this.#displays[Symbol.asyncDispose]();
    });
  }

  async #untilNobodyDraws(): Promise<void> {
    let isOver = false;
    setTimeout(() => isOver = true, QUIET_MS);
    await stepUntil(this.world, () => isOver);
  }

  /** Nobody draws any more, and nobody else asks: each answer is known, and comes soon. */
  async #checkAlone(): Promise<void> {
    const at = { x: 1, y: 1 };
    const colour = pixelAt(this.#server.screen.current, at)!;
    const pixel = { pixel: { ...at, rgb: rgbOf(colour), tolerance: 0 } };
    const isSo: DisplayWait["isSo"] = (moment) => pixelAt(moment, at) === colour;
    const still = { stableMs: 300, timeoutMs: 20_000, isStrict: true };
    const answers = [
      await this.#callAlone(this.#stable(still), '"stable"'),
      await this.#callAlone(this.#wait("change", { timeoutMs: 300 }), '"timeout"'),
      await this.#callAlone(this.#wait(pixel, { timeoutMs: 5_000, isSo }), '"found"'),
      await this.#callAlone(this.#shot("display/screenshot"), ""),
    ];
    if (answers.at(-1) !== 200) return;
    const status = await this.#callAlone(this.#since(this.#pictures.at(-1)!), "");
    if (status === 200) throw new Error("Alone, something has changed");
  }

  /** Gives the status: 503 is a failure of the system. */
  async #callAlone(made: Made, text: string): Promise<number> {
    const { screen } = this.#server;
    const status = await this.#callers.call({ ...made, from: screen.now });
    const each = this.#callers.all.at(-1)!;
    const answer = each.answer!;
    const took = answer.endedMs - each.startedMs;
    if (took > ALONE_MS) throw new Error(`${describe(each)} took ${took} ms alone`);
    if (status !== 503 && !(isDone(each) && answer.text.includes(text))) {
      throw new Error(`Alone, ${describe(each)} was answered ${status} ${answer.text}`);
    }
    return status;
  }

  /** The reading of a file takes real time, in which nothing else may happen. */
  async #untilFilesAreRead(): Promise<void> {
    const isReading = ({ call, number, answer }: Each) => {
      if (call.wait?.kind !== "picture" || answer !== undefined) return false;
      const { pollsMs, polled } = this.#server.askers.of(number);
      return polled.length === 1 && pollsMs.length === 1; // between the first poll and the next
    };
    while (this.#callers.all.some(isReading)) await settle();
  }

  #checkAnswer(each: Each): void {
    const { call, answer, startedMs } = each;
    const { status, picture, headers, text, endedMs } = answer!;
    const { wait, known, mostMs = wait?.timeoutMs ?? 0 } = call;
    const took = endedMs - startedMs;
    if (took > mostMs + LATE_MS) throw new Error(`${describe(each)} took ${took} ms`);
    if (wait) this.#checks.checkPolls(each, wait);
    const isSame = status === 304 || status === 204 && call.method === "GET";
    if (isSame) return this.#checks.checkSame(each, known!);
    if (!isDone(each)) return;
    if (wait) return this.#checks.checkWait(each, wait);
    if (picture !== undefined) this.#learn(each, takenFrom(headers, picture));
    else if (call.path === "batch") this.#checkBatch(each, JSON.parse(text));
    else if (call.path.startsWith("agents/")) this.#checkTurn(each, JSON.parse(text));
  }

  #learn(each: Each, taken: TakenPicture): void {
    this.#pictures.push(this.#checks.checkPicture(each, taken));
  }

  #checkBatch(each: Each, { screenshot }: BatchAnswer): void {
    if (screenshot === null) return this.#checks.checkSame(each, each.call.known!);
    if (screenshot === undefined) return; // it could not be taken
    const { data, frame, region, changes } = screenshot;
    this.#learn(each, { file: Uint8Array.fromBase64(data), frame, part: region, changes });
  }

  #checkTurn(each: Each, { messages, results, frame }: TurnAnswer): void {
    const parts = messages.flatMap(({ content }) => typeof content === "string" ? [] : content);
    const url = parts.find((part) => part.image_url !== undefined)?.image_url?.url;
    if (url === undefined) return; // it could not be taken
    const file = Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
    this.#learn(each, { file, frame: frame! });
    if (results.some(({ status }) => status !== "done")) return; // nothing has to settle then
    const { mostMs = 0 } = each.call;
    this.#checks.checkSettled(each, Math.min(SETTLED_MS, mostMs), mostMs);
  }

  #randomCall(): DisplayCall {
    const { world } = this;
    const { screen } = this.#server;
    const known = this.#pictures.at(-1 - world.below(4));
    const region = screen.randomArea();
    const { x, y, width, height } = region;
    const part = `display/screenshot?x=${x}&y=${y}&width=${width}&height=${height}`;
    const timeoutMs = world.pick<number>(PACES[this.#pace].timeoutsMs);
    const stableMs = world.pick([100, 500, 2_000]);
    const made = world.pickKind<Made>([
      this.#change(timeoutMs),
      this.#change(timeoutMs),
      this.#stable({ stableMs, timeoutMs, isStrict: world.random() < 0.7 }),
      this.#stable({ stableMs, timeoutMs, isStrict: true, region }),
      this.#pixel(timeoutMs),
      this.#picture(timeoutMs),
      this.#shot("display/screenshot"),
      this.#shot(part, region),
      known ? this.#since(known) : this.#shot("display/screenshot"),
      known ? this.#since(known) : this.#shot("display/screenshot"),
      known?.tag ? this.#sameAs(known, known.tag) : this.#shot("display/screenshot"),
      this.#batch(known),
      this.#turn(),
      world.random() < 0.5
        ? { path: "system/release-all", body: {} }
        : { path: "mouse/click", body: { x: 1, y: 1 } },
    ], operationOf);
    return { ...made, from: screen.now, expected: [304] };
  }

  /** On all of the screen, in a region, in a picture, or outside of some regions. */
  #change(timeoutMs: number): Made {
    const { world } = this;
    const { screen } = this.#server;
    const known = this.#pictures.at(-1);
    const chance = world.random();
    if (chance < 0.2 && known) {
      return this.#wait("change", { timeoutMs, region: known.window }, { frame: known.frame });
    }
    const region = chance < 0.6 ? screen.randomArea() : undefined;
    const ignored = world.random() < 0.3 ? [screen.randomArea(), screen.randomArea()] : [];
    return this.#wait("change", { timeoutMs, region, ignored }, {
      ...region && { region },
      ...ignored.length > 0 && { ignore_area: ignored },
    });
  }

  #stable(wait: Omit<DisplayWait, "kind">): Made {
    return this.#wait("stable", wait, {
      stable_ms: wait.stableMs,
      ...wait.isStrict && { ignore_area: 0 },
      ...wait.region && { region: wait.region },
    });
  }

  /** For a colour that is drawn soon, or until one is drawn over. */
  #pixel(timeoutMs: number): Made {
    const { screen } = this.#server;
    const { x, y } = screen.randomArea();
    const isGone = this.world.random() < 0.3;
    const colour = isGone ? pixelAt(screen.current, { x, y })! : screen.colourToCome();
    const pixel = { pixel: { x, y, rgb: rgbOf(colour), tolerance: 0 } };
    return this.#wait(isGone ? { gone: pixel } : pixel, {
      timeoutMs,
      isSo: (moment) => {
        const now = pixelAt(moment, { x, y });
        return now !== undefined && (now === colour) !== isGone;
      },
    });
  }

  #picture(timeoutMs: number): Made {
    const isGone = this.world.random() < 0.3;
    const image = { image: this.picturePath, confidence: CONFIDENCE };
    return this.#wait(isGone ? { gone: image } : image, { timeoutMs, isGone });
  }

  #wait(until: string | object, wait: Omit<DisplayWait, "kind">, fields: object = {}): Made {
    const aboutPixels = wait.isGone === undefined ? "pixel" : "picture";
    const kind = until === "change" || until === "stable" ? until : aboutPixels;
    return {
      path: "display/wait",
      body: { until, timeout_ms: wait.timeoutMs, ...fields },
      wait: { ...wait, kind },
    };
  }

  #shot(path: string, region?: KnownPicture["region"]): Made {
    return { path, body: {}, method: "GET", region };
  }

  #since(known: KnownPicture): Made {
    return { path: `display/screenshot?since=${known.frame}`, body: {}, method: "GET", known };
  }

  /** Asks for a picture that the caller has, if it is another one by now. */
  #sameAs(known: KnownPicture, tag: string): Made {
    const region = known.path.includes("?") ? known.region : undefined;
    const headers = { "if-none-match": tag };
    return { path: known.path, body: {}, method: "GET", headers, known, region };
  }

  #batch(known: KnownPicture | undefined): Made {
    const { stableMs: stable_ms, timeoutMs: timeout_ms } = STEP;
    const step = { operation: "display.wait", input: { until: "stable", stable_ms, timeout_ms } };
    const isPart = known !== undefined && this.world.random() < 0.5;
    return {
      path: "batch",
      body: { steps: [step], then_screenshot: isPart ? { since: known.frame } : {} },
      mostMs: timeout_ms,
      ...isPart && { known },
    };
  }

  #turn(): Made {
    const settle_ms = this.world.pick([0, 400, 2_000]);
    const text = "Thought: I click.\nAction: click(start_box='(500,500)')";
    return { path: "agents/ui-tars", body: { text, settle_ms, cursor: false }, mostMs: settle_ms };
  }
}

/** The answer to a request for a picture. */
function takenFrom(headers: Headers, file: Uint8Array): TakenPicture {
  const part = headers.get("x-region")?.split(",").map(Number);
  const changes = headers.get("x-changes");
  return {
    file,
    frame: headers.get("x-frame")!,
    tag: headers.get("etag") ?? undefined,
    part: part && { x: part[0]!, y: part[1]!, width: part[2]!, height: part[3]! },
    changes: changes === null ? undefined : JSON.parse(changes),
  };
}

interface BatchAnswer {
  readonly screenshot?: {
    readonly data: string;
    readonly frame: string;
    readonly region?: KnownPicture["region"];
    readonly changes?: readonly (readonly number[])[];
  } | null;
}

interface TurnAnswer {
  readonly messages: readonly {
    readonly content: string | readonly { readonly image_url?: { readonly url: string } }[];
  }[];
  readonly results: readonly { readonly status: string }[];
  readonly frame: string | null;
}

function rgbOf(pixel: number): readonly number[] {
  return [pixel >> 16, pixel >> 8 & 255, pixel & 255];
}
