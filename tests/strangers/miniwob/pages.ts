/**
 * MiniWoB++: 130 small tasks in web pages that judge themselves (Farama Foundation, MIT; the package
 * `miniwob` on PyPI, which is fetched when it is first needed and is no part of this repository).
 * https://miniwob.farama.org
 */

import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../../support/wait.ts";

export const PACKAGE = "miniwob==1.1.0";
const FOLDER = fileURLToPath(new URL("../../../dist/strangers/miniwob/", import.meta.url));

/** Each page has a mark beside its task, by which a picture of one is told from that of the page before. */
export const MARK = { x: 600, y: 400, width: 8, height: 8 } as const;
const MARK_COLORS = ["red", "blue"] as const;

/** What a page says of an episode: what to do, and in the end what that was worth, from -1 to 1. */
export interface Episode {
  /** The name of the colour of its mark. */
  readonly mark: string;
  readonly task: string;
  readonly reward?: number;
}

export interface TaskPages extends AsyncDisposable {
  /** The names of the tasks, such as `click-button`. */
  readonly names: readonly string[];
  /** The page that a browser shows first: it waits for the first episode. */
  readonly lobby: string;
  /** Waits until a browser shows the lobby. */
  shown(): Promise<void>;
  /** Brings the browser from where it is to a task: the episode begins when its page is loaded. */
  begin(name: string, seed: number): void;
  /** The state of the episode that was begun last; `undefined` until its page is ready. */
  episode(): Episode | undefined;
}

/** Longer than every solver needs; some tasks end earlier by themselves. */
const EPISODE_MS = 300_000;

/** No episode has this number. */
const LOBBY = "0";
/** How long a browser may take to start on a busy computer. */
const START_MS = 300_000;

/** Asks for the next episode, and goes there. */
const GO_ON = `<script>
const asked = new URLSearchParams(location.search);
addEventListener("load", async () => {
  location.replace(await (await fetch("/next?id=" + asked.get("id"))).text());
});
</script>`;

/** Begins the episode in place of a click on START, and reports the page's own reward. */
const JUDGE = `<script>
addEventListener("load", () => {
  const report = (what) =>
    fetch("/report", { method: "POST", body: JSON.stringify({ id: asked.get("id"), ...what }) });
  const end = core.endEpisode;
  core.endEpisode = (...result) => {
    const wasDone = WOB_DONE_GLOBAL;
    end(...result);
    if (WOB_DONE_GLOBAL && !wasDone) report({ reward: WOB_RAW_REWARD_GLOBAL });
  };
  core.EPISODE_MAX_TIME = Math.max(core.EPISODE_MAX_TIME, ${EPISODE_MS});
  const begin = () => {
    if (!WOB_TASK_READY) return setTimeout(begin, 20);
    Math.seedrandom(asked.get("seed"));
    core.startEpisodeReal();
    const mark = document.createElement("div");
    mark.ariaHidden = "true";
    mark.style = "position: fixed; pointer-events: none; left: ${MARK.x}px; top: ${MARK.y}px; " +
      "width: ${MARK.width}px; height: ${MARK.height}px; background: " + asked.get("mark");
    document.documentElement.append(mark);
    const said = core.getUtterance(); // some pages add to it what it means
    const task = said.utterance ?? said;
    const onScreen = () => setTimeout(() => report({ task }), 50);
    requestAnimationFrame(() => requestAnimationFrame(onScreen)); // the second frame follows the first one's picture
  };
  begin();
});
</script>`;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

interface Loaded extends Episode {
  readonly id: number;
  readonly url: string;
}

export async function serveTasks(): Promise<TaskPages> {
  const root = await fetchPages();
  let loaded: Loaded = { id: 0, url: "", task: "", mark: "" };
  let waiting = Promise.withResolvers<void>();
  let isShown = false;
  let isOver = false;
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/lobby") {
      return new Response(GO_ON, { headers: { "content-type": "text/html" } });
    }
    if (pathname === "/next") {
      if (searchParams.get("id") === LOBBY) isShown = true;
      while (!isOver && Number(searchParams.get("id")) === loaded.id) await waiting.promise;
      return new Response(loaded.url);
    }
    if (pathname === "/report") {
      const { id, ...said } = await request.json();
      if (Number(id) === loaded.id) Object.assign(loaded, said);
      return new Response();
    }
    const bytes = await Deno.readFile(join(root, pathname)).catch(() => undefined);
    if (bytes === undefined) return new Response("", { status: 404 });
    const type = TYPES[extname(pathname)] ?? "application/octet-stream";
    const isTask = pathname.startsWith("/miniwob/") && type.startsWith("text/html");
    const body = isTask
      ? new TextDecoder().decode(bytes).replace("</head>", () => `${GO_ON}${JUDGE}</head>`)
      : bytes;
    return new Response(body, { headers: { "content-type": type, "cache-control": "no-cache" } });
  });
  const names: string[] = [];
  for await (const { name } of Deno.readDir(join(root, "miniwob"))) {
    if (name.endsWith(".html")) names.push(name.slice(0, -".html".length));
  }
  return {
    names: names.sort(),
    lobby: `http://127.0.0.1:${server.addr.port}/lobby?id=${LOBBY}`,
    async shown() {
      await waitFor(() => isShown, { what: "a browser", timeoutMs: START_MS });
      isShown = false;
    },
    begin(name, seed) {
      const id = loaded.id + 1;
      const mark = MARK_COLORS[id % MARK_COLORS.length]!;
      const asked = new URLSearchParams({ seed: String(seed), id: String(id), mark });
      loaded = { id, url: `/miniwob/${name}.html?${asked}`, task: "", mark };
      waiting.resolve();
      waiting = Promise.withResolvers();
    },
    episode: () => loaded.task === "" ? undefined : { ...loaded },
    async [Symbol.asyncDispose]() {
      isOver = true;
      waiting.resolve(); // the server waits for its last answer
      await server.shutdown();
    },
  };
}

/** The folder of the pages; fetched once. */
async function fetchPages(): Promise<string> {
  const pages = join(FOLDER, "miniwob", "html");
  if (await Deno.stat(pages).catch(() => undefined)) return pages;
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", FOLDER, PACKAGE];
  const { success, stderr } = await new Deno.Command("/usr/bin/python3", { args }).output();
  if (!success) throw new Error(`pip cannot fetch it: ${new TextDecoder().decode(stderr)}`);
  return pages;
}
