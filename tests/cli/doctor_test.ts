/** doctor: the real program, over X servers that work, hang, lack something, and are gone. */

import { expect } from "expect";
import { runCommand, startCommand } from "../support/command.ts";
import { startRecordedDesktop } from "../support/desktop.ts";
import { doctor } from "../support/doctor.ts";
import { testFolder } from "../support/folder.ts";
import { openRecorder } from "../support/recorder.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";

/** The number of processes whose environment has the mark. */
async function countMarked(mark: string): Promise<number> {
  let count = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    if (text.includes(mark)) count++;
  }
  return count;
}

Deno.test("doctor prints a table of what works, and touches nothing on the display", async () => {
  await using xvfb = await startXvfb();
  using recorder = await openRecorder(xvfb.display);
  const before = await recorder.x.pointer();
  const { code, stdout, stderr } = await runCommand([
    ...["doctor", "--port", "0", "--display", xvfb.display],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const names = [
    "display",
    "XTEST",
    "keymap",
    "window manager",
    "elements",
    "test picture",
    "test input",
  ];
  const others = [
    "keychain",
    "state folder",
    "disk",
    "programs",
    "fonts",
    "processes",
    "port",
    "recording",
  ];
  for (const name of [...names, ...others]) {
    expect(stdout).toMatch(new RegExp(`^(ok|note) +${name} +\\S`, "m"));
  }
  expect(stdout).toContain(`"${xvfb.display}" (given by --display): 1280x800`);
  expect(stdout).toMatch(/1280x800 captured in [\d.]+ ms/);
  expect(stdout).toMatch(/the cursor moved by a pixel and back/);
  expect(stdout).toMatch(/^Everything that was requested works/m);
  expect(stdout.split("\n").filter((line) => line.length > 100 && !line.includes("fix: ")))
    .toEqual([]);
  expect(recorder.events.filter(({ what }) => what !== "motion")).toEqual([]);
  expect(recorder.motions.length).toBeGreaterThan(0); // the server had the test input
  expect(await recorder.x.pointer()).toEqual(before);
});

Deno.test("doctor moves nothing while a button is held down", async () => {
  await using desktop = await startRecordedDesktop();
  await desktop.service.call("/api/mouse/down", {});
  const { check } = await doctor(["--display", desktop.display]);
  expect(check("test input")?.detail).toBe("not tested: a button is held down");
  expect(desktop.recorder.motions).toEqual([]);
  expect(desktop.recorder.buttonEvents.map(({ what }) => what)).toEqual(["button down"]);
});

Deno.test("doctor ends with 1 over an X server that is gone, and names flags that mend it", async () => {
  const xvfb = await startXvfb();
  await xvfb.kill();
  const report = await doctor(["--display", xvfb.display]);
  expect([report.code, report.works, report.failures]).toEqual([1, false, ["display"]]);
  expect(report.check("display")).toMatchObject({
    detail: `no X server answers at "${xvfb.display}"`,
    mend: expect.stringContaining("--virtual-display"),
  });
  expect(report.check("test picture")).toBeUndefined();
  const { code } = await doctor([
    ...["--display", xvfb.display, "--disable", "display,mouse,keyboard"],
  ]);
  expect(code).toBe(0); // no display was asked for
});

Deno.test("doctor ends over an X server that hangs, and checks everything else", async () => {
  await using xvfb = await startXvfb();
  Deno.kill(xvfb.pid, "SIGSTOP");
  try {
    const report = await doctor([], { DISPLAY: xvfb.display });
    expect([report.code, report.failures]).toEqual([1, ["display"]]);
    expect(report.check("display")?.detail).toMatch(/does not respond: it hangs, or was stopped/);
    expect(report.check("state folder")?.status).toBe("ok");
    expect(report.check("port")?.status).toBe("ok");
  } finally {
    Deno.kill(xvfb.pid, "SIGCONT");
  }
});

Deno.test("doctor fails without XTEST, unless input is not asked for", async () => {
  await using xvfb = await startXvfb({ args: ["-extension", "XTEST"] });
  const asked = await doctor(["--display", xvfb.display]);
  expect([asked.code, asked.failures]).toEqual([1, ["XTEST", "test input"]]);
  expect(asked.check("XTEST")?.mend).toContain("+extension XTEST");
  const reading = await doctor(["--display", xvfb.display, "--read-only"]);
  expect([reading.code, reading.check("XTEST")?.status]).toEqual([0, "note"]);
});

Deno.test("doctor says that a virtual display starts, and leaves none behind", async () => {
  const mark = `MARK_${crypto.randomUUID()}`;
  const { code, check } = await doctor(["--virtual-display", "640x480"], { MARK: mark });
  expect(code).toBe(0);
  await waitFor(async () => await countMarked(mark) === 0, { what: "the end of the display" });
  expect(check("display")?.detail).toMatch(/^a virtual display of 640x480, as .* starts in/);
  expect(check("test picture")?.detail).toMatch(/^640x480 captured in/);
});

Deno.test("doctor names what to install where a virtual display is asked for and Xvfb is missing", async () => {
  await using folder = await testFolder();
  const { code, check } = await doctor(["--virtual-display", "--no-setup"], {
    PATH: folder.path,
  });
  expect(code).toBe(1);
  expect(check("display")).toMatchObject({
    status: "failed",
    detail: expect.stringContaining("Xvfb is not installed"),
    mend: expect.stringContaining("install xvfb openbox"),
  });
});

Deno.test("doctor knows the port's owner: another program, the service itself, or nobody", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  const flags = ["--state-dir", folder.path, "--display", xvfb.display];
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken = await doctor([...flags, "--port", String((other.addr as Deno.NetAddr).port)]);
  expect([taken.code, taken.failures]).toEqual([1, ["port"]]);
  expect(taken.check("port")).toMatchObject({
    detail: expect.stringContaining(`process ${Deno.pid} (`),
    mend: expect.stringContaining("--port 0"),
  });
  await using service = await startCommand(flags);
  const { port } = new URL(service.address);
  const own = await doctor([...flags, "--port", port]);
  expect([own.code, own.failures]).toEqual([0, []]);
  expect(own.check("port")?.detail).toContain(`in use by the service, process ${service.pid}`);
  expect(own.check(`service ${port}`)?.detail).toMatch(/version 0\.\d+\.\d+.*responds$/);
});

Deno.test("doctor fails for a service that hangs on the port", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  const flags = ["--state-dir", folder.path, "--display", xvfb.display];
  await using service = await startCommand(flags);
  const { port } = new URL(service.address);
  Deno.kill(service.pid, "SIGSTOP");
  try {
    const { code, check } = await doctor([...flags, "--port", port]);
    expect(code).toBe(1);
    expect(check(`service ${port}`)).toMatchObject({
      status: "failed",
      mend: `computer-control stop --port ${port} --force`,
    });
  } finally {
    Deno.kill(service.pid, "SIGCONT");
  }
});

Deno.test("doctor does not wait for a session bus that says nothing", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  const path = `${folder.path}/bus`;
  using _mute = Deno.listen({ transport: "unix", path }); // it accepts nobody
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
  const flags = ["--display", xvfb.display];
  const { code, check } = await doctor(flags, env);
  expect([code, check("keychain")?.detail]).toEqual([0, expect.stringMatching(/^file: /)]);
  const asked = await doctor([...flags, "--keychain", "secret-service"], env);
  expect([asked.code, asked.failures]).toEqual([1, ["keychain"]]);
  expect(asked.check("keychain")?.mend).toContain("--keychain auto");
});

Deno.test("doctor names programs of --open and --shell that are not there", async () => {
  await using xvfb = await startXvfb();
  const { code, failures } = await doctor([
    ...["--display", xvfb.display],
    ...["--open", "no-such-program", "--shell", "/no-such-program-here"],
  ]);
  expect([code, failures]).toEqual([1, ["shell", "open"]]);
});

Deno.test("doctor refuses a network address without a token, as the start does", async () => {
  await using xvfb = await startXvfb();
  const flags = ["--display", xvfb.display, "--host", "0.0.0.0"];
  const { code, check } = await doctor(flags);
  expect([code, check("address")?.mend]).toEqual([1, "--token-file <path>"]);
  expect((await doctor([...flags, "--no-auth"])).code).toBe(0);
});

Deno.test("doctor ends with 2 for wrong flags", async () => {
  const { code, stdout, stderr } = await runCommand(["doctor", "--port", "much"]);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("--port")]);
  expect((await runCommand(["--json"])).code).toBe(2);
});
