/** What the solvers of local tasks act with, and its first kind: the operations of the service. */

import type { Region } from "../../../src/core/geometry.ts";
import { waitFor } from "../../support/wait.ts";
import { parseLines, textIn } from "../miniwob/hand.ts";

export interface LocalHand {
  /** The home folder of the programs. */
  readonly home: string;
  /** What the programs of the desktop tell assistive technology. */
  readonly desktop: Elements;
  /** What is inside the page of the browser. */
  readonly page: Elements;
  /** Starts a program; gives its process once its window is there. */
  open(started: Started): Promise<number>;
  /** A key or a combination for what has the keyboard: `Enter`, `ctrl+a`. */
  key(key: string, repeat?: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Shows an address in the browser by its address bar. */
  visit(address: string): Promise<void>;
  /** Types commands into a terminal of its own, which ends with the last one. */
  inTerminal(...commands: readonly string[]): Promise<void>;
  /** Chooses an item of the menus of the program in front. */
  menu(...path: readonly string[]): Promise<void>;
  /** Waits until nothing moves on the display. */
  still(): Promise<void>;
  /** Waits until a file has that text. */
  fileHas(path: string, text: string): Promise<void>;
  /** Waits until the page of the browser no longer has that text. */
  pageLacks(text: string): Promise<void>;
  /** Waits for a window whose title has that in it. */
  window(title: string): Promise<void>;
  /** Waits until there is none. */
  windowGone(title: string): Promise<void>;
  bounds(title: string): Promise<Region>;
  /** Waits until a point of the display has about that colour. */
  pixel(x: number, y: number, rgb: readonly number[]): Promise<void>;
  /** Waits until the window of a program fills the display. */
  fullScreen(app: string): Promise<void>;
}

export interface Started {
  readonly program: string;
  readonly args: readonly string[];
  /** A part of the title of its window. */
  readonly title: string;
}

/** An element that a search has found. */
export interface Found {
  readonly name: string;
  readonly states: readonly string[];
}

/** One that the service has found. */
interface Addressed extends Found {
  readonly ref: string;
}

export interface Elements {
  /** The first of a role whose name is that, or else has that in it; waits for it. `""` is one without a name. */
  need(role: string, name: string): Promise<Found>;
  click(role: string, name: string): Promise<void>;
  /** Turns the wheel over it, upwards for more than 0. */
  scroll(role: string, name: string, clicks: number): Promise<void>;
  /** Replaces the content of a field, or chooses an option by its label. */
  fill(role: string, name: string, value: string): Promise<void>;
  /** Waits until the element has that state. */
  hasState(role: string, name: string, state: string): Promise<void>;
}

/** How long a program may take to show something, in milliseconds. */
const SHOW_MS = 60_000;
/** How long it may take to start, in milliseconds. */
const OPEN_MS = 300_000;
const AGAIN_MS = 100;
/** How far a channel of a colour may be from what is waited for. */
export const TOLERANCE = 60;

type Call = (path: string, body?: object) => Promise<unknown>;

/** @param address of the service, `http://127.0.0.1:34567` */
export function openLocalHand(address: string, home: string): LocalHand {
  const call: Call = async (path, body) => {
    const response = await fetch(`${address}/api/${path}`, {
      ...(body === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const wait = async (path: string, condition: object) => {
    const { status } = await call(path, { ...condition, timeout_ms: SHOW_MS }) as {
      readonly status: string;
    };
    if (status === "timeout") throw new Error(`Waited in vain for ${JSON.stringify(condition)}`);
  };
  const until = (condition: object | string) => wait("display/wait", { until: condition });
  const key = async (name: string, repeat = 1) =>
    void await call("keyboard/key", { key: name, repeat });
  const type = async (text: string) => void await call("keyboard/type", { text });
  const window = (title: string) => until({ window: { title } });
  return {
    home,
    desktop: desktopElements(call),
    page: pageElements(call),
    async open({ program, args, title }) {
      const opened = await call("window/open", { program, args, timeout_ms: OPEN_MS });
      await window(title);
      const { window: own } = opened as { readonly window: { readonly pid: number } | null };
      if (own === null) throw new Error(`${program} has opened no window`);
      return own.pid;
    },
    key,
    type,
    async visit(url) {
      await key("ctrl+l");
      await type(url);
      await key("Delete"); // what the browser adds to it
      await key("Enter");
      await wait("browser/wait", { url });
      await wait("browser/wait", { loaded: true });
    },
    async inTerminal(...commands) {
      const opened = await call("window/open", { program: "xterm" }) as {
        readonly window: { readonly id: string };
      };
      for (const command of [...commands, "exit"]) await type(`${command}\n`);
      await until({ gone: { window: { id: opened.window.id } } });
    },
    menu: async (...path) =>
      void await call("accessibility/act", { action: "menu", menu_path: path }),
    still: () => until("stable"),
    fileHas: (path, contains) => until({ file: { path, contains } }),
    pageLacks: (text_gone) => wait("browser/wait", { text_gone }),
    window,
    windowGone: (title) => until({ gone: { window: { title } } }),
    bounds: async () => (await call("window/active") as { readonly bounds: Region }).bounds,
    pixel: (x, y, rgb) => until({ pixel: { x, y, rgb, tolerance: TOLERANCE } }),
    fullScreen: (app) => until({ window: { app, states: ["fullscreen"] } }),
  };
}

/** How a program of the desktop or a page is searched and acted on. */
export interface Ways<Each extends Found> {
  find(role: string, name: string): Promise<readonly Each[]>;
  click(found: Each): Promise<unknown>;
  scroll(found: Each, clicks: number): Promise<unknown>;
  fill(found: Each, value: string): Promise<unknown>;
}

export function elementsBy<Each extends Found>(
  { find, click, scroll, fill }: Ways<Each>,
): Elements {
  async function look(role: string, name: string): Promise<Each | undefined> {
    const found = await find(role, name);
    return found.find((each) => each.name === name) ?? found[0];
  }
  const soon = { timeoutMs: SHOW_MS, everyMs: AGAIN_MS };
  const need = (role: string, name: string) =>
    waitFor(() => look(role, name), { ...soon, what: `a ${role} "${name}"` });
  return {
    need,
    async click(role, name) {
      await click(await need(role, name));
    },
    async scroll(role, name, clicks) {
      await scroll(await need(role, name), clicks);
    },
    async fill(role, name, value) {
      await fill(await need(role, name), value);
    },
    async hasState(role, name, state) {
      await waitFor(async () => (await look(role, name))?.states.includes(state), {
        ...soon,
        what: `a ${role} "${name}" that is ${state}`,
      });
    },
  };
}

function desktopElements(call: Call): Elements {
  return elementsBy<Addressed>({
    async find(role, name) {
      const wanted = { role, ...(name === "" ? {} : { name }), window: "all" };
      return (await call("accessibility/find", wanted) as { elements: Addressed[] }).elements;
    },
    click: ({ ref }) => call("mouse/click", { ref }),
    scroll: ({ ref }, clicks) => call("mouse/scroll", { ref, clicks }),
    fill: ({ ref }, value) => call("accessibility/act", { ref, action: "set_value", value }),
  });
}

/** A page is read as a whole: what it is asked for by words has no states. */
function pageElements(call: Call): Elements {
  return elementsBy<Addressed>({
    async find(role, name) {
      const { text } = await call("browser/snapshot", { filter: "all" }) as { text: string };
      return parseLines(text).flatMap((line) => {
        const { ref, parent } = line;
        const named = line.name || (parent ? textIn(parent) : ""); // what stands beside it
        return ref !== undefined && line.role === role && named.includes(name)
          ? [{ ...line, ref }]
          : [];
      });
    },
    click: ({ ref }) => call("browser/click", { ref }),
    scroll: ({ ref }, clicks) => call("browser/scroll", { ref, clicks }),
    fill: ({ ref }, value) => call("browser/fill", { ref, value }),
  });
}
