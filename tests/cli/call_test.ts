/** call: the real program calls a real service, and what it asks for happens. */

import { expect } from "expect";
import { runCommand, startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { openRecorder } from "../support/recorder.ts";
import { startXvfb } from "../support/xvfb.ts";
import { run } from "../support/desktop.ts";

const DONE = { code: 0, stdout: "", stderr: "" };

async function startDesktop() {
  const folder = await testFolder();
  const xvfb = await startXvfb({ size: "800x600" });
  const flags = ["--state-dir", folder.path];
  const service = await startCommand([...flags, "--display", xvfb.display]);
  return {
    folder,
    service,
    display: xvfb.display,
    call: (...args: string[]) => runCommand(["call", ...args, ...flags]),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await xvfb[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("call finds the running service and does what it is told", async (t) => {
  await using desktop = await startDesktop();
  using recorder = await openRecorder(desktop.display);

  await t.step("a movement", async () => {
    expect(await desktop.call("mouse.move", "--x", "10", "--y", "20")).toEqual(DONE);
    expect(await recorder.x.pointer()).toMatchObject({ rootX: 10, rootY: 20 });
    const position = await desktop.call("mouse/position");
    expect(position).toEqual({ ...DONE, stdout: '{"x":10,"y":20}\n' });
  });

  await t.step("a shortcut, whose list is repeated or JSON", async () => {
    for (const keys of [["--keys", "ctrl", "--keys", "b"], ["--keys", '["ctrl", "b"]']]) {
      recorder.events.length = 0;
      expect((await desktop.call("keyboard.hotkey", ...keys)).code).toBe(0);
      expect(recorder.presses.map(({ keysym }) => keysym)).toEqual([0xffe3, 0x62]);
    }
  });

  await t.step("a text that looks like something else", async () => {
    recorder.events.length = 0;
    expect((await desktop.call("keyboard.type", "--text=--x 1", "--typing-delay", "0")).code).toBe(
      0,
    );
    expect((await desktop.call("keyboard.type", "--text", "12")).code).toBe(0);
    expect(recorder.text).toBe("--x 112");
  });

  await t.step("a command that fails is done", async () => {
    const { code, stdout } = await desktop.call("bash.command", "--command", "echo hi; exit 3");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ output: "hi\n", exit_code: 3 }),
    ]);
  });

  await t.step("what is nested, as JSON", async () => {
    const until = '{"pixel": {"x": 1, "y": 2, "rgb": [1, 2, 3]}}';
    const { code, stdout } = await desktop.call(
      ...["display.wait", "--until", until, "--timeout-ms", "0"],
    );
    expect([code, JSON.parse(stdout).status]).toEqual([0, "timeout"]);
  });

  await t.step("a path parameter and a switch", async () => {
    const path = `${desktop.folder.path}/a%2F b`;
    await Deno.writeTextFile(path, "x");
    const info = await desktop.call("filesystem.info", "--path", path);
    expect([info.code, JSON.parse(info.stdout).path]).toEqual([0, path]);
    const removed = await desktop.call("filesystem.delete", "--path", path, "--recursive");
    expect(removed).toEqual(DONE);
    expect(await Deno.stat(path).catch(() => "gone")).toBe("gone");
  });

  await t.step("a picture, to a file and to standard output", async () => {
    const path = `${desktop.folder.path}/screen.png`;
    const flags = ["--max-width", "400", "--cursor"];
    const { code, stdout } = await desktop.call("display.screenshot", ...flags, "--output", path);
    const about = JSON.parse(stdout);
    expect([code, about]).toEqual([
      0,
      expect.objectContaining({ file: path, media_type: "image/png" }),
    ]);
    expect(about.bytes).toBe((await Deno.stat(path)).size);
    const size = new TextDecoder().decode(await run("identify", ["-format", "%wx%h", path]));
    expect(size).toBe("400x300");
    // the frame that it names can be used at once
    const click = ["--x", "200", "--y", "150", "--frame", about.headers["x-frame"]];
    expect((await desktop.call("mouse.left-click", ...click)).code).toBe(0);
    expect(await recorder.x.pointer()).toMatchObject({ rootX: 401, rootY: 301 });
    const { stdout: piped } = await desktop.call("display.screenshot", "--format", "jpeg");
    expect(piped).toContain("JFIF");
  });

  await t.step("what the service refuses goes to standard error, with 1", async () => {
    const missing = await desktop.call("filesystem.info", "--path", "/no/such/file");
    expect(missing).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringMatching(/^computer-control: not_found: .*no such file/),
    });
    const unknown = await desktop.call("keyboard.key", "--key", "nosuchkey");
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/--key: unknown key/),
    ]);
    const path = `${desktop.folder.path}/kept.png`;
    await Deno.writeTextFile(path, "old");
    const failed = await desktop.call("display.screenshot", "--frame", "none", "--output", path);
    expect([failed.code, await Deno.readTextFile(path)]).toEqual([1, "old"]);
  });
});

Deno.test("call sends the token, and takes an address with a name", async () => {
  await using folder = await testFolder();
  const token = "x".repeat(32);
  await Deno.writeTextFile(`${folder.path}/token`, token, { mode: 0o600 });
  const env = { COMPUTER_CONTROL_TOKEN: token };
  const off = ["--disable", "display,mouse,keyboard", "--display", ":4093"];
  const flags = ["--state-dir", `${folder.path}/state`];
  await using service = await startCommand([...off, ...flags, "--name", "desk-1"], env);
  const call = (args: string[], env = {}) =>
    runCommand(["call", "bash.command", "--command", "echo done", ...args], env);
  const done = expect.stringContaining('"output":"done\\n"');
  expect(await call(flags, env)).toMatchObject({ code: 0, stdout: done });
  const byFile = ["--token-file", `${folder.path}/token`];
  for (const url of [service.address, `${service.address}/desk-1/`]) {
    expect(await call(["--url", url, ...byFile])).toMatchObject({ code: 0, stdout: done });
  }
  const proxy = { ...env, HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
  expect(await call(flags, proxy)).toMatchObject({ code: 0, stdout: done });
  expect((await call(flags)).code).toBe(1);
  const other = await call(["--url", `${service.address}/desk-2`], env);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("desk-1") });
  const health = await runCommand(["call", "system.healthz", ...flags], env);
  expect(health.stdout).toBe('{"status":"ok"}\n');
  // readiness says no with a body, which is the answer
  const ready = await runCommand(["call", "system.readyz", ...flags], env);
  expect([ready.code, JSON.parse(ready.stdout).ready]).toEqual([1, false]);
});

Deno.test("call says that no service runs, or which ones, and sends nothing", async () => {
  await using folder = await testFolder();
  const flags = ["--state-dir", folder.path];
  const none = await runCommand(["call", "mouse.position", ...flags]);
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining("No service is running") });
  const away = await runCommand(["call", "mouse.position", "--url", "http://127.0.0.1:9"]);
  expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining("127.0.0.1:9") });
  const off = ["--display", ":4093", ...flags];
  await using one = await startCommand([...off, "--name", "one"]);
  await using two = await startCommand([...off, "--name", "two"]);
  const several = await runCommand(["call", "system.info", ...flags]);
  expect(several.code).toBe(2);
  for (const { address } of [one, two]) expect(several.stderr).toContain(address);
  const chosen = await runCommand(["call", "system.info", "--name", "two", ...flags]);
  expect([chosen.code, JSON.parse(chosen.stdout).name]).toEqual([0, "two"]);
});
