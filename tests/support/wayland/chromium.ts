/** Chromium as a program of Wayland, whose page fills the output and reports what it gets. */

import { CHROMIUM } from "../../real_programs/support/browser_kinds.ts";
import {
  type PageEvent,
  type PageOptions,
  type PageServer,
  servePages,
} from "../../real_programs/support/page.ts";
import type { Size } from "../../../src/core/geometry.ts";
import { waitFor } from "../wait.ts";
import { START_MS } from "./compositors.ts";
import type { WaylandDesktop } from "./desktop.ts";
import { giveToDesktopUser } from "./user.ts";

export interface WaylandBrowser extends AsyncDisposable, Pick<PageServer, "evaluate" | "events"> {
  /** Loads another page into the same window and waits until it is ready for input. */
  show(page: PageOptions): Promise<void>;
  /** Forgets the events so far. */
  clear(): void;
  /** Waits until the events, which may be filtered by type, are what the test wants. */
  waitFor(
    wanted: (events: readonly PageEvent[]) => boolean,
    options?: { readonly type?: string; readonly what?: string },
  ): Promise<PageEvent[]>;
  /** Waits until the field has this value. */
  expectValue(selector: string, value: string): Promise<void>;
}

const ARGS = [
  ...["--ozone-platform=wayland", "--start-fullscreen", "--kiosk", "--force-color-profile=srgb"],
];

export async function openWaylandChromium(
  desktop: WaylandDesktop,
  page: PageOptions = {},
  /** Of the output, in pixels of pages. */
  { width, height }: Size = desktop.size,
): Promise<WaylandBrowser> {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(servePages(page));
  const home = `${desktop.home}/chromium`;
  await Deno.mkdir(home, { recursive: true });
  await giveToDesktopUser(home);
  const args = CHROMIUM.args(home, server.address).filter((arg) => !arg.includes("--window-"));
  const program = opening.use(desktop.start(CHROMIUM.program(), [...ARGS, ...args]));
  await server.loaded().catch(async (cause) => {
    throw new Error(`Chromium shows no page: ${await program.errors()}`, { cause });
  });
  const isReady = async () =>
    await server.evaluate<boolean>(
      `innerWidth === ${width} && innerHeight === ${height} && document.hasFocus()`,
    );
  await waitFor(isReady, {
    what: "the page to fill the output and have the keyboard",
    timeoutMs: START_MS,
  })
    .catch(async (cause) => {
      const now = await server.evaluate("[innerWidth, innerHeight, document.hasFocus()]");
      throw new Error(`The page is not ready: ${JSON.stringify(now)}`, { cause });
    });
  const focusField = () => server.evaluate("document.querySelector('[autofocus]')?.focus()");
  await focusField();
  server.clear();
  const open = opening.move();
  return {
    evaluate: server.evaluate,
    events: server.events,
    clear: server.clear,
    async show(next) {
      server.serve(next);
      await server.evaluate("setTimeout(() => location.reload()) && null");
      await server.loaded();
      await waitFor(isReady, { what: "the next page" });
      await focusField();
      server.clear();
    },
    async waitFor(wanted, { type, what = "the events" } = {}) {
      const seen = () => server.events(type);
      await waitFor(() => wanted(seen()), { what }).catch((error) => {
        throw new Error(`${error.message}; seen: ${JSON.stringify(seen().slice(-20))}`);
      });
      return seen();
    },
    async expectValue(selector, value) {
      const read = () =>
        server.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).value`);
      await waitFor(async () => await read() === value, { what: "the value" }).catch(async () => {
        const got = JSON.stringify(await read());
        const seen = server.events().slice(-20).map(({ type, target }) => `${type} at ${target}`);
        throw new Error(`${selector} is ${got}, not ${JSON.stringify(value)}; seen: ${seen}`);
      });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
