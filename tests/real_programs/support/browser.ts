/** A real browser whose whole window is the page of a test. */

import { waitFor } from "../../support/wait.ts";
import { type BrowserKind, CHROMIUM, FIREFOX } from "./browser_kinds.ts";
import { displayOf, openHome, type Place } from "./home.ts";
import { type PageEvent, type PageOptions, servePages } from "./page.ts";
import { startProcess } from "./processes.ts";
import { findXWindow, xdotool, type XWindow } from "./xwindow.ts";

export type { PageEvent, PageOptions } from "./page.ts";

export interface Browser extends AsyncDisposable {
  readonly window: XWindow;
  /** Loads another page into the same window and waits until it is ready for input. */
  show(page: PageOptions): Promise<void>;
  /** The events so far, in order. */
  events(type?: string): PageEvent[];
  /** Forgets the events so far. */
  clear(): void;
  /** Waits until the events, which may be filtered by type, are what the test wants. */
  waitFor(
    wanted: (events: readonly PageEvent[]) => boolean,
    options?: { readonly type?: string; readonly what?: string; readonly timeoutMs?: number },
  ): Promise<PageEvent[]>;
  /** Runs an expression in the page and gives its JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until the field has this value. */
  expectValue(selector: string, value: string): Promise<void>;
  /** The middle of an element, in pixels of the screen. */
  pointOf(selector: string): Promise<{ x: number; y: number }>;
  /** Presses F8 by xdotool and waits until the page has it: what was sent before has come by then. */
  caughtUp(): Promise<void>;
  /** Presses F8 by xdotool until the page has one: a page that was just loaded can miss keys. */
  takesKeys(): Promise<void>;
}

const KINDS: Readonly<Record<"chromium" | "firefox", BrowserKind>> = {
  chromium: CHROMIUM,
  firefox: FIREFOX,
};

/** @param options `forced: false`: it tells of its page only what it is asked for */
export async function openBrowser(
  place: Place,
  name: "chromium" | "firefox",
  page: PageOptions = {},
  { forced = true }: { readonly forced?: boolean } = {},
): Promise<Browser> {
  const display = displayOf(place);
  const kind = KINDS[name];
  await using opening = new AsyncDisposableStack();
  const server = opening.use(servePages(page));
  const home = opening.use(await openHome());
  await kind.prepare(home.path);
  const program = opening.use(startProcess(kind.program(), {
    args: [
      ...(typeof place === "string" || !forced ? [] : kind.heardArgs),
      ...kind.args(home.path, server.address),
    ],
    env: home.env(place),
    log: `${home.path}/errors`,
  }));
  await server.loaded().catch(async (cause) => {
    throw new Error(`${name} shows no page: ${await program.errors()}`, { cause });
  });
  const window = await findXWindow(display, kind.className);
  await window.focus();
  const origin = await findOrigin();
  const open = opening.move();

  /** Where the page begins on the screen, as an event of the mouse tells. */
  async function findOrigin(): Promise<{ x: number; y: number }> {
    const middle = await window.middle();
    let step = 0;
    const seen = await waitFor(async () => {
      const x = middle.x + (step++ % 8);
      await xdotool(display, ["mousemove", `${x}`, `${middle.y}`]);
      return server.events("mousemove").at(-1);
    }, { what: "the page to see the mouse", timeoutMs: 60_000 });
    return { x: seen.screenX! - seen.clientX!, y: seen.screenY! - seen.clientY! };
  }

  const browser: Browser = {
    window,
    async show(next) {
      server.serve(next);
      await server.evaluate("setTimeout(() => location.reload()) && null");
      await server.loaded();
      await server.evaluate("document.querySelector('[autofocus]')?.focus()");
      server.clear();
    },
    events: server.events,
    clear: server.clear,
    async waitFor(wanted, { type, what = "the events", timeoutMs = 20_000 } = {}) {
      const seen = () => server.events(type);
      await waitFor(() => wanted(seen()), { what, timeoutMs }).catch((error) => {
        throw new Error(`${error.message}; seen: ${JSON.stringify(seen().slice(-20))}`);
      });
      return seen();
    },
    evaluate: server.evaluate,
    async expectValue(selector, value) {
      const read = () =>
        server.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).value`);
      await waitFor(async () => await read() === value, { what: "the value" }).catch(async () => {
        throw new Error(
          `${selector} is ${JSON.stringify(await read())}, not ${JSON.stringify(value)}`,
        );
      });
    },
    async pointOf(selector) {
      const box = await server.evaluate<{ x: number; y: number }>(`(() => {
        const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      })()`);
      return { x: Math.round(origin.x + box.x), y: Math.round(origin.y + box.y) };
    },
    async caughtUp() {
      const count = () => server.events("keydown").filter(({ key }) => key === "F8").length;
      const before = count();
      await xdotool(display, ["key", "F8"]);
      await waitFor(() => count() > before, { what: "the page to catch up" });
    },
    async takesKeys() {
      await waitFor(async () => {
        await xdotool(display, ["key", "F8"]);
        return server.events("keydown").some(({ key }) => key === "F8");
      }, { what: "the page to take keys" });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
  await server.evaluate("document.querySelector('[autofocus]')?.focus()");
  server.clear();
  return browser;
}
