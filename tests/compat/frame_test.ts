/** The ports of `--compat`: what is checked there, several at once, and one that is taken. */

import { expect } from "expect";
import { runCommand, startCommand } from "../support/command.ts";
import { sendRaw } from "../support/client.ts";
import { startXvfb } from "../support/xvfb.ts";

const TOKEN = "a-token-of-the-test";
const COMPAT = /^Compat {3}(\S+) (http:\/\/127\.0\.0\.1:\d+)$/;

/** The service with these interfaces on free ports, and their addresses by name. */
async function start(names: readonly string[], env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack();
  const { display } = stack.use(await startXvfb());
  const flags = names.flatMap((name) => ["--compat", `${name}:0`]);
  const service = stack.use(await startCommand(["--display", display, ...flags], env));
  const found = service.output.seen.flatMap((line) => {
    const [, name, address] = COMPAT.exec(line) ?? [];
    return name === undefined ? [] : [[name, address!] as const];
  });
  const started = stack.move();
  return {
    service,
    addresses: Object.fromEntries(found),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

Deno.test("each interface has a port of its own, which the banner names, and one end", async () => {
  await using started = await start(["osworld", "agent-sandbox"]);
  const { service, addresses } = started;
  expect(Object.keys(addresses)).toEqual(["osworld", "agent-sandbox"]);
  const picture = await fetch(`${addresses["osworld"]}/screenshot`);
  await picture.body?.cancel();
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  const health = await fetch(`${addresses["agent-sandbox"]}/`);
  expect([health.status, (await health.json()).status]).toEqual([200, "ok"]);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  await expect(fetch(`${addresses["osworld"]}/screenshot`)).rejects.toThrow();
});

Deno.test("a port of --compat has the checks of the service, also for unknown paths", async () => {
  await using started = await start(["osworld"], { COMPUTER_CONTROL_TOKEN: TOKEN });
  const address = started.addresses["osworld"]!;
  const authorization = `Bearer ${TOKEN}`;
  const status = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(address + path, { headers });
    await response.body?.cancel();
    return response.status;
  };
  const paths = [["/screenshot", 200], ["/no/such/route", 404], ["/healthz", 404]] as const;
  for (const [path, known] of paths) {
    expect(await status(path, {})).toBe(401);
    expect(await status(path, { authorization: "Bearer other" })).toBe(401);
    expect(await status(path, { authorization, origin: "http://evil.example" })).toBe(403);
    expect(await status(path, { authorization, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status(path, { authorization })).toBe(known);
    const port = Number(new URL(address).port);
    const head =
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: ${authorization}\r\n`;
    expect(await sendRaw(port, `${head}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  }
});

Deno.test("a request that no route can be given is an error of its client", async () => {
  await using started = await start(["osworld", "cua"]);
  for (const address of Object.values(started.addresses)) {
    const port = Number(new URL(address).port);
    const end = "Connection: close\r\n\r\n";
    expect(await sendRaw(port, `TRACE / HTTP/1.1\r\nHost: localhost\r\n${end}`))
      .toMatch(/^HTTP\/1.1 405 /);
    expect(await sendRaw(port, `GET / HTTP/1.1\r\nHost: localhost:99999\r\n${end}`))
      .toMatch(/^HTTP\/1.1 4\d\d /);
  }
});

Deno.test("what --disable and --read-only refuse is refused at a port of --compat", async () => {
  await using xvfb = await startXvfb();
  const flags = ["--compat", "osworld:0", "--read-only", "--disable", "filesystem"];
  await using service = await startCommand(["--display", xvfb.display, ...flags]);
  const line = service.output.seen.find((each) => COMPAT.test(each))!;
  const address = COMPAT.exec(line)![2]!;
  const post = async (path: string, body: object) => {
    const response = await fetch(address + path, { method: "POST", body: JSON.stringify(body) });
    return [response.status, await response.json()] as const;
  };
  const forbidden = { status: "error", message: expect.stringMatching(/read-only|--disable/) };
  expect(await post("/execute", { command: ["true"] })).toMatchObject([403, forbidden]);
  expect(await post("/list_directory", { path: "/" })).toMatchObject([403, forbidden]);
  expect(await post("/screen_size", {})).toEqual([200, { width: 1280, height: 800 }]);
});

Deno.test("the program ends with 1 and one line when a port of --compat is taken", async () => {
  await using xvfb = await startXvfb();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const { code, stdout, stderr } = await runCommand([
    ...["--port", "0", "--display", xvfb.display, "--compat", `cua:${port}`],
  ]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    `computer-control: Cannot listen on 127.0.0.1:${port}: the port is in use: ` +
      "choose another with --compat cua:<port>, or 0 for any free one",
  );
});
