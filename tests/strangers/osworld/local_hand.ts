/** What the solvers of local tasks act with: the operations of the service. */

import { waitFor } from "../../support/wait.ts";
import { parseLines, textIn } from "../miniwob/hand.ts";

export interface LocalHand {
  /** The home folder of the programs. */
  readonly home: string;
  /** Calls an operation, which must succeed. */
  call(path: string, body?: object): Promise<unknown>;
  /** What the programs of the desktop tell assistive technology. */
  readonly desktop: Elements;
  /** What is inside the page of the browser. */
  readonly page: Elements;
  /** A key or a combination for what has the keyboard: `Enter`, `ctrl+a`. */
  key(key: string, repeat?: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Shows an address in the browser by its address bar. */
  visit(address: string): Promise<void>;
  /** Types commands into a terminal of its own, which ends with the last one. */
  inTerminal(...commands: readonly string[]): Promise<void>;
  /** Waits until the display, or the page of the browser, is as it says. */
  until(condition: object | string): Promise<void>;
  pageUntil(condition: object): Promise<void>;
  /** Waits for a window whose title has that in it. */
  window(title: string): Promise<void>;
  /** Waits until there is none. */
  windowGone(title: string): Promise<void>;
}

/** An element that a search has found. */
export interface Found {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states: readonly string[];
}

export interface Elements {
  /** The first of a role whose name is that, or else has that in it; waits for it. `""` is one without a name. */
  need(role: string, name: string): Promise<Found>;
  click(role: string, name: string): Promise<void>;
  /** Replaces the content of a field, or chooses an option by its label. */
  fill(role: string, name: string, value: string): Promise<void>;
  /** Waits until the element has that state. */
  hasState(role: string, name: string, state: string): Promise<void>;
}

/** How long a program may take to show something, in milliseconds. */
const SHOW_MS = 60_000;
const AGAIN_MS = 100;

type Call = LocalHand["call"];

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
  return {
    home,
    call,
    desktop: desktopElements(call),
    page: pageElements(call),
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
    until,
    pageUntil: (condition) => wait("browser/wait", condition),
    window: (title) => until({ window: { title } }),
    windowGone: (title) => until({ gone: { window: { title } } }),
  };
}

/** How a program of the desktop or a page is searched and acted on. */
interface Ways {
  find(role: string, name: string): Promise<readonly Found[]>;
  click(ref: string): Promise<unknown>;
  fill(ref: string, value: string): Promise<unknown>;
}

function elementsBy({ find, click, fill }: Ways): Elements {
  async function look(role: string, name: string): Promise<Found | undefined> {
    const found = await find(role, name);
    return found.find((each) => each.name === name) ?? found[0];
  }
  const soon = { timeoutMs: SHOW_MS, everyMs: AGAIN_MS };
  const need = (role: string, name: string) =>
    waitFor(() => look(role, name), { ...soon, what: `a ${role} "${name}"` });
  return {
    need,
    async click(role, name) {
      await click((await need(role, name)).ref);
    },
    async fill(role, name, value) {
      await fill((await need(role, name)).ref, value);
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
  return elementsBy({
    async find(role, name) {
      const wanted = { role, ...(name === "" ? {} : { name }), window: "all" };
      return (await call("accessibility/find", wanted) as { elements: Found[] }).elements;
    },
    click: (ref) => call("mouse/click", { ref }),
    fill: (ref, value) => call("accessibility/act", { ref, action: "set_value", value }),
  });
}

/** A page is read as a whole: what it is asked for by words has no states. */
function pageElements(call: Call): Elements {
  return elementsBy({
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
    click: (ref) => call("browser/click", { ref }),
    fill: (ref, value) => call("browser/fill", { ref, value }),
  });
}
