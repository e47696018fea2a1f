/** The console of a service in a person's own browser: what its tests begin with. */

import type { Point } from "../../src/core/geometry.ts";
import { type RunningCommand, startCommand } from "./command.ts";
import { type HeadlessPage, openHeadlessPage } from "./headless_page.ts";
import { hasChromium } from "./still_programs.ts";
import { unless } from "./test_if.ts";
import { waitFor } from "./wait.ts";
import { startXvfb } from "./xvfb.ts";

/** For tests of the page. */
export const ignore = unless(Deno.build.os === "linux", "it needs a virtual display") ||
  unless(hasChromium(), "chromium is not installed");

export interface OpenConsole extends AsyncDisposable {
  /** The one that is watched, of 640x480. */
  readonly display: string;
  readonly service: RunningCommand;
  readonly page: HeadlessPage;
}

/** @param args more of the service */
export async function openConsole(args: readonly string[] = []): Promise<OpenConsole> {
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb({ size: "640x480" }));
  const service = opening.use(await startCommand(["--display", display, ...args]));
  const page = opening.use(await openConsolePage(service.address));
  const running = opening.move();
  return { display, service, page, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Programs have control, and the display is shown. @param address of the service */
export async function openConsolePage(address: string): Promise<HeadlessPage> {
  await using opening = new AsyncDisposableStack();
  const page = opening.use(await openHeadlessPage(`${address}/console`));
  await page.awaitText("#driver", /Programs have control/);
  await waitFor(() => page.evaluate<boolean>("document.querySelector('canvas').width > 1"), {
    what: "the display",
  });
  opening.move();
  return page;
}

/** The keyboard is the display's then, too. */
export async function takeOver(page: HeadlessPage): Promise<void> {
  await page.press("Take over");
  await page.awaitText("#driver", /You have control/);
  const focused = () => page.evaluate("document.activeElement.className");
  await waitFor(async () => await focused() === "keyboard", { what: "the keyboard" });
}

/** Where a pixel of the display is in the page. */
export function pointOf(
  page: Pick<HeadlessPage, "evaluate">,
  { x, y }: Point,
): Promise<Point> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector("canvas");
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return {
      x: left + (${x} + 0.5) * width / canvas.width,
      y: top + (${y} + 0.5) * height / canvas.height,
    };
  })()`);
}
