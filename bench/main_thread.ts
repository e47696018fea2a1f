/** The longest work on the main thread while screens are recorded, operations kept and pages read (goal: 20 ms). */

import { largePage } from "../tests/real_programs/elements/support/pages.ts";
import { startAccessibleSession } from "../tests/real_programs/support/accessible_session.ts";
import { openBrowser } from "../tests/real_programs/support/browser.ts";
import { openHome } from "../tests/real_programs/support/home.ts";
import { startProcess } from "../tests/real_programs/support/processes.ts";
import { startBrowserDesktop } from "../tests/support/browser/browser_desktop.ts";
import { testFolder } from "../tests/support/folder.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { pause } from "../src/core/deadline.ts";
import { EXPORT_FORMATS } from "../src/features/trail/trajectory/exports.ts";
import { longestWork } from "./longest_work.ts";
import { row, section } from "./report.ts";

const RECORDED_MS = 10_000;
const MANY_BUTTONS = 2_000;
const MANY_STEPS = 20;
const MANY_TABS = 100;
const HUGE_PAGE_ELEMENTS = 100_000;

export async function benchMainThread(): Promise<void> {
  section("Longest work on the main thread (ms; the first time, and the longest of two more)");
  await benchRecording();
  await benchTrail();
  await benchBrowser();
}

async function benchRecording(): Promise<void> {
  await using server = await startXvfb({ size: "1920x1080" });
  await using service = await startService({ displays: [server.display] });
  await using home = await openHome();
  await using _busy = startProcess("xterm", {
    args: ["-geometry", "200x70+0+0", "-e", "sh", "-c", "while :; do seq 1000; done"],
    ...{ env: home.env(server.display), log: `${home.path}/errors` },
  });
  await service.call("/api/mouse/position"); // the first request of a service loads more
  for (const format of ["webm", "mp4"]) {
    const measure = measureSteps(service, `recording, ${format}`);
    const { id } = await measure.once("start", "/api/recording/start", { format, max_fps: 30 });
    row(`recording, ${format}: 10 s of a busy screen`, [
      (await longestWork(() => pause(RECORDED_MS))).toFixed(1),
    ]);
    await measure.once("stop", "/api/recording/stop", { id });
    await measure.often("list", "/api/recording/list");
    await measure.often("get", `/api/recording/get?id=${id}`);
  }
}

/** Of steps in a page of so many buttons without a name, beside a window that changes all the time. */
async function benchTrail(): Promise<void> {
  await using session = await startAccessibleSession({ size: "1920x1080" });
  const { display, env, home, place } = session;
  const button = `<button style="width: 18px; height: 12px; padding: 0"></button>`;
  await using _page = await openBrowser(place, "chromium", { body: button.repeat(MANY_BUTTONS) });
  await using _busy = startProcess("xterm", {
    args: ["-geometry", "80x40+1200+0", "-e", "sh", "-c", "while :; do seq 1000; done"],
    env: home.env(place),
    log: `${home.path}/errors`,
  });
  await using service = await startService({
    displays: [display],
    env: { ...Deno.env.toObject(), DISPLAY: display, ...env },
  });
  await using folder = await testFolder();
  await service.call("/api/mouse/position");
  const measure = measureSteps(service, "trail");
  const { id } = await measure.once("start", "/api/trail/start", {});
  await measure.often("click", "/api/mouse/left-click", { x: 300, y: 300 });
  await measure.often("type", "/api/keyboard/type", { text: "marigold" });
  const longest = await longestWork(async () => {
    for (let step = 0; step < MANY_STEPS; step++) {
      await service.call("/api/mouse/left-click", { x: 300 + 20 * step, y: 300 });
    }
  });
  row(`trail: ${MANY_STEPS} clicks`, [longest.toFixed(1)]);
  await measure.once("stop", "/api/trail/stop", { id });
  for (const format of EXPORT_FORMATS) {
    const path = `${folder.path}/${format}`;
    await measure.once(`export as ${format}`, "/api/trail/export", { id, format, path });
  }
}

async function benchBrowser(): Promise<void> {
  await using desktop = await startBrowserDesktop();
  const { service, pages } = desktop;
  const huge = Array.from(
    { length: HUGE_PAGE_ELEMENTS / 2 },
    (_, index) => `<p>${index} <button>Buy ${index}</button></p>`,
  ).join("");
  for (const [name, page] of [["2,000", largePage()], ["100,000", huge]] as const) {
    const measure = measureSteps(service, `page of ${name}`);
    const url = pages.serve(`/${name}`, page);
    await service.call("/api/browser/navigate", { url, timeout_ms: 60_000 });
    const reading = { max_characters: 500_000 };
    await measure.often("snapshot", "/api/browser/snapshot", { ...reading, timeout_ms: 60_000 });
    await measure.often("text", "/api/browser/text", reading);
    await measure.often("find", "/api/browser/find", { query: "buy 77", timeout_ms: 60_000 });
    await measure.often("screenshot", "/api/browser/screenshot", {});
    await measure.often("console", "/api/browser/console", {});
    await measure.often("network", "/api/browser/network", {});
    const { id } = await measure.once("start of a trail", "/api/trail/start", {});
    await measure.often("key, with a trail", "/api/browser/key", { key: "shift" });
    await measure.once("end of the trail", "/api/trail/stop", { id });
  }
  await desktop.show("/form", `<input aria-label="Name">`);
  const ref = await desktop.refOf("Name");
  const measure = measureSteps(service, "browser");
  await measure.often("fill 10,000 characters", "/api/browser/fill", {
    ...{ ref, value: "x".repeat(10_000) },
  });
  const opening = await longestWork(async () => {
    for (let count = 0; count < MANY_TABS; count++) await service.call("/api/browser/open", {});
  });
  row(`browser: ${MANY_TABS} tabs opened`, [opening.toFixed(1)]);
  await measure.often(`list of ${MANY_TABS} tabs`, "/api/browser/tabs");
}

const MORE_ROUNDS = 2;

/** Sends requests, and reads answers as bytes: what a client does with them is not the service's. */
function measureSteps(service: Service, what: string) {
  const send = async (path: string, body?: unknown) => {
    const response = await service.send(path, body);
    const bytes = await response.bytes();
    if (!response.ok) throw new Error(`${path}: ${new TextDecoder().decode(bytes)}`);
    return bytes;
  };
  return {
    async often(step: string, path: string, body?: unknown): Promise<void> {
      const first = await longestWork(() => send(path, body));
      const later = await longestWork(async () => {
        for (let round = 0; round < MORE_ROUNDS; round++) await send(path, body);
      });
      row(`${what}: ${step}`, [first.toFixed(1), later.toFixed(1)]);
    },
    async once(step: string, path: string, body: unknown): Promise<{ readonly id: string }> {
      let bytes = new Uint8Array();
      const longest = await longestWork(async () => bytes = await send(path, body));
      row(`${what}: ${step}`, [longest.toFixed(1)]);
      return JSON.parse(new TextDecoder().decode(bytes));
    },
  };
}
