/**
 * What is counted while the service runs, from its start: so cheaply that it is always done. Of
 * `/metrics` (`system/metrics.ts`) it becomes text.
 */

/** The upper bounds of the times that are told apart, in milliseconds. */
export const BOUNDS_MS: readonly number[] = [
  ...[0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500],
  ...[1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000],
];

/** How often something has ended, how, and how long it took. */
export class Timings {
  /** By outcome. */
  readonly counts = new Map<string | number, number>();
  /** How many took at most the bound of the same place, and no less than the one before; last, more. */
  readonly times = new Float64Array(BOUNDS_MS.length + 1);
  sumMs = 0;

  add(outcome: string | number, ms: number): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    this.sumMs += ms;
    let place = 0;
    while (ms > BOUNDS_MS[place]!) place++; // beyond the last one, nothing is greater
    this.times[place]!++;
  }
}

/** What a state of the service has of something now, or has had so far. */
export const FIGURES = {
  commands_running: ["gauge", "Shell commands that run, in the background too."],
  commands_waiting: ["gauge", "Shell commands that wait for a place."],
  connections: ["gauge", "Open connections of clients."],
  held_buttons: ["gauge", "Mouse buttons that are held down."],
  held_keys: ["gauge", "Keys that are held down."],
  idempotency_keys: ["gauge", "Remembered keys of Idempotency-Key."],
  input_waiting: ["gauge", "Input operations that wait for their turn, of all displays."],
  pictures_in_progress: ["gauge", "Pictures that are being taken, or wait for it."],
  pictures_total: ["counter", "Pictures of displays that were taken, or could not be."],
} as const satisfies Readonly<Record<string, readonly ["gauge" | "counter", string]>>;

export type Figure = keyof typeof FIGURES;

export class Figures {
  /** HTTP requests by the id of their operation; see {@link NO_OPERATION}. */
  readonly requests = new Map<string, Timings>();
  /** Calls by name (of a batch, of MCP, ...) by the id of their operation; outcomes are error codes. */
  readonly calls = new Map<string, Timings>();
  /** Read when somebody asks; absent for what nobody has used. */
  readonly now = new Map<Figure, () => number>();

  /** @param id of an operation: it becomes a label, of which there may be only so many */
  static of(all: Map<string, Timings>, id: string): Timings {
    return all.getOrInsertComputed(id, () => new Timings());
  }
}

/** The label of all requests that reach no operation: pages, unknown addresses, refusals of the guard. */
export const NO_OPERATION = "none";
/** The label of the requests to `/mcp`. */
export const MCP_REQUEST = "mcp";
