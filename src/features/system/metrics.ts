/**
 * `/metrics`: the figures of the service as Prometheus reads them. Loaded by its first request. No
 * label has a name of a file, a window or a caller.
 */

import process from "node:process";
import Registry from "prom-client/lib/registry.js";
import { BOUNDS_MS, type Figure, FIGURES, Figures, type Timings } from "../figures.ts";
import type { Session } from "../session.ts";

const PREFIX = "computer_control_";

/** A value of a metric; `metricName` where it is not that of the metric. */
interface Value {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  get(): { readonly values: readonly Value[] };
}

/** The text with all figures of now. */
export async function formatMetrics(
  session: Session,
  { version }: { readonly version: string },
): Promise<string> {
  const registry = new Registry();
  const figures = session.use(Figures);
  const ofDesks = [...session.desks.values()].map((desk) => desk.session.use(Figures));
  const info = { labels: { version, system: session.platform.system }, value: 1 };
  const metrics = [
    metric("info", "gauge", "The version of the service and the system.", [info]),
    ...timed("http_requests", "HTTP requests by operation and status", "status", figures.requests),
    ...timed("calls", "Calls of operations by name (batch, MCP, ...)", "outcome", figures.calls),
    ...Object.entries(FIGURES).map(([name, [type, help]]) => {
      const value = [figures, ...ofDesks].reduce(
        (sum, { now }) => sum + (now.get(name as Figure)?.() ?? 0),
        0,
      );
      return metric(name, type, help, [{ value }]);
    }),
    ...ofProcess(session.use(EventLoopLag)),
  ];
  for (const each of metrics) registry.registerMetric(each);
  return await registry.metrics();
}

function metric(
  name: string,
  type: Metric["type"],
  help: string,
  values: readonly Value[],
  prefix = PREFIX,
): Metric {
  const full = prefix + name;
  return { name: full, help, type, get: () => ({ name: full, help, type, values }) };
}

/** How many by outcome, and how long they took. */
function timed(
  name: string,
  help: string,
  outcome: "status" | "outcome",
  known: ReadonlyMap<string, Timings>,
): readonly Metric[] {
  const all = [...known].filter(([, { counts }]) => counts.size > 0);
  const counts = all.flatMap(([operation, { counts }]) =>
    [...counts].map(([code, value]) => ({ labels: { operation, [outcome]: code }, value }))
  );
  const seconds = `${name}_duration_seconds`;
  const times = all.flatMap(([operation, timings]) => histogram(seconds, operation, timings));
  return [
    metric(`${name}_total`, "counter", `${help}.`, counts),
    metric(seconds, "histogram", `${help}: how long they took.`, times),
  ];
}

/** The values of one operation: each bucket has all that took no longer than its bound. */
function histogram(name: string, operation: string, { times, sumMs }: Timings): readonly Value[] {
  let count = 0;
  const metricName = `${PREFIX}${name}_bucket`;
  const buckets = [...times].map((value, place) => {
    const bound = BOUNDS_MS[place];
    const le = bound === undefined ? "+Inf" : bound / 1_000;
    return { labels: { le, operation }, value: count += value, metricName };
  });
  return [
    ...buckets,
    { labels: { operation }, value: sumMs / 1_000, metricName: `${PREFIX}${name}_sum` },
    { labels: { operation }, value: count, metricName: `${PREFIX}${name}_count` },
  ];
}

/** The process, by the names that every Prometheus client has for it. */
function ofProcess(lag: EventLoopLag): readonly Metric[] {
  const { rss, heapUsed } = Deno.memoryUsage();
  const { user, system } = process.cpuUsage();
  const own = (
    name: string,
    help: string,
    value: number,
    type: Metric["type"] = "gauge",
  ) => metric(name, type, help, [{ value }], "process_");
  return [
    own("cpu_seconds_total", "Processor time that was used.", (user + system) / 1e6, "counter"),
    own("resident_memory_bytes", "Memory in use.", rss),
    own(
      "start_time_seconds",
      "When the service started, since 1970.",
      performance.timeOrigin / 1e3,
    ),
    metric("heap_used_bytes", "gauge", "Memory in use by JavaScript.", [{ value: heapUsed }]),
    metric(
      "event_loop_lag_seconds",
      "gauge",
      "How long the main thread was held up at most since the last request for this.",
      [{ value: lag.take() / 1_000 }],
    ),
  ];
}

const LAG_INTERVAL_MS = 250;

/** Measures from its first use how late timers are: nothing else wakes an idle service. */
class EventLoopLag implements Disposable {
  #worstMs = 0;
  #due = performance.now() + LAG_INTERVAL_MS;
  readonly #timer = setInterval(() => this.#note(), LAG_INTERVAL_MS);

  constructor() {
    Deno.unrefTimer(this.#timer);
  }

  /** The worst since the last call, in milliseconds. */
  take(): number {
    const worst = this.#worstMs;
    this.#worstMs = 0;
    return worst;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #note(): void {
    const now = performance.now();
    this.#worstMs = Math.max(this.#worstMs, now - this.#due);
    this.#due = now + LAG_INTERVAL_MS;
  }
}
