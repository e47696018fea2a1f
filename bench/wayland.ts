/** Wayland without a screen: actions beside the processes that others start, and beside our own X11 driver. */

import { openEventLog } from "../tests/support/wayland/event_log.ts";
import { startWaylandDesktop, type WaylandDesktop } from "../tests/support/wayland/desktop.ts";
import { openXterm } from "../tests/support/xterm.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { runProcess, sessionOf } from "./wayland_session.ts";
import { benchMutterPictures, benchSwayPictures } from "./wayland_pictures.ts";
import { median, time } from "./median.ts";
import { type Started, startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { describeMachine, row, section } from "./report.ts";
import { measure, median as medianOf } from "./wrk.ts";

/** Each character once at least, and some that no layout has. */
const TEXT = "The quick brown fox JUMPS over 13 lazy dogs; é漢😀 {[(~`!@#$%^&*_+=|?)]} "
  .repeat(20);
const CHARACTERS = [...TEXT].slice(0, 1_000).join("");
const ROUNDS = 5;
const SECONDS = 3;

export async function benchWayland(): Promise<void> {
  await benchSway();
  await benchMutterPictures();
}

async function benchSway(): Promise<void> {
  const size = { width: 1920, height: 1080 };
  await using desktop = await startWaylandDesktop("sway", size);
  await using wayland = await startServer("../main.ts", ["--port", "0"], sessionOf(desktop));
  await using xvfb = await startXvfb({ size: `${size.width}x${size.height}` });
  const args = ["--port", "0", "--display", `1=${xvfb.display}`];
  await using x11 = await startServer("../main.ts", args);
  await using log = await openEventLog(desktop);
  await using xterm = await openXterm(xvfb.display);
  await benchMoves(desktop, wayland, x11);
  await benchText({ desktop, wayland, x11 }, {
    wayland: () => log.text([...CHARACTERS].length * (ROUNDS + 1)),
    x11: () => xterm.expectNext(CHARACTERS.repeat(ROUNDS + 1)),
  });
  await benchSwayPictures(desktop, wayland);
}

async function benchMoves(desktop: WaylandDesktop, wayland: Started, x11: Started): Promise<void> {
  const load = { path: "/api/mouse/move", body: { x: 300, y: 200 }, connections: 1 };
  const runs = { wayland: [], x11: [] } as Record<string, Awaited<ReturnType<typeof measure>>[]>;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { port }] of Object.entries({ wayland, x11 })) {
      const figures = await measure({ ...load, port, seconds: round === 0 ? 1 : SECONDS });
      if (round > 0) runs[name]!.push(figures); // the first round warms up
    }
  }
  const ours = medianOf(runs["wayland"]!);
  const others = medianOf(runs["x11"]!);
  section("Wayland (sway): mouse/move, one connection");
  row("requests/s: wlroots, X11", [ours.perSecond.toFixed(0), others.perSecond.toFixed(0)]);
  row("  wlroots / X11 (goal 0.5)", [(ours.perSecond / others.perSecond).toFixed(2)]);
  const process = await median(
    () => runProcess("swaymsg", ["seat seat0 cursor set 300 200"], desktop),
    100,
  );
  row("a process of swaymsg that moves, ms", [process.toFixed(2)]);
  row("  request / process (goal 0.25)", [(ours.p50 / 1000 / process).toFixed(3)]);
}

interface Services {
  readonly desktop: WaylandDesktop;
  readonly wayland: Started;
  readonly x11: Started;
}

/** @param received waits until each program has got all that was typed by the service */
async function benchText(
  { desktop, wayland, x11 }: Services,
  received: Readonly<Record<"wayland" | "x11", () => Promise<unknown>>>,
): Promise<void> {
  const times = { wayland: [] as number[], x11: [] as number[], wtype: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const [ours, others] = [await time(() => type(wayland)), await time(() => type(x11))];
    if (round === 0) continue; // it warms up
    times.wayland.push(ours);
    times.x11.push(others);
  }
  const text = await received.wayland();
  if (text !== CHARACTERS.repeat(ROUNDS + 1)) throw new Error("Characters were lost");
  await received.x11();
  for (let round = 0; round < ROUNDS; round++) {
    times.wtype.push(await time(() => runProcess("wtype", [CHARACTERS], desktop)));
  }
  const [ours, others, process] = [times.wayland, times.x11, times.wtype]
    .map((each) => percentile(each, 50));
  section("Wayland (sway): 1,000 characters of all kinds at delay 0, none lost, median ms of 5");
  row("POST /api/keyboard/type: wlroots, X11", [ours!.toFixed(1), others!.toFixed(1)]);
  row("a process of wtype", [process!.toFixed(1)]);
  row("  request / process (goal 0.25)", [(ours! / process!).toFixed(2)]);
}

async function type({ port }: Started): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/keyboard/type`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: CHARACTERS, typing_delay: 0 }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchWayland();
}
