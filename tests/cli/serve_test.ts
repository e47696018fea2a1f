/** The running program: its banner, and how signals end it. */

import { expect } from "expect";
import { isRunning, serverPid } from "../support/processes.ts";
import { startCommand, startLimited } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";

const JSON_TYPE = { "content-type": "application/json" };

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });
}

Deno.test("the banner names the address, the docs and what was found", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--name", "desk-1", "--display", xvfb.display]);
  const banner = service.output.seen.join("\n");
  expect(banner).toContain(`Address  ${service.address}/desk-1`);
  expect(banner).toContain(`Docs     ${service.address}/desk-1/docs`);
  expect(banner).toContain(`display 1 is "${xvfb.display}": given by --display`);
  expect(banner).toContain("input: x11");
});

for (const signal of ["SIGTERM", "SIGINT", "SIGQUIT"] as const) {
  Deno.test(`${signal} ends an idle service with 0`, async () => {
    await using xvfb = await startXvfb();
    await using service = await startCommand(["--display", xvfb.display]);
    service.signal(signal);
    expect(await service.ended).toBe(0);
    expect((await service.errors.rest()).join("\n")).not.toContain(" error ");
  });
}

Deno.test("a signal lets a running request finish", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display]);
  const key = post(`${service.address}/api/keyboard/key`, { key: "shift", duration_ms: 1_500 });
  await waitFor(() => isShiftDown(xvfb.display), { what: "Shift to go down" });
  service.signal("SIGTERM");
  const answer = await key;
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  expect(await service.ended).toBe(0);
});

Deno.test("a signal ends what is not finished after the grace: 503, with every key up", async () => {
  await using xvfb = await startXvfb();
  await using service = await startLimited({ shutdownGraceMs: 50 }, ["--display", xvfb.display]);
  const key = post(`${service.address}/api/keyboard/key`, { key: "shift", duration_ms: 60_000 })
    .then(async (answer) => [answer.status, (await answer.json()).detail]);
  await waitFor(() => isShiftDown(xvfb.display), { what: "Shift to go down" });
  service.signal("SIGTERM");
  expect(await key).toEqual([503, expect.stringContaining("The service is stopping")]);
  expect(await service.ended).toBe(0);
  expect((await service.errors.rest()).join("\n")).not.toContain(" error ");
  expect(await isShiftDown(xvfb.display)).toBe(false);
});

Deno.test("a service that stops refuses what comes, also on new connections, and finishes what runs", async () => {
  await using service = await startCommand(["--virtual-display", "320x240"], {
    COMPUTER_CONTROL_TOKEN: "s3cret",
    COMPUTER_CONTROL_SHUTDOWN_GRACE: "60",
  });
  const headers = { ...JSON_TYPE, authorization: "Bearer s3cret" };
  const ask = (path: string, body: unknown, more: RequestInit = {}) =>
    fetch(service.address + path, { method: "POST", headers, body: JSON.stringify(body), ...more });
  await using folder = await testFolder();
  const command = `until [ -e go ]; do sleep 0.05; done; echo done`;
  const runs = ask("/api/bash/command", { command, timeout: 60, cwd: folder.path });
  await waitFor(async () => {
    const answer = await fetch(`${service.address}/api/bash/processes/managed`, { headers });
    return (await answer.json()).length === 1;
  }, { what: "the command to run" });
  service.signal("SIGTERM");
  await service.errors.until(/ stopping /);
  const client = Deno.createHttpClient({}); // another connection
  for (const path of ["/api/mouse/move", "/api/batch", "/mcp", "/nothing"]) {
    const answer = await ask(path, {}, { client } as RequestInit);
    const { status } = answer;
    expect([path, status, answer.headers.get("retry-after"), (await answer.json()).detail])
      .toEqual([path, 503, "1", expect.stringContaining("The service is stopping")]);
  }
  const probe = await fetch(`${service.address}/readyz`);
  expect([probe.status, await probe.json()]).toEqual([503, { ready: false }]);
  const health = await fetch(`${service.address}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  const stranger = await fetch(`${service.address}/api/system/info`);
  expect([stranger.status, await stranger.text()]).toEqual([401, expect.anything()]);
  client.close();
  await Deno.writeTextFile(`${folder.path}/go`, "");
  const answer = await runs;
  expect([answer.status, (await answer.json()).output]).toEqual([200, "done\n"]);
  expect(await service.ended).toBe(0);
});

Deno.test("a wait that SIGTERM cuts says that the service is stopping, also when its display goes too", async () => {
  const args = ["--virtual-display", "320x240", "--trace", "http", "--shutdown-grace", "60"];
  await using service = await startCommand(args);
  const [, display] = service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)!;
  const waiting = service.post("/api/display/wait", {
    until: "change",
    timeout_ms: 60_000,
  });
  await service.errors.until(/display\/wait/);
  service.signal("SIGTERM");
  await service.errors.until(/ stopping /);
  Deno.kill(serverPid(display!), "SIGKILL");
  const answer = await waiting;
  expect([answer.status, (await answer.json()).detail])
    .toEqual([503, expect.stringContaining("The service is stopping")]);
  expect(await service.ended).toBe(0);
});

Deno.test("a signal ends the service although a client never sends the rest of its request", async () => {
  await using xvfb = await startXvfb();
  await using service = await startLimited({ shutdownGraceMs: 50 }, ["--display", xvfb.display]);
  const { hostname, port } = new URL(service.address);
  using client = await Deno.connect({ hostname, port: Number(port) });
  const head = "POST /api/mouse/move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n" +
    "Content-Type: application/json\r\n\r\n{";
  await client.write(new TextEncoder().encode(head));
  const answer = await fetch(`${service.address}/healthz`); // what was sent before has arrived
  await answer.body?.cancel();
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  expect((await service.errors.rest()).join("\n")).not.toContain(" error ");
});

Deno.test("a second signal ends the service with 130, with every key up", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display]);
  const key = post(`${service.address}/api/keyboard/key`, { key: "shift", duration_ms: 60_000 })
    .then((answer) => answer.body?.cancel())
    .catch(() => {});
  await waitFor(() => isShiftDown(xvfb.display), { what: "Shift to go down" });
  service.signal("SIGINT");
  await service.errors.until(/ stopping /);
  const heardAt = performance.now();
  await waitFor(() => performance.now() - heardAt > 1_000, {
    what: "a time after which it is no longer the same Ctrl+C",
  });
  service.signal("SIGINT");
  expect(await service.ended).toBe(130);
  await key;
  expect(await isShiftDown(xvfb.display)).toBe(false);
});

Deno.test("Ctrl+C that arrives a second time while the displays are closed changes nothing", async () => {
  await using service = await startCommand(["--virtual-display", "320x240"]);
  service.signal("SIGINT");
  await service.errors.until(/ stopped$/);
  service.signal("SIGINT");
  expect(await service.ended).toBe(0);
});

Deno.test("a signal releases what is held", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display]);
  const held = await post(`${service.address}/api/keyboard/hold`, { key: "shift" });
  expect(held.status).toBe(200);
  await held.body?.cancel();
  expect(await isShiftDown(xvfb.display)).toBe(true);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  expect(await isShiftDown(xvfb.display)).toBe(false);
});

Deno.test("a signal ends the virtual display", async () => {
  await using service = await startCommand(["--virtual-display", "640x480"]);
  const [, display] = service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)!;
  const server = serverPid(display!);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  expect(isRunning(server)).toBe(false);
});

Deno.test("a signal ends the service although the display hangs", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display]);
  const held = await post(`${service.address}/api/keyboard/hold`, { key: "shift" });
  await held.body?.cancel();
  Deno.kill(xvfb.pid, "SIGSTOP");
  try {
    service.signal("SIGTERM");
    expect(await service.ended).toBe(0);
  } finally {
    Deno.kill(xvfb.pid, "SIGCONT");
  }
});

Deno.test("a signal ends a virtual display that hangs", async () => {
  await using service = await startCommand(["--virtual-display", "640x480"]);
  const [, display] = service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)!;
  const server = serverPid(display!);
  Deno.kill(server, "SIGSTOP");
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  await waitFor(() => !isRunning(server), { what: "the end of the server" });
});

Deno.test("the virtual display answers again after it was killed", async () => {
  await using service = await startCommand(["--virtual-display", "640x480"]);
  const [, display] = service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)!;
  const server = serverPid(display!);
  Deno.kill(server, "SIGKILL");
  await waitFor(() => !isRunning(server), { what: "the end of the server" });
  await waitFor(async () => {
    const answer = await fetch(`${service.address}/api/display/screen_size`);
    const body = await answer.json();
    if (answer.status === 503) return false;
    expect(body).toEqual({ width: 640, height: 480 });
    return true;
  }, { what: "the display to answer" });
  expect(serverPid(display!)).not.toBe(server);
});

/** Whether the X server sees a Shift key down, asked by a program of its own. */
async function isShiftDown(display: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("/usr/bin/python3", {
    args: ["-c", MODIFIERS],
    env: { DISPLAY: display },
  }).output();
  return (Number(new TextDecoder().decode(stdout)) & 1) === 1;
}

/** Prints the modifiers of QueryPointer. */
const MODIFIERS = `
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.restype = ctypes.c_ulong
d = ctypes.c_void_p(x.XOpenDisplay(None))
a, b = ctypes.c_ulong(), ctypes.c_ulong()
i = [ctypes.c_int() for _ in range(4)]
m = ctypes.c_uint()
x.XQueryPointer(d, ctypes.c_ulong(x.XDefaultRootWindow(d)), ctypes.byref(a), ctypes.byref(b), *[ctypes.byref(v) for v in i], ctypes.byref(m))
print(m.value)
`;

Deno.test("a program whose stopping hangs ends itself, and says so in the log", async () => {
  const { code, stderr } = await stopForever();
  expect(stderr).toContain("stopping takes too long");
  expect(code).toBe(1);
});

Deno.test("a program whose main thread hangs while it stops is ended by the kernel", async () => {
  expect((await stopForever("thread")).signal).toBe("SIGALRM");
});

async function stopForever(...more: readonly string[]) {
  const program = new URL("./stop_forever.ts", import.meta.url).href;
  const args = ["run", "-A", "--no-check", "-c", "deno.dev.json", program, ...more];
  const piped = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(Deno.execPath(), { args, ...piped }).spawn();
  const { code, signal, stderr } = await child.output();
  await child.stdin.close().catch(() => {});
  return { code, signal, stderr: new TextDecoder().decode(stderr) };
}
