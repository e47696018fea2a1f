/** The service's state while it runs: that of each feature, from its first use. */

import type { Config } from "../config/config.ts";
import type { Limits } from "../config/limits.ts";
import type { ServiceError } from "../core/errors.ts";
import type { Platform, Reading } from "../platform/types/mod.ts";
import type { Actor } from "./actor.ts";
import type { NamedOperation } from "./call_names.ts";
import type { Spans } from "./telemetry/spans.ts";

/** What decides whether an operation becomes a chapter of a recording. */
export interface NotedOperation extends NamedOperation {
  readonly readOnly: boolean;
  readonly runsOthers?: boolean;
}

/** Whether all that it does is noted by itself: a batch, a turn of an agent, a tool of MCP. */
export function isMadeOfOthers({ runsOthers, group, path }: NotedOperation): boolean {
  return runsOthers === true || group === "agents" || path.startsWith("/mcp/");
}

/** An operation that is called, as those are told who watch what is done. */
export interface CalledNote extends NotedOperation {
  readonly method: string;
  readonly unnamed?: boolean;
}

/** Who calls it, and the request that it is, or belongs to. */
export interface NotedCaller {
  readonly actor: Actor;
  readonly requestId?: string | undefined;
  readonly isPart?: boolean | undefined;
  /** Where it runs, or would, if not on the service's own displays. */
  readonly desk?: NotedDesk | undefined;
}

export interface NotedDesk {
  readonly name: string;
  /** Absent where there is no such desk. */
  readonly session?: Session | undefined;
}

/** A desktop beside that of the service: what operations use there in place of the service's own. */
export interface Desk {
  readonly name: string;
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** What runs on it, and ends with it. */
  readonly running: Set<{ end(reason: ServiceError): void }>;
}

/** A call that is noted. */
export interface NotedCall {
  /**
   * Whoever keeps what there was before it does so now: await it before it runs. Absent where nobody
   * does.
   */
  prepare?(): Promise<void>;
  /** It has ended: with an error, or with its answer. Called once. */
  end(error?: unknown, answer?: unknown): void;
}

type Ending = Partial<Disposable & AsyncDisposable>;

/** State that a feature keeps while the service runs: a class that is made from the session. */
type FeatureState<State> =
  & ({ openIn(session: Session): State } | (new (session: Session) => State))
  & {
    /** Whether there is one for the whole service: the sessions of desks share it. */
    readonly ofService?: true;
  };

export class Session implements AsyncDisposable {
  /** Tells a desk from an earlier one of the same name. */
  readonly id: string = crypto.randomUUID();
  /** Notes an operation that begins; absent while nothing has been recorded. */
  noteOperation?: (operation: NotedOperation, input: unknown) => void;
  /**
   * Notes a call, whether or not it may run, and is told of its end. Absent while nobody wants to
   * know; the result is absent for a call that is not noted.
   */
  noteCall?: (operation: CalledNote, input: unknown, caller: NotedCaller) => NotedCall | undefined;
  /** Aborts when the service begins to stop: what would go on for ever ends then. */
  readonly stopping = new AbortController();
  /** Traces operations; absent where nothing is traced. */
  spans?: Spans;
  /** How the screens were read of which a picture was taken, by the system's name of the display. */
  readonly readings: Map<string, Reading>;
  /** The desks of the service by name. */
  readonly desks: Map<string, Desk>;
  readonly stateDir: string;
  /** Whether stored secrets are replaced in what is reported. */
  readonly redact: boolean;
  /** The file that gets a line for each operation. */
  readonly auditFile: string | undefined;
  readonly #states = new Map<FeatureState<object>, Ending>();
  #hasEnded = false;

  constructor(
    readonly platform: Platform,
    readonly limits: Limits,
    { stateDir, redact = true, auditFile }:
      & Pick<Config, "stateDir">
      & Partial<Pick<Config, "redact" | "auditFile">>,
    /** Of a desk: its name, and the session of the service. */
    private readonly within?: { readonly name: string; readonly service: Session },
  ) {
    this.readings = within?.service.readings ?? new Map();
    this.desks = within?.service.desks ?? new Map();
    this.stateDir = stateDir;
    this.redact = redact;
    this.auditFile = auditFile;
  }

  /** The session of the whole service. */
  get service(): Session {
    return this.within?.service ?? this;
  }

  /** The desk whose session it is; absent for that of the service. */
  get desk(): NotedDesk | undefined {
    return this.within === undefined ? undefined : { name: this.within.name, session: this };
  }

  /**
   * The state of a feature, which is made when it is first used: who does not use the feature has
   * none of its modules. It ends with the session.
   */
  use<State extends object>(feature: FeatureState<State>): State {
    if (feature.ofService && this.within !== undefined) return this.service.use(feature);
    const known = this.#states.get(feature);
    if (known !== undefined) return known as State;
    const state = "openIn" in feature ? feature.openIn(this) : new feature(this);
    this.#states.set(feature, state as Ending);
    if (this.#hasEnded) end(state as Ending);
    return state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    this.stopping.abort();
    await Promise.all([...this.#states.values()].map(end));
  }
}

async function end(state: Ending): Promise<void> {
  state[Symbol.dispose]?.();
  await state[Symbol.asyncDispose]?.();
}
