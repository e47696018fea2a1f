/** Load over HTTP by `wrk`: requests per second and latencies of one POST. */

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly body: unknown;
  /** The body of every second request. */
  readonly other?: unknown;
  readonly connections: number;
  readonly seconds: number;
}

export interface Figures {
  /** In all. */
  readonly requests: number;
  readonly perSecond: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** @throws Error when an answer was no 2xx, or a request failed. */
export async function measure(load: Load): Promise<Figures> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, luaScript(load.body, load.other ?? load.body));
    const { stdout, stderr, success } = await new Deno.Command("wrk", {
      args: [
        ...["-t1", `-c${load.connections}`, `-d${load.seconds}s`, "-s", script],
        `http://127.0.0.1:${load.port}${load.path}`,
      ],
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(`wrk failed: ${new TextDecoder().decode(stderr)}`);
    const result = JSON.parse(text.slice(text.lastIndexOf("{")));
    if (result.failed > 0) throw new Error(`${load.path}: ${result.failed} requests failed`);
    return result;
  } finally {
    await Deno.remove(script);
  }
}

/** The middle of several runs, by requests per second. */
export function median<F extends Figures>(runs: readonly F[]): F {
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function luaScript(...bodies: readonly unknown[]): string {
  const [first, second] = bodies.map((body) => JSON.stringify(JSON.stringify(body)));
  return `
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = ${first}
${first === second ? "" : takeTurns(second!)}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"perSecond":%f,"p50":%f,"p99":%f,"failed":%d}',
    summary.requests, summary.requests * 1e6 / summary.duration, latency:percentile(50), latency:percentile(99),
    e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

function takeTurns(second: string): string {
  return `
local requests, count = {}, 0
function init()
  requests = { [0] = wrk.format(), wrk.format(nil, nil, nil, ${second}) }
end
function request()
  count = count + 1
  return requests[count % 2]
end`;
}
