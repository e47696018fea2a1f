/** `--trace`, `--log` and `--log-level`: messages are named, and nothing of what they carry is. */

import { expect } from "expect";
import { RequestNames } from "../../src/platform/linux/x11/local_stream.ts";
import { createLog } from "../../src/core/log.ts";
import { startCommand } from "../support/command.ts";
import { startRecordedDesktop } from "../support/desktop.ts";

interface Line {
  readonly level: string;
  readonly event: string;
  readonly message?: string;
  readonly [field: string]: unknown;
}

const TYPED = "geheim, 漢字";

Deno.test("--trace names the messages of each protocol, and has no typed text", async () => {
  await using desktop = await startRecordedDesktop();
  const args = ["--display", `1=${desktop.display}`, "--log", "json", "--trace", "x11,http,input"];
  const service = await startCommand(args);
  await (await service.post("/api/keyboard/type?secret=query", { text: TYPED })).body?.cancel();
  await (await service.post("/api/keyboard/type", { text: TYPED })).body?.cancel();
  await service[Symbol.asyncDispose]();
  const lines = service.errors.seen.map((line) => JSON.parse(line) as Line);
  const messages = (event: string) =>
    lines.filter((line) => line.level === "trace" && line.event === event)
      .map(({ message }) => message);
  expect(messages("http")).toEqual([
    "POST /api/keyboard/type",
    "422",
    "POST /api/keyboard/type",
    "200",
  ]);
  expect(messages("input")).toEqual(["operation"]);
  expect(messages("x11")).toContain("setup");
  expect(messages("x11")).toContain("request 98.0"); // QueryExtension
  expect(messages("dbus")).toEqual([]);
  const text = service.errors.seen.join("\n");
  for (const carried of [TYPED, "geheim", "漢字", "query"]) expect(text).not.toContain(carried);
});

Deno.test("requests of X are named by their opcodes alone, however they are cut into writes", () => {
  const setup = [0x6c, 0, 11, 0, 0, 0, 2, 0, 3, 0, 0, 0, 65, 65, 0, 0, 66, 66, 66, 0];
  const carrying = [18, 0, 4, 0, 99, 99, 99, 99, 108, 99, 1, 0, 66, 99, 1, 0];
  const all = Uint8Array.from([...setup, ...carrying, 43, 0, 1, 0]);
  const names = (...parts: Uint8Array[]) => {
    const requests = new RequestNames();
    return parts.flatMap((part) => [...requests.in(part)].map(({ name }) => name));
  };
  const expected = ["setup", "request 18.0", "request 43.0"];
  expect(names(all)).toEqual(expected);
  for (let cut = 12; cut < all.length; cut++) {
    const found = names(all.subarray(0, cut), all.subarray(cut));
    // where a header itself is cut, nothing is named from there on
    expect(found).toEqual(expected.slice(0, found.length));
    expect(found.length).toBeGreaterThan(0);
  }
});

Deno.test("a log leaves out what stands before its level, and writes one JSON object per line", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), { level: "warn", format: "json" });
  log.debug("a");
  log.info("b");
  log.warn("c", { text: 'x"\ny' });
  log.error("d");
  log.trace("http", { message: "200" });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: expect.any(String), level: "warn", event: "c", text: 'x"\ny' },
    { time: expect.any(String), level: "error", event: "d" },
    { time: expect.any(String), level: "trace", event: "http", message: "200" },
  ]);
});

Deno.test("--log-level debug names each request with its status", async () => {
  await using desktop = await startRecordedDesktop();
  await using service = await startCommand([
    "--display",
    `1=${desktop.display}`,
    "--log-level",
    "debug",
  ]);
  await (await service.post("/api/mouse/move", { x: 1, y: 2 })).body?.cancel();
  const [, line] = await service.errors.until(/ debug (request .*)/);
  expect(line).toMatch(
    /^request request="POST \/api\/mouse\/move" status=204 ms=[\d.]+ request_id="\S+"$/,
  );
});
