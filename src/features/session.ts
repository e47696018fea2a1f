/** The service's state while it runs: that of each feature, from its first use. */

import type { Config } from "../config/config.ts";
import type { Limits } from "../config/limits.ts";
import type { Platform, Reading } from "../platform/types/mod.ts";
import type { Actor } from "./actor.ts";
import type { Spans } from "./telemetry/spans.ts";

/** What decides whether an operation becomes a chapter of a recording. */
export interface NotedOperation {
  readonly id: string;
  readonly group: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly runsOthers?: boolean;
}

/** An operation that is called, as those are told who watch what is done. */
export interface CalledNote {
  readonly id: string;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly unnamed?: boolean;
}

type Ending = Partial<Disposable & AsyncDisposable>;

/** State that a feature keeps while the service runs: a class that is made from the session. */
type FeatureState<State> =
  | { openIn(session: Session): State }
  | (new (session: Session) => State);

export class Session implements AsyncDisposable {
  /** Notes an operation that begins; absent while nothing has been recorded. */
  noteOperation?: (operation: NotedOperation, input: unknown) => void;
  /**
   * Notes a call, whether or not it may run; what it returns is called at its end, with the error if
   * it fails. Absent while nobody has watched.
   */
  noteCall?: (operation: CalledNote, input: unknown, actor: Actor) => (error?: unknown) => void;
  /** Traces operations; absent where nothing is traced. */
  spans?: Spans;
  /** How the screens were read of which a picture was taken, by the system's name of the display. */
  readonly readings = new Map<string, Reading>();
  readonly stateDir: string;
  readonly #states = new Map<FeatureState<object>, Ending>();
  #hasEnded = false;

  constructor(
    readonly platform: Platform,
    readonly limits: Limits,
    { stateDir }: Pick<Config, "stateDir">,
  ) {
    this.stateDir = stateDir;
  }

  /**
   * The state of a feature, which is made when it is first used: who does not use the feature has
   * none of its modules. It ends with the session.
   */
  use<State extends object>(feature: FeatureState<State>): State {
    const known = this.#states.get(feature);
    if (known !== undefined) return known as State;
    const state = "openIn" in feature ? feature.openIn(this) : new feature(this);
    this.#states.set(feature, state as Ending);
    if (this.#hasEnded) end(state as Ending);
    return state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await Promise.all([...this.#states.values()].map(end));
  }
}

async function end(state: Ending): Promise<void> {
  state[Symbol.dispose]?.();
  await state[Symbol.asyncDispose]?.();
}
