/**
 * A loop for an agent: look at the screen, let a model decide, do it, until the goal is reached.
 *
 * Start the service first, then:
 *
 *     deno run -A examples/agent_loop.ts /tmp/greeting.txt      (or node, from 22.18)
 *
 * The model here is a scripted stand-in, so that the loop runs without a key: see decide().
 * COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the service is and what it asks for.
 */

import process from "node:process";

const SERVICE = process.env["COMPUTER_CONTROL_URL"] ?? "http://127.0.0.1:4242";
const TOKEN = process.env["COMPUTER_CONTROL_TOKEN"];
const MAX_STEPS = 20;

/** What a model may ask for. Points are those of the picture that it has seen. */
type Action =
  | { action: "click"; x: number; y: number }
  | { action: "type"; text: string }
  | { action: "key"; key: string }
  | { action: "scroll"; clicks: number }
  | { action: "run"; command: string }
  | { action: "wait"; until: unknown }
  | { action: "done" }
  | { action: "give up"; reason: string };

interface Picture {
  png: Uint8Array;
  /** The name of its coordinate space. */
  frame: string;
}

interface Goal {
  text: string;
  file: string;
}

interface Step {
  action: Action;
  result: unknown;
}

/** Sends a request to the service; throws with what it says when it refuses. */
async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(SERVICE + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(TOKEN === undefined ? {} : { authorization: `Bearer ${TOKEN}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

/** Calls an operation; gives its JSON, or undefined where it has none. */
async function post(path: string, body: unknown): Promise<unknown> {
  const text = await (await send("POST", path, body)).text();
  return text === "" ? undefined : JSON.parse(text);
}

/** Takes a picture in the size that a model reads best. */
async function look(): Promise<Picture> {
  const response = await send("GET", "/api/display/screenshot?format=png&fit=claude&cursor=true");
  const png = new Uint8Array(await response.arrayBuffer());
  return { png, frame: response.headers.get("x-frame")! };
}

/**
 * The place for a model: it gets the goal, the picture and what was done, and returns one action.
 *
 * With a real model send picture.png (base64 in most interfaces), the goal and the history, and turn
 * its answer into one Action.
 */
function decide(goal: Goal, _picture: Picture, history: readonly Step[]): Promise<Action> {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const script: Action[] = [
    { action: "run", command: "LC_ALL=C.UTF-8 xterm -T Agent -geometry 80x24+0+0" },
    { action: "wait", until: { window: { title: "Agent" } } },
    { action: "click", x: 200, y: 150 },
    { action: "type", text: `printf '%s\\n' ${quote(goal.text)} > ${quote(goal.file)}` },
    { action: "key", key: "enter" },
    { action: "wait", until: { file: { path: goal.file, contains: goal.text } } },
    { action: "done" },
  ];
  if ((history.at(-1)?.result as { status?: string })?.status === "timeout") {
    return Promise.resolve({ action: "give up", reason: "what was waited for did not come" });
  }
  return Promise.resolve(script[history.length]!);
}

/** Does one action of a model. Points of the picture are mapped to the screen by its frame. */
function act(
  action: Exclude<Action, { action: "done" | "give up" }>,
  { frame }: Picture,
): Promise<unknown> {
  switch (action.action) {
    case "click":
      return post("/api/mouse/left-click", { x: action.x, y: action.y, frame });
    case "type":
      return post("/api/keyboard/type", { text: action.text });
    case "key":
      return post("/api/keyboard/key", { key: action.key });
    case "scroll":
      return post("/api/mouse/scroll", { clicks: action.clicks });
    case "run":
      return post("/api/bash/command", { command: action.command, timeout: 0 });
    case "wait":
      return post("/api/display/wait", { until: action.until, timeout_ms: 10_000 });
  }
}

/** Runs the loop; true when the model says that the goal is reached. */
async function reach(goal: Goal): Promise<boolean> {
  const history: Step[] = [];
  for (let step = 1; step <= MAX_STEPS; step++) {
    const picture = await look();
    const action = await decide(goal, picture, history);
    console.log(`step ${step}: ${JSON.stringify(action)}`);
    if (action.action === "done") return true;
    if (action.action === "give up") return false;
    history.push({ action, result: await act(action, picture) });
  }
  return false;
}

try {
  const file = process.argv[2] ?? "/tmp/greeting.txt";
  process.exitCode = await reach({ text: "Grüße, 漢字 😀", file }) ? 0 : 1;
} finally {
  await post("/api/system/release-all", {}); // whatever happened, no key stays down
}
