/** Callers of the service in a simulated world: they come, wait for their answers, and some leave before. */

import { log, LOG_LEVELS } from "../../src/core/log.ts";
import type { TestApp } from "../support/client.ts";
import { mcpRequest, modernMessage } from "../support/mcp.ts";
import { replace, settle } from "./virtual_time.ts";
import type { Choice, World } from "./world.ts";

export interface Call {
  /** Below `/api/`. */
  readonly path: string;
  readonly body: object;
  /** Without a body; `POST` when absent. */
  readonly method?: "GET" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** The tool of MCP by which it is called, instead of HTTP. */
  readonly tool?: { readonly name: string; readonly arguments: object };
  /** What else it may be answered, whatever others do. */
  readonly expected?: readonly number[];
}

export interface Started<C extends Call> {
  readonly call: C;
  readonly number: number;
  readonly startedMs: number;
  readonly abort: AbortController;
  /** When it left, if it has. */
  leftMs?: number;
  answer?: Answer;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where it is a picture. */
  readonly text: string;
  readonly picture?: Uint8Array;
  readonly endedMs: number;
}

/** The longest that any caller may wait, in virtual milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
/** Real time in which nothing happens: modules that are loaded for the first time need some. */
const MAX_IDLE_MS = 30_000;
const realNow = performance.now.bind(performance);
/** What every call may be answered, whatever others do; 422 for a secret that is not stored. */
const EXPECTED = [200, 204, 409, 422, 499, 503];

export class Callers<C extends Call> {
  readonly all: Started<C>[] = [];

  /** @param check throws an Error where an answer is not what it should be */
  constructor(
    private readonly world: World,
    private readonly app: TestApp,
    private readonly check: (each: Started<C>) => void,
  ) {}

  /**
   * So many calls, until all are answered.
   * @param others what else can happen meanwhile
   * @param weights how soon callers come and leave
   */
  async callAll(
    count: number,
    makeCall: (number: number) => C,
    others: readonly Choice[] = [],
    weights = { come: 1.5, leave: 0.1 },
  ): Promise<void> {
    const { world } = this;
    const leave = (each: Started<C>) => {
      each.leftMs ??= world.time.now;
      each.abort.abort();
    };
    while (true) {
      const open = this.all.filter(({ answer }) => answer === undefined);
      const isLast = this.all.length === count;
      if (isLast && open.length === 0) return;
      const start = () => void this.#start(makeCall(this.all.length));
      const choices = [
        ...isLast ? [] : [{ what: "a caller comes", weight: weights.come, run: start }],
        ...open.length === 0 ? [] : [{
          what: "a caller leaves",
          weight: weights.leave,
          run: () => leave(world.pick(open)),
        }],
        ...others,
      ];
      if (!await world.step(choices)) throw new Error(`${describe(open[0]!)} waits for nothing`);
      const late = open.find(({ answer, startedMs }) =>
        answer === undefined && world.time.now - startedMs > MAX_WAIT_MS
      );
      if (late) throw new Error(`${describe(late)} has no answer`);
    }
  }

  /** One call alone, to its answer; gives its status. */
  async call(call: C): Promise<number> {
    const each = this.#start(call);
    await stepUntil(this.world, () => each.answer !== undefined);
    return each.answer!.status;
  }

  /** Ends the service, or waits until nothing is planned any more; gives whether it has ended. */
  async end(): Promise<boolean> {
    const { world } = this;
    if (world.random() < 0.5) {
      while (world.time.next !== undefined) await world.step([]);
      return false;
    }
    let hasEnded = false;
    this.app.session[Symbol.asyncDispose]().then(() => hasEnded = true);
    await stepUntil(world, () => hasEnded);
    return true;
  }

  #start(call: C): Started<C> {
    const { world } = this;
    const number = this.all.length;
    const abort = new AbortController();
    const each: Started<C> = { call, number, startedMs: world.time.now, abort };
    this.all.push(each);
    world.history.push(`  ${describe(each)}`);
    (async () => {
      const response = await this.app.fetch(requestOf(call, abort.signal));
      const { headers } = response;
      const isPicture = headers.get("content-type")?.startsWith("image/") ?? false;
      const picture = isPicture ? { picture: await response.bytes() } : {};
      const text = isPicture ? "" : await response.text();
      const status = call.tool && response.status === 200 ? statusOf(text) : response.status;
      each.answer = { status, headers, text, ...picture, endedMs: world.time.now };
      world.history.push(`  ${number}: ${status} ${text.slice(0, 100)}`);
      if (![...EXPECTED, ...call.expected ?? []].includes(status)) {
        throw new Error(`${describe(each)} was answered ${status}: ${text}`);
      }
      this.check(each);
    })();
    return each;
  }
}

/** Lets happen what can, until something is so. @throws Error when nothing happens any more */
export async function stepUntil(world: World, isSo: () => boolean): Promise<void> {
  for (let last = realNow(); !isSo();) {
    if (await world.step([])) last = realNow();
    else if (realNow() - last > MAX_IDLE_MS) throw new Error("An answer never comes");
    else await settle();
  }
}

function requestOf({ path, body, method, headers, tool }: Call, signal: AbortSignal): Request {
  if (tool) {
    const message = modernMessage("tools/call", { ...tool });
    return mcpRequest("http://localhost/mcp", message, signal);
  }
  const url = `http://localhost/api/${path}`;
  if (method) {
    return new Request(url, { method, headers: { host: "localhost", ...headers }, signal });
  }
  return new Request(url, {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** A tool says in words why it was not done; long ones answer by an event. */
function statusOf(answer: string): number {
  const data = answer.startsWith("{") ? answer : answer.match(/^data: (\{.*\})$/m)?.[1];
  const { result } = JSON.parse(data ?? "{}") as { result?: { readonly isError?: boolean } };
  return result === undefined ? 499 : result.isError ? 409 : 200;
}

/** Without what it is done with. */
export function operationOf({ path }: Call): string {
  return path.replace(/\/\d+|\?.*/g, "");
}

export function isDone({ answer }: Started<Call>): boolean {
  return answer?.status === 200 || answer?.status === 204;
}

export function describe({ number, call }: Started<Call>): string {
  const body = JSON.stringify(call.body).replace(/(.)\1{9,}/gu, "$1...");
  return `${number} ${call.path} ${body}`;
}

/** What all simulations of this process have taken so far, in their own time. */
export const SIMULATED = { ms: 0, steps: 0 };

/**
 * Runs `work` in a world, which then ends.
 * @throws Error that names the seed, what went wrong, and what happened last
 */
export async function simulate(world: World, work: () => Promise<void>): Promise<void> {
  using _ended = world;
  using stack = new DisposableStack();
  for (const level of LOG_LEVELS) {
    const note = (event: string, fields = {}) =>
      void world.logged.push(`${event} ${JSON.stringify(fields)}`);
    stack.defer(replace(log, level, note));
  }
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    await work();
    if (unhandled.length > 0) throw unhandled[0];
  } catch (error) {
    const last = world.history.slice(-60).join("\n");
    throw new Error(`Seed ${world.seed}: ${(error as Error).message}\n${last}`, { cause: error });
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
    SIMULATED.ms += world.time.now;
    SIMULATED.steps += world.steps;
  }
}
