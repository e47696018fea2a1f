/** What an episode is done on: a browser and a hand for it, or a browser alone. */

import { startAccessibleSession } from "../../real_programs/support/accessible_session.ts";
import { startCommand } from "../../support/command.ts";
import { startService } from "../../support/service.ts";
import { testFolder } from "../../support/folder.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { browserHand } from "./browser_hand.ts";
import { desktopHand, type DesktopService } from "./desktop_hand.ts";
import type { Hand } from "./hand.ts";

export interface Desk extends AsyncDisposable {
  /** `undefined` does nothing. */
  readonly hand: Hand | undefined;
}

/** By their names; each opens the page at `url`. */
export const DESKS = {
  browser: openBrowserDesk,
  desktop: openDesktopDesk,
  wayland: openWaylandDesk,
  idle: async (url: string) => ({ ...await openBrowserDesk(url), hand: undefined }),
} satisfies Record<string, (url: string) => Promise<Desk>>;

async function openBrowserDesk(url: string): Promise<Desk> {
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb());
  const service = opening.use(await startService({ displays: [display], openBrowser: url }));
  await service.call("/api/browser/tabs"); // starts it
  const open = opening.move();
  return { hand: browserHand(service), [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** A Chromium as any other program, which tells assistive technology what it shows. */
async function openDesktopDesk(url: string): Promise<Desk> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await startAccessibleSession());
  const { home, place, display } = session;
  const service = opening.use(
    await startService({ displays: [display], env: home.env(place) }),
  );
  await openChromium(service, url, home.path);
  const open = opening.move();
  return { hand: desktopHand(service), [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** The same on the service's own sway, as its users have it. */
async function openWaylandDesk(url: string): Promise<Desk> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await testFolder());
  const command = opening.use(await startCommand(["--virtual-display", "wayland"]));
  const service: DesktopService = {
    send: (path, body) =>
      body === undefined ? fetch(command.address + path) : command.post(path, body),
    async call(path, body) {
      const response = await service.send(path, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
  };
  await openChromium(service, url, folder.path, "--ozone-platform=wayland");
  const open = opening.move();
  return { hand: desktopHand(service), [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function openChromium(
  { call }: DesktopService,
  url: string,
  folder: string,
  ...more: readonly string[]
): Promise<void> {
  const args = [
    ...[`--user-data-dir=${folder}/chromium`, "--no-first-run", "--no-default-browser-check"],
    ...["--password-store=basic", "--disable-dev-shm-usage", "--force-renderer-accessibility"],
    "--disable-features=Translate",
    ...["--no-sandbox", "--test-type"], // without the bar that says so, and moves the page when it comes
    ...[...more, url],
  ];
  await call("/api/window/open", { program: "chromium", args });
}
