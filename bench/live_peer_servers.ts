/** What shows a display in a browser: the console of the service, and others that the bench starts beside it. */

import { basename, dirname } from "node:path";
import { missingPackages } from "../src/platform/linux/setup/programs.ts";
import { lastLine } from "../src/core/texts.ts";
import { thisHost } from "../src/platform/host.ts";
import { testFolder } from "../tests/support/folder.ts";
import { lineReader } from "../tests/support/lines.ts";
import { pythonWith } from "../tests/support/python_packages.ts";
import { waitFor } from "../tests/support/wait.ts";
import { freePort, startServer } from "./process.ts";

export interface Peer {
  /** The heading of its column. */
  readonly name: string;
  readonly programs: string;
  /** Of the page, in pixels; the display is then as large in it as it is. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** Why this computer cannot run it. */
  missing(): Promise<string | undefined>;
  /** @param display `:7` */
  start(display: string): Promise<PeerServer>;
  /** What is true in its page when a person has control; it is asked again until then. */
  readonly takeControl?: string;
}

export interface PeerServer extends AsyncDisposable {
  readonly url: string;
}

const NOVNC_PAGE = "/usr/share/novnc/vnc_lite.html";
const NOVNC_PACKAGES = ["novnc", "python3-websockify", "x11vnc"];
const SELKIES = "selkies==2.1.0";
const IO = { stdin: "null", stdout: "null", stderr: "piped" } as const;

export const PEERS: readonly Peer[] = [
  {
    name: "/console",
    programs: "this service",
    viewport: { width: 2_320, height: 1_240 },
    missing: () => Promise.resolve(undefined),
    start: startConsole,
    takeControl: `(() => {
      [...document.querySelectorAll("button")].find((each) => each.textContent === "Take over")?.click();
      return document.getElementById("hand-back") !== null;
    })()`,
  },
  {
    name: "noVNC",
    programs: "x11vnc, websockify and noVNC of Debian, as they are without options",
    viewport: { width: 1_920, height: 1_120 },
    async missing() {
      const missing = await missingPackages(thisHost(), ["bench"]);
      const own = NOVNC_PACKAGES.filter((each) => missing.includes(each));
      return own.length === 0 ? undefined : `not installed: ${own.join(", ")}`;
    },
    start: startNovnc,
  },
  {
    name: "Selkies",
    programs: `${SELKIES} of PyPI over WebSockets, as it is without options for its video`,
    viewport: { width: 1_920, height: 1_080 },
    async missing() {
      const python = await pythonWith([SELKIES]);
      return typeof python === "string" ? `not installed: ${lastLine(python)}` : undefined;
    },
    start: startSelkies,
  },
];

async function startConsole(display: string): Promise<PeerServer> {
  const server = await startServer("../main.ts", ["--port", "0", "--display", `1=${display}`]);
  return {
    url: `http://127.0.0.1:${server.port}/console`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startNovnc(display: string): Promise<PeerServer> {
  await using opening = new AsyncDisposableStack();
  const [vnc, port] = [freePort(), freePort()];
  const server = new Deno.Command("x11vnc", {
    args: ["-display", display, "-rfbport", `${vnc}`, "-localhost", "-forever", "-nopw"],
    ...IO,
  });
  opening.use(await startPeer(server, vnc));
  const proxy = new Deno.Command("websockify", {
    args: ["--web", dirname(NOVNC_PAGE), `127.0.0.1:${port}`, `127.0.0.1:${vnc}`],
    ...IO,
  });
  opening.use(await startPeer(proxy, port));
  const running = opening.move();
  const url = `http://127.0.0.1:${port}/${basename(NOVNC_PAGE)}?scale=false`;
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function startSelkies(display: string): Promise<PeerServer> {
  const python = await pythonWith([SELKIES]);
  if (typeof python === "string") throw new Error(python);
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await testFolder());
  const port = freePort();
  // there is no sound and no gamepad, and the display keeps its size
  const without = ["basic-auth", "resize"].map((each) => `--enable-${each}=false`);
  const devices = ["audio", "gamepad"].map((each) => `--${each}-enabled=false`);
  const server = new Deno.Command("/usr/bin/python3", {
    args: ["-m", "selkies", "--addr", "127.0.0.1", "--port", `${port}`, ...without, ...devices],
    env: {
      PATH: Deno.env.get("PATH")!,
      HOME: home.path,
      XDG_RUNTIME_DIR: home.path,
      PYTHONPATH: python.path,
      DISPLAY: display,
    },
    clearEnv: true,
    ...IO,
  });
  opening.use(await startPeer(server, port));
  const running = opening.move();
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Waits until the program listens on a port. */
async function startPeer(command: Deno.Command, port: number): Promise<AsyncDisposable> {
  const child = command.spawn();
  const said = lineReader(child.stderr);
  const ended = Promise.all([child.status, said.rest()]);
  let isOver = false;
  child.status.then(() => isOver = true);
  const stop = async () => {
    if (!isOver) child.kill("SIGTERM");
    await ended;
  };
  try {
    await waitFor(async () => isOver || await isListening(port), { what: `port ${port}` });
    if (isOver) throw new Error(`it ended at once: ${said.seen.at(-1)}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

async function isListening(port: number): Promise<boolean> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.close();
  return true;
}
