/** Programs that window/open starts on a real X server, and pictures of their windows. */

import { expect } from "expect";
import { available } from "../../../src/platform/capability.ts";
import { startWindowManager } from "../../real_programs/support/window_manager.ts";
import { startDesktop } from "../../support/desktop.ts";
import { type FakeWindow, FakeWindows } from "../../support/fake_windows.ts";
import { pick } from "../../support/extent.ts";
import { testFolder } from "../../support/folder.ts";
import { openProgramWindow } from "../../support/program_window.ts";
import { type DecodedPng, decodePng } from "../../support/png.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { writeProgram } from "../../support/written_program.ts";

const OPEN = "/api/window/open";

/** One in three lost its first letter once. */
const ROUNDS = pick({ short: 8, full: 60 });

interface Opened {
  readonly process_id: number;
  readonly active: boolean;
  readonly window:
    | { id: string; title: string; pid: number; app: string; states: readonly string[] }
    | null;
}

type Managed = readonly { readonly pid: number }[];

Deno.test("window/open starts a program with its arguments as they are, and has its window", async (t) => {
  await using desktop = await startDesktop();
  await using _manager = await startWindowManager(desktop.display, "openbox");
  const { service } = desktop;
  using x = await TestX.open(desktop.display);
  const open = async (body: unknown) => await service.call(OPEN, body) as Opened;
  /** A window of xterm, which cannot end before it has started what runs in it. */
  const close = async ({ id, pid }: NonNullable<Opened["window"]>) => {
    const children = `/proc/${pid}/task/${pid}/children`;
    await waitFor(() => Deno.readTextFileSync(children) !== "", { what: "what runs in xterm" });
    return await service.call("/api/window/close", { id });
  };

  await t.step("among windows of others that open meanwhile", async () => {
    const title = `it's $HOME "quoted" & co; \\ *`;
    const opening = open({ program: "xterm", args: ["-T", title, "-e", "cat"] });
    await openProgramWindow(x, { title: "another" });
    const { process_id, window } = await opening;
    expect(window).toMatchObject({ title, app: "XTerm", pid: process_id });
    expect(await close(window!)).toEqual({ result: "confirmed", window: null });
  });

  await t.step("once it shows", async () => {
    for (let round = 0; round < 6; round++) {
      const { window } = await open({ program: "xterm", args: ["-e", "cat"] });
      expect(window!.states).not.toContain("hidden");
      await close(window!);
    }
  });

  await t.step("by a launcher that ends and leaves the program to itself", async () => {
    const script = "setsid xterm -T left -e cat >/dev/null 2>&1 & exit 0";
    const { process_id, window } = await open({ program: "sh", args: ["-c", script] });
    expect(window).toMatchObject({ title: "left" });
    expect(window!.pid).not.toBe(process_id);
    await close(window!);
  });

  await t.step("a program that is not there, and one that fails", async () => {
    expect(await service.refused(404, OPEN, { program: "no-such-program" }))
      .toContain("There is no executable program");
    const failing = { program: "sh", args: ["-c", "echo no display here >&2; exit 3"] };
    expect(await service.refused(409, OPEN, failing))
      .toContain("has ended with 3 before opening a window: no display here");
    await service.refused(404, OPEN, { path: "/no/such/file" });
  });

  await t.step("one that opens none in time goes on", async () => {
    const { process_id, window } = await open({ program: "sleep", args: ["60"], timeout_ms: 50 });
    expect(window).toBe(null);
    const quick = await open({ program: "sleep", args: ["60"], wait_for_window: false });
    expect(quick.window).toBe(null);
    const managed = await service.call("/api/bash/processes/managed") as { pid: number }[];
    const pids = managed.map(({ pid }) => pid);
    expect(pids).toEqual(expect.arrayContaining([process_id, quick.process_id]));
  });
});

Deno.test("window/open answers with a window that shows, and with one that never does", async (t) => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const windows = new FakeWindows();
  const display = await service.platform.displays.open(1);
  using replaced = new DisposableStack();
  const { windows: real } = display;
  Object.assign(display, { windows: available(windows) });
  replaced.defer(() => Object.assign(display, { windows: real }));
  const timeout_ms = service.config.limits.maxDurationMs;
  const openFake = async (...opened: readonly FakeWindow[]) => {
    const managed = async () => await service.call("/api/bash/processes/managed") as Managed;
    const known = new Set((await managed()).map(({ pid }) => pid));
    const opening = service.call(OPEN, { program: "sleep", args: ["600"], timeout_ms });
    const { pid } = await waitFor(async () => (await managed()).find(({ pid }) => !known.has(pid)));
    for (const window of opened) windows.open({ pid, ...window });
    return (await opening as Opened).window!.id;
  };

  await t.step("of several the one that shows", async () => {
    expect(await openFake({ id: "0x1" }, { id: "0x2", states: ["hidden"] })).toBe("0x1");
  });

  await t.step("the only one, which is on another desktop", async () => {
    expect(await openFake({ id: "0x3", states: ["hidden"] })).toBe("0x3");
  });

  await t.step("its own, instead of one that shows only while it starts", async () => {
    expect(await openFake({ id: "0x4" }, { id: "0x5", isSplash: true })).toBe("0x4");
  });

  await t.step("one that has the id of another that has closed", async () => {
    expect(await openFake({ id: "0x4", pid: 1 }, { id: "0x6" })).toBe("0x6");
    windows.shown = windows.shown.filter(({ id }) => id === "0x1");
    expect(await openFake({ id: "0x1" })).toBe("0x1");
  });
});

for (const manager of ["openbox", "xfwm4"] as const) {
  Deno.test(`what is typed right after window/open is all there, window after window, under ${manager}`, async () => {
    await using desktop = await startDesktop();
    await using _manager = await startWindowManager(desktop.display, manager);
    await using folder = await testFolder();
    const { service } = desktop;
    for (let round = 0; round < ROUNDS; round++) {
      const file = `${folder.path}/${round}`;
      // as soon as it has ended, X gives the id of its window to the next one
      const args = [
        "-e",
        "sh",
        "-c",
        `read line; echo "$line" >${file}.new; mv ${file}.new ${file}`,
      ];
      const opened = await service.call(OPEN, { program: "xterm", args }) as Opened;
      expect([round, opened]).toMatchObject([round, { active: true, window: { app: "XTerm" } }]);
      await service.call("/api/keyboard/type", { text: "all of it\n", typing_delay: 0 });
      await waitFor(() => Deno.readTextFile(file).catch(() => undefined), { what: "the line" });
      expect(await Deno.readTextFile(file)).toBe("all of it\n");
    }
  });
}

Deno.test("window/open opens on the display that is named", async () => {
  await using desktop = await startDesktop();
  await using other = await startXvfb();
  const { service } = desktop;
  const body = { program: "xterm", args: ["-T", "there", "-e", "cat"] };
  const display_num = Number(other.display.slice(1));
  const opened = await service.call(OPEN, { ...body, display_num }) as Opened;
  // nothing there gives it the keyboard
  expect(opened).toMatchObject({ active: false, reason: expect.stringContaining("click into it") });
  expect(opened.window).toMatchObject({ title: "there" });
  expect(await service.call("/api/window/list")).toEqual([]);
});

Deno.test("window/open gives files and URLs to the program that the desktop has for them", async () => {
  await using folder = await testFolder();
  const log = `${folder.path}/log`;
  const opener = `${folder.path}/xdg-open`;
  await writeProgram(opener, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >>'${log}'\n`);
  await using server = await startXvfb();
  const { startService } = await import("../../support/service.ts");
  const env = { ...Deno.env.toObject(), PATH: `${folder.path}:${Deno.env.get("PATH")}` };
  await using service = await startService({ displays: [server.display], env });
  const file = `${folder.path}/a 'b' $(touch c).txt`;
  await Deno.writeTextFile(file, "");

  for (const body of [{ path: file }, { url: "https://example.org/?a=1&b=$(id)" }]) {
    const opened = await service.call(OPEN, { ...body, timeout_ms: 20 }) as Opened;
    expect(opened.window).toBe(null);
  }

  const lines = await waitFor(async () => {
    const all = (await Deno.readTextFile(log)).trim().split("\n");
    return all.length === 4 && all;
  });
  expect(lines.toSorted()).toEqual(["1", "1", file, "https://example.org/?a=1&b=$(id)"].toSorted());
});

Deno.test("window/open is refused where commands are, and for what is no program", async () => {
  const off = testApp({ config: { disabled: new Set(["bash"] as const) } });
  expect((await off.post(OPEN, { program: "xterm" })).status).toBe(403);
  const noFiles = testApp({ config: { disabled: new Set(["filesystem"] as const) } });
  expect((await noFiles.post(OPEN, { path: "/etc/hosts" })).status).toBe(403);
  const app = testApp();
  for (
    const body of [
      {},
      { program: "a", url: "https://b" },
      { url: "https://b", args: [] },
      { url: "C:\\x" },
      { url: "https://a b" },
      { program: "a\0b" },
      { program: "" },
    ]
  ) expect([body, (await app.post(OPEN, body)).status]).toEqual([body, 422]);
});

Deno.test("window/screenshot shows a window whole, also where others cover it", async (t) => {
  await using desktop = await startDesktop();
  await using manager = await startWindowManager(desktop.display, "openbox");
  const { service } = desktop;
  using x = await TestX.open(desktop.display);
  const place = { x: 100, y: 100, width: 300, height: 200 };
  const open = async (title: string, pixel: number) => {
    const window = await openProgramWindow(x, { ...place, title, pixel });
    await manager.settled();
    return `0x${window.toString(16)}`;
  };
  const red = await open("red", 0xcc2222);
  const take = async (id: string) => {
    const answer = await service.send(`/api/window/screenshot?id=${id}`);
    expect(answer.status).toBe(200);
    return { answer, picture: decodePng(new Uint8Array(await answer.arrayBuffer())) };
  };
  const colourAt = (picture: DecodedPng, at: number) => {
    const start = (at * picture.width + at) * 3;
    return picture.rgb.slice(start, start + 3).toHex();
  };

  await t.step("nothing covers it", async () => {
    const { picture, answer } = await take(red);
    expect(colourAt(picture, 100)).toBe("cc2222");
    expect(answer.headers.get("x-frame")).not.toBe(null);
  });

  const green = await open("green", 0x22cc22);
  await service.call("/api/window/focus", { id: green });
  await service.call("/api/window/move", { id: green, x: 120, y: 120 });
  await service.call("/api/window/move", { id: red, x: 100, y: 100 });

  await t.step("another window covers it", async () => {
    const { picture } = await take(red);
    expect(colourAt(picture, 100)).toBe("cc2222");
    expect(colourAt((await take(green)).picture, 100)).toBe("22cc22");
    const onScreen = await service.call("/api/display/pixel_color", { x: 200, y: 200 });
    expect(onScreen).toEqual([0x22, 0xcc, 0x22]);
  });

  await t.step("minimized, closed, or a group that is off", async () => {
    await service.call("/api/window/minimize", { id: red });
    const detail = await service.refused(409, `/api/window/screenshot?id=${red}`);
    expect(detail).toContain("is minimized");
    await service.refused(404, "/api/window/screenshot?id=0x7fffffff");
    const off = testApp({ config: { disabled: new Set(["display"] as const) } });
    expect((await off.send("GET", "/api/window/screenshot?id=0x1")).status).toBe(403);
  });
});
