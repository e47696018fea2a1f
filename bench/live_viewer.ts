/** A viewer's page in headless Chromium, with the bench looking on. */

import { within } from "../src/core/deadline.ts";
import { CdpConnection } from "../src/platform/browser/cdp/connection.ts";
import { startOwnProgram } from "../src/platform/browser/own_program.ts";
import { testFolder } from "../tests/support/folder.ts";

/** What is watched: the two places of `live_probe.ts`, and the person's mouse button. */
export type Watched = "probe" | "mark" | "press";

interface Report {
  readonly what: Watched;
  readonly colour: number;
  /** In milliseconds since 1970. */
  readonly at: number;
}

export interface LiveViewer extends AsyncDisposable {
  /** The colour that the page shows there; -1 before it shows any. */
  shown(what: Watched): number;
  /** How often it has changed. */
  count(what: Watched): number;
  /** When it next takes this colour, or any; `undefined` if not within some seconds. */
  next(what: Watched, colour?: number): Promise<number | undefined>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Moves the mouse to this pixel of the display. */
  move(x: number, y: number): Promise<void>;
  /** Presses and releases the button of the mouse where it is. */
  click(): Promise<void>;
  /** The page as a PNG. */
  picture(): Promise<Uint8Array>;
}

interface ViewerOptions {
  readonly url: string;
  /** Of the page, in pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** The text of `live_watch.ts`, bundled. */
  readonly script: string;
}

/** Longer than any viewer needs that shows the change at all. */
export const LONGEST_MS = 5_000;

export async function openViewer({ url, viewport, script }: ViewerOptions): Promise<LiveViewer> {
  await using opening = new AsyncDisposableStack();
  const { path: profile } = opening.use(await testFolder());
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"];
  const program = startOwnProgram({
    kind: "own",
    program: "chromium",
    args: [...args, "--autoplay-policy=no-user-gesture-required"],
    env: { PATH: Deno.env.get("PATH")!, HOME: profile },
    url: "about:blank",
    stateDirs: [profile],
  }, profile);
  opening.defer(() => program.end({ graceMs: 2_000 }));

  const reports = collectReports();
  const browser = new CdpConnection(program.transport, (...[name, event]) => {
    if (name === "Runtime.bindingCalled") reports.take(JSON.parse(event.payload));
  });
  const { targetInfos } = await browser.call("Target.getTargets");
  const { targetId } = targetInfos.find(({ type }) => type === "page")!;
  const { sessionId: session } = await browser.call("Target.attachToTarget", {
    targetId,
    flatten: true,
  });
  const tab: Pick<CdpConnection, "call"> = {
    call: (method, params) => browser.call(method, params, { session }),
  };
  await tab.call("Page.enable");
  await tab.call("Runtime.enable");
  await tab.call("Runtime.addBinding", { name: "reportToBench" });
  const source = `(() => {${script}})()`;
  await tab.call("Page.addScriptToEvaluateOnNewDocument", { source });
  await tab.call("Emulation.setDeviceMetricsOverride", {
    width: viewport.width,
    height: viewport.height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await tab.call("Page.navigate", { url });

  const running = opening.move();
  return { ...reports, ...pageOf(tab), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function collectReports() {
  const shown = new Map<Watched, number>();
  const counts = new Map<Watched, number>();
  const waiting = new Set<(report: Report) => void>();
  return {
    take(report: Report): void {
      shown.set(report.what, report.colour);
      counts.set(report.what, (counts.get(report.what) ?? 0) + 1);
      for (const each of waiting) each(report);
    },
    shown: (what: Watched) => shown.get(what) ?? -1,
    count: (what: Watched) => counts.get(what) ?? 0,
    async next(what: Watched, colour?: number): Promise<number | undefined> {
      const { promise, resolve } = Promise.withResolvers<number>();
      const see = (report: Report) => {
        if (report.what === what && report.colour === (colour ?? report.colour)) resolve(report.at);
      };
      waiting.add(see);
      const isSeen = await within(promise, LONGEST_MS);
      waiting.delete(see);
      return isSeen ? await promise : undefined;
    },
  };
}

function pageOf(tab: Pick<CdpConnection, "call">) {
  let at = { x: 0, y: 0 };
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await tab.call("Runtime.evaluate", {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  };
  const mouse = (type: "mouseMoved" | "mousePressed" | "mouseReleased") => {
    const button = type === "mouseMoved" ? "none" : "left";
    return tab.call("Input.dispatchMouseEvent", { type, ...at, button, clickCount: 1 });
  };
  return {
    evaluate,
    async move(x: number, y: number) {
      const { left, top } = await evaluate(PICTURE) as { left: number; top: number };
      at = { x: left + x, y: top + y };
      await mouse("mouseMoved");
    },
    async click() {
      await mouse("mousePressed");
      await mouse("mouseReleased");
    },
    async picture() {
      const { data } = await tab.call("Page.captureScreenshot", { format: "png" });
      return Uint8Array.fromBase64(data);
    },
  };
}

/** Where the picture of the display is, which must be shown as large as it is. */
const PICTURE = `(() => {
  const pictures = [...document.querySelectorAll("canvas, video")].map((each) =>
    each.getBoundingClientRect()).filter(({ width }) => width > 1000);
  const { left, top, width, height } = pictures.at(-1);
  if (width !== 1920 || height !== 1080) throw new Error("The display is shown as " + width + "x" + height);
  return { left, top };
})()`;
