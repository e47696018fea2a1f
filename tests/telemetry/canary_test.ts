/** What is stored, typed or written is in nothing that the program reports of what it does. */

import { expect } from "expect";
import { join } from "node:path";
import { EXPORT_FORMATS } from "../../src/features/trail/trajectory/exports.ts";
import { startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { modernMessage } from "../support/mcp.ts";
import { startXvfb } from "../support/xvfb.ts";
import { startReceiver } from "./support/receiver.ts";

const SECRET = "s3cretCanary";
const TYPED = "typedCanary";
const CONTENT = "contentCanary";

/** What each of them reports that nothing confidential is in. */
const SAID = {
  log: "/api/keyboard/type",
  audit: '"operation":"keyboard.type"',
  trail: '"operation":"keyboard.type"',
  events: '"operation":"keyboard.type"',
  exports: "keyboard.type",
  metrics: 'operation="typeText"',
  spans: "/api/keyboard/type",
} as const;

/** Calls with them, by paths below `/api/`; some of them fail. */
function callsIn(folder: string): readonly (readonly [path: string, body: object])[] {
  const note = join(folder, "note.txt");
  return [
    ["keychain/set-item", { service: "shop", item: { password: SECRET } }],
    ["keyboard/type", { text: TYPED }],
    ["keyboard/type", { text: `my ${SECRET}` }],
    ["keyboard/type", { secret: { service: "shop", field: "password" } }],
    ["keyboard/key", { key: TYPED }],
    ...[...TYPED].map((key) => ["keyboard/key", { key }] as const),
    ["clipboard/set", { text: TYPED }],
    ["clipboard/set", { text: SECRET }],
    ["filesystem/write", { path: note, content: CONTENT }],
    ["filesystem/read", { path: note }],
    ["filesystem/read", { path: `/nowhere/${SECRET}` }],
    ["bash/command", { command: `echo ${CONTENT} ${SECRET}`, env: { A: CONTENT } }],
    ["mouse/left-click", { ref: SECRET }],
    ["mouse/left-click", { x: 5, y: 5, frame: SECRET }],
    ["window/focus", { id: SECRET }],
    ["batch", { steps: [{ operation: "keyboard.type", input: { text: TYPED } }] }],
    ["display/wait", { until: { text: TYPED }, timeout_ms: 1 }],
    ["control/pause", { reason: `for ${SECRET}` }],
    ["control/resume", {}],
    ["control/request-help", { reason: `what is ${SECRET}?`, timeout_ms: 1_000 }],
  ];
}

Deno.test("what is stored, typed or written is in no log, trail, event, export, figure or span", async () => {
  await using receiver = await startReceiver(SECRET);
  await using xvfb = await startXvfb();
  await using folder = await testFolder();
  const audit = join(folder.path, "audit.jsonl");
  await using service = await startCommand([
    ...["--display", `1=${xvfb.display}`, "--audit-file", audit, "--log-level", "debug"],
    ...["--trace", "cdp,dbus,http,input,x11"],
  ], receiver.env);
  const get = async (path: string) => await (await fetch(service.address + path)).text();
  const post = async (path: string, body: object) =>
    await (await service.post(`/api/${path}`, body)).json().catch(() => undefined);
  const events = get("/api/events"); // until the end of the service
  await post("trail/start", { pictures: false });
  for (const [path, body] of callsIn(folder.path)) await post(path, body);
  const { headers, body } = modernMessage("tools/call", {
    name: "type",
    arguments: { text: TYPED },
  });
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  await (await fetch(`${service.address}/mcp`, request)).body?.cancel();
  for (const format of EXPORT_FORMATS) {
    const path = join(folder.path, format);
    expect(await post("trail/export", { format, path })).toMatchObject({ path });
  }
  const [trail, metrics] = [await get("/api/trail?limit=1000"), await get("/metrics")];
  await service[Symbol.asyncDispose]();
  const reported: Record<keyof typeof SAID, string> = {
    log: [...service.output.seen, ...service.errors.seen].join("\n"),
    audit: await Deno.readTextFile(audit),
    trail,
    events: await events,
    exports: await readAll(EXPORT_FORMATS.map((format) => join(folder.path, format))),
    metrics,
    spans: await receiver.everything(),
  };
  for (const [what, text] of Object.entries(reported)) {
    expect([what, text]).toEqual([what, expect.stringContaining(SAID[what as keyof typeof SAID])]);
    for (const canary of [SECRET, TYPED, CONTENT]) {
      const around = text.split(canary).map((part) => part.slice(-200)).slice(0, -1);
      expect([what, canary, around]).toEqual([what, canary, []]);
    }
  }
});

/** The bytes of all files at these paths, as characters. */
async function readAll(paths: readonly string[]): Promise<string> {
  let text = "";
  for (const path of paths) {
    if ((await Deno.stat(path)).isDirectory) {
      const entries = await Array.fromAsync(Deno.readDir(path));
      text += await readAll(entries.map(({ name }) => join(path, name)));
    } else text += new TextDecoder("latin1").decode(await Deno.readFile(path));
  }
  return text;
}
