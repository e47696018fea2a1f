/** Callers that run commands, write to them and end them, while some are stubborn, leave children behind or write slowly. */

import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { itemToText } from "../../src/features/secrets/stored.ts";
import type { Command, CommandLine, Processes } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
  stepUntil,
} from "./callers.ts";
import { type Choice, type Scenario, World } from "./world.ts";

const SECRET = "value-of-a-secret";
const LIMITS = {
  ...DEFAULT_LIMITS,
  maxCommands: 3,
  maxWaitingCommands: 5,
  commandWaitMs: 20_000,
  maxEndedProcesses: 4,
  keepEndedMs: 30_000,
};
/** What reading the rest of the output and killing may take beside the times that are asked for. */
const REST_MS = 15_000;
/** What is in a pipe is read within this time. */
const READ_MS = 8;
/** So few that they are used again. */
const PIDS = [12, 5];
/** What a command writes at once, now and then, which takes a while to be read. */
const FLOOD = 40;

/** What a command does, as the text of the command says. */
interface Plan {
  /** The number of its caller. */
  readonly number: number;
  /** What it writes, one after the other. */
  readonly says: readonly string[];
  /** Whether all at once. */
  readonly floods: boolean;
  /** Whether it ends by itself afterwards. */
  readonly ends: boolean;
  readonly code: number;
  /** How long a child that it leaves behind lives; 0 for none. */
  readonly childMs: number;
  /** Whether it ignores SIGTERM. */
  readonly isStubborn: boolean;
  readonly readsInput: boolean;
}

interface CommandAnswer {
  readonly output: string;
  readonly status: "completed" | "background";
  readonly process_id: number | null;
  readonly exit_code: number | null;
  readonly truncated: boolean;
}

/** @throws Error as {@link simulate} */
export async function simulateCommands(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new CommandsRun(world, failures);
    await run.callers.callAll(calls, (number) => run.randomCall(number), run.others, {
      come: 0.3,
      leave: 0.02,
    });
    await run.end();
  });
}

class CommandsRun {
  readonly callers: Callers<Call>;
  /** Now and then the service ends while callers wait. */
  readonly others: readonly Choice[];
  readonly #processes: SimulatedProcesses;
  /** Whether the service has begun to end, and has ended. */
  #end: "begun" | "over" | undefined;

  constructor(private readonly world: World, failures: number) {
    this.#processes = new SimulatedProcesses(world, failures);
    const options = { platform: { processes: this.#processes }, config: { limits: LIMITS } };
    const app = testApp(options);
    const { secrets } = app.platform;
    secrets.stored.set("stored", itemToText(new Map([["password", SECRET]])));
    const names = secrets.names.bind(secrets);
    secrets.names = async (...args) => {
      await world.answer("the keychain", () => {});
      return await names(...args);
    };
    this.callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    const end = async () => {
      if (this.#end) return;
      this.#end = "begun";
      await app.session[Symbol.asyncDispose]();
      this.#end = "over";
      this.#checkEnded();
    };
    this.others = world.random() < 0.5
      ? []
      : [{ what: "the service ends", weight: 0.005, run: () => void end() }];
  }

  /** All commands end, none is closed twice, and no slot is lost. */
  async end(): Promise<void> {
    if (this.#end) return await stepUntil(this.world, () => this.#end === "over");
    if (await this.callers.end()) return this.#checkEnded();
    await this.#drain();
    await this.callers.call({ path: "bash/restart", body: {} });
    await this.#drain();
    this.#checkEnded();
    const plan: Plan = {
      number: 0,
      says: [],
      floods: false,
      ends: false,
      code: 0,
      childMs: 0,
      isStubborn: false,
      readsInput: false,
    };
    this.#processes.failures = 0;
    for (let slot = 0; slot < LIMITS.maxCommands; slot++) {
      const body = { command: JSON.stringify(plan), timeout: 0 };
      const status = await this.callers.call({ path: "bash/command", body });
      if (status !== 200) throw new Error(`Only ${slot} commands run at the same time: ${status}`);
    }
    await this.callers.call({ path: "bash/restart", body: {} });
    await this.#drain();
    this.#checkEnded();
  }

  async #drain(): Promise<void> {
    while (await this.world.step([]));
  }

  #checkEnded(): void {
    for (const command of this.#processes.all) {
      if (command.isGroupAlive) throw new Error(`${command.name} still runs`);
      if (command.closed !== 1) {
        throw new Error(`${command.name} was closed ${command.closed} times`);
      }
    }
  }

  randomCall(number: number): Call {
    const { world } = this;
    const pid = world.pick([...this.#processes.all.map((each) => each.pid), 1]);
    const process = `bash/process/${pid}`;
    const character = String.fromCodePoint(0x4e00 + number);
    return {
      expected: [404],
      ...world.pickKind<Call>([
        this.#command(number),
        this.#command(number),
        this.#command(number),
        { path: `${process}/input`, body: { text: character, eof: world.random() < 0.3 } },
        {
          path: `${process}/output?offset=0&wait_ms=${world.pick([0, 500, 5_000])}`,
          body: {},
          method: "GET",
        },
        { path: process, body: {}, method: "DELETE" },
        { path: "bash/processes/managed?all=true", body: {}, method: "GET" },
        world.random() < 0.3 ? { path: "bash/restart", body: {} } : this.#command(number),
      ], operationOf),
    };
  }

  #command(number: number): Call {
    const { world } = this;
    const floods = world.random() < 0.2;
    const length = floods ? FLOOD : world.below(4);
    const words = Array.from({ length }, (_, index) => `${number}.${index} `);
    const says = world.random() < 0.2 ? [...words, SECRET.slice(0, 7), SECRET.slice(7)] : words;
    const plan: Plan = {
      number,
      says,
      floods,
      ends: world.random() < 0.7,
      code: world.below(3),
      childMs: world.pick([0, 0, 0, 100, 20_000]),
      isStubborn: world.random() < 0.3,
      readsInput: world.random() < 0.7,
    };
    const body = {
      command: JSON.stringify(plan),
      timeout: world.pick([0, 0.5, 5]),
      max_runtime: world.pick([undefined, 2, 10]),
      stdin_open: world.random() < 0.5,
    };
    return { path: "bash/command", body };
  }

  #checkAnswer(each: Started<Call>): void {
    const { call, answer, startedMs } = each;
    const { text, endedMs } = answer!;
    if (text.includes(SECRET) && !text.includes('"redaction_gap":"')) {
      throw new Error(`${describe(each)} shows a secret`);
    }
    if (this.world.logged.some((line) => line.includes(SECRET))) {
      throw new Error("The log has a secret");
    }
    const took = endedMs - startedMs;
    const { timeout = 0 } = call.body as { readonly timeout?: number };
    const most = (call.path === "bash/command" ? LIMITS.commandWaitMs : 0) + timeout * 1_000;
    if (took > most + REST_MS) throw new Error(`${describe(each)} took ${took} ms`);
    if (!isDone(each)) return;
    if (call.path === "bash/command") this.#checkCommand(each, JSON.parse(text));
    if (call.method === "DELETE" || call.path === "bash/restart") this.#checkKilled(each);
  }

  #checkCommand(each: Started<Call>, answer: CommandAnswer): void {
    const { command } = each.call.body as { readonly command: string };
    const ran = this.#processes.all.find((one) => one.command === command);
    if (ran === undefined) throw new Error(`${describe(each)} succeeded and was not started`);
    if (answer.status === "background") return;
    if (ran.isShellAlive) throw new Error(`${describe(each)} has ended for its caller alone`);
    if (answer.exit_code !== ran.code) {
      throw new Error(`${describe(each)} ended with ${ran.code}, not ${answer.exit_code}`);
    }
    if (answer.truncated || ran.written.includes(SECRET)) return;
    if (answer.output !== ran.written) {
      throw new Error(`${describe(each)} wrote ${ran.written}, not ${answer.output}`);
    }
  }

  /** What was there before has ended. */
  #checkKilled({ call, startedMs }: Started<Call>): void {
    const pid = Number(/\d+$/.exec(call.path)?.[0] ?? 0);
    const alive = this.#processes.all.find((each) =>
      each.isGroupAlive && each.startedMs < startedMs && (pid === 0 || each.pid === pid)
    );
    if (alive) throw new Error(`${alive.name} is alive after ${call.path}`);
  }
}

class SimulatedProcesses implements Processes {
  readonly home = "/nonexistent/home";
  readonly opener = ["opener"];
  readonly all: SimulatedCommand[] = [];
  readonly #pids: number;

  constructor(private readonly world: World, public failures: number) {
    this.#pids = world.pick(PIDS);
  }

  start(line: CommandLine): Command {
    const { world } = this;
    if (world.random() < this.failures) {
      throw new ServiceError("unavailable", "The system starts no more processes");
    }
    const open = this.all.filter(({ closed }) => closed === 0);
    if (open.length >= LIMITS.maxCommands) throw new Error("Too many commands run");
    const used = new Set(this.all.filter((each) => each.isGroupAlive).map(({ pid }) => pid));
    const free = Array.from({ length: this.#pids }, (_, index) => 100 + index)
      .filter((pid) => !used.has(pid));
    const pid = free.length > 0 ? world.pick(free) : 100 + this.#pids + this.all.length;
    const started = new SimulatedCommand(world, pid, line);
    this.all.push(started);
    return started;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

class SimulatedCommand implements Command {
  readonly command: string;
  readonly name: string;
  readonly startedMs: number;
  readonly input: Command["input"];
  readonly ended: Promise<number>;
  /** What the shell has written before its end. */
  written = "";
  /** How it ended. */
  code: number | undefined;
  closed = 0;
  isShellAlive = true;
  isGroupAlive = true;
  readonly #plan: Plan;
  readonly #exit = Promise.withResolvers<number>();
  readonly #gone = Promise.withResolvers<void>();
  #pipe: string[] = [];
  #change = Promise.withResolvers<void>();

  constructor(private readonly world: World, readonly pid: number, line: CommandLine) {
    this.command = line.command;
    this.name = `Command ${pid} ${line.command}`;
    this.startedMs = world.time.now;
    this.#plan = JSON.parse(line.command);
    this.ended = this.#exit.promise;
    const write = async () => {
      if (this.#plan.readsInput) return await this.#will("reads", () => {});
      await this.#gone.promise;
      throw new Error("Broken pipe");
    };
    this.input = line.input ? { write, close: () => Promise.resolve() } : undefined;
    this.#live();
  }

  async read(): Promise<Uint8Array | undefined> {
    while (this.#pipe.length === 0 && this.isGroupAlive && this.closed === 0) {
      await this.#change.promise;
    }
    await new Promise<void>((resolve) => setTimeout(resolve, this.world.below(READ_MS)));
    const text = this.closed > 0 ? undefined : this.#pipe.shift();
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  isAlive(): Promise<boolean> {
    return this.world.answer(`${this.pid} is looked for`, () => this.isGroupAlive);
  }

  holds(pid: number): Promise<boolean> {
    return Promise.resolve(this.isGroupAlive && pid === this.pid);
  }

  gone(): Promise<void> {
    return this.#gone.promise;
  }

  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    return this.#will(signal, () => {
      if (!this.isGroupAlive || signal === "SIGTERM" && this.#plan.isStubborn) return;
      this.#endShell(signal === "SIGTERM" ? 143 : 137);
      this.#endGroup();
    });
  }

  close(): Promise<void> {
    this.closed++;
    this.#notify();
    return Promise.resolve();
  }

  async #live(): Promise<void> {
    const { says, floods, ends, code, childMs } = this.#plan;
    if (floods) await this.#will("writes", () => says.forEach((text) => this.#write(text)));
    else {for (const text of says) {
        await new Promise<void>((resolve) => setTimeout(resolve, this.world.below(2_000)));
        await this.#will("writes", () => this.#write(text));
      }}
    if (!ends) return;
    await this.#will("ends", () => this.#endShell(code));
    if (childMs > 0) setTimeout(() => this.#endGroup(), childMs);
    else this.#endGroup();
  }

  #write(text: string): void {
    if (!this.isShellAlive) return;
    this.written += text;
    this.#pipe.push(text);
    this.#notify();
  }

  #endShell(code: number): void {
    if (!this.isShellAlive) return;
    this.isShellAlive = false;
    this.code = code;
    this.#exit.resolve(code);
  }

  #endGroup(): void {
    this.isGroupAlive = false;
    this.#gone.resolve();
    this.#notify();
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Happens some time, whatever else fails. */
  #will<T>(what: string, value: () => T): Promise<T> {
    return this.world.answer(`${this.pid} ${what}`, value).catch(value);
  }
}
