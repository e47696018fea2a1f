/**
 * A batch of ten actions and a picture beside the same as single requests. Run alone, with the
 * address of a cua computer-server on the same display, it asks that for the same actions too:
 * `deno run -A bench/batch.ts :7 http://127.0.0.1:8000`.
 */

import { type Started, startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { describeMachine, row, section } from "./report.ts";

const WARM_UP = 10;
const ROUNDS = 60;
const PEER_ROUNDS = 5;
const PICTURE = { format: "jpeg", max_width: 1_280 };

interface Action {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The command of cua's computer-server. */
  readonly peer: readonly [string, Readonly<Record<string, unknown>>];
}

const ACTIONS: readonly Action[] = [
  { operation: "mouse.move", input: at(300, 200), peer: ["move_cursor", at(300, 200)] },
  { operation: "mouse.left-click", input: at(500, 300), peer: ["left_click", at(500, 300)] },
  {
    operation: "keyboard.type",
    input: { text: "hello", typing_delay: 0 },
    peer: ["type_text", { text: "hello" }],
  },
  { operation: "keyboard.key", input: { key: "enter" }, peer: ["press_key", { key: "enter" }] },
  {
    operation: "keyboard.hotkey",
    input: { keys: ["ctrl", "a"] },
    peer: ["hotkey", { keys: ["ctrl", "a"] }],
  },
  { operation: "mouse.scroll", input: { clicks: -1 }, peer: ["scroll_down", { clicks: 1 }] },
  { operation: "mouse.move", input: at(700, 400), peer: ["move_cursor", at(700, 400)] },
  { operation: "mouse.right-click", input: at(800, 500), peer: ["right_click", at(800, 500)] },
  { operation: "keyboard.key", input: { key: "escape" }, peer: ["press_key", { key: "esc" }] },
  { operation: "mouse.position", input: {}, peer: ["get_cursor_position", {}] },
];

export async function benchBatch(xDisplay: string, peer?: string): Promise<void> {
  await using service = await startServer("../main.ts", [
    ...["--port", "0", "--display", `1=${xDisplay}`],
  ]);
  const inTurn: (() => Promise<unknown>)[] = [
    () => runBatch(service, ACTIONS.map(({ operation, input }) => ({ operation, input }))),
    () => runSingly(service),
  ];
  const times: number[][] = inTurn.map(() => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [index, run] of inTurn.entries()) {
      const ms = await timed(run);
      if (round >= WARM_UP) times[index]!.push(ms);
    }
  }
  const [batch, single] = times.map((each) => percentile(each, 50)) as [number, number];
  section("Ten actions and a picture of 1280 pixels (p50 ms; share of the single requests)");
  row("one batch (goal 1.3)", [batch.toFixed(1), (batch / single).toFixed(2)]);
  row("eleven requests, one connection", [single.toFixed(1), "1.00"]);
  if (peer === undefined) return;
  const others: number[] = [];
  for (let round = 0; round < PEER_ROUNDS; round++) others.push(await timed(() => askPeer(peer)));
  const other = percentile(others, 50);
  row("the same actions, without the picture: cua's computer-server", [
    ...[other.toFixed(1), (other / single).toFixed(2)],
  ]);
}

function at(x: number, y: number) {
  return { x, y };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function runBatch({ port }: Started, steps: readonly object[]): Promise<void> {
  const answer = await send(`http://127.0.0.1:${port}/api/batch`, {
    steps,
    then_screenshot: PICTURE,
  });
  const { status, screenshot } = JSON.parse(answer);
  if (status !== "completed" || screenshot.width !== PICTURE.max_width) throw new Error(answer);
}

async function runSingly({ port }: Started): Promise<void> {
  for (const { operation, input } of ACTIONS) {
    const url = `http://127.0.0.1:${port}/api/${operation.replace(".", "/")}`;
    if (operation === "mouse.position") await read(await fetch(url));
    else await send(url, input);
  }
  const query = `format=${PICTURE.format}&max_width=${PICTURE.max_width}`;
  await read(await fetch(`http://127.0.0.1:${port}/api/display/screenshot?${query}`));
}

async function askPeer(address: string): Promise<void> {
  for (const { peer } of ACTIONS) {
    const [command, params] = peer;
    const answer = await send(`${address}/cmd`, { command, params });
    if (!answer.includes('"success": true')) throw new Error(`${command}: ${answer}`);
  }
}

async function send(url: string, body: object): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return new TextDecoder().decode(await read(response));
}

async function read(response: Response): Promise<Uint8Array> {
  const bytes = await response.bytes();
  if (!response.ok) throw new Error(new TextDecoder().decode(bytes));
  return bytes;
}

if (import.meta.main) {
  const [display, peer] = Deno.args;
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchBatch(display ?? ":1", peer);
}
