/** Requests that are made to be expensive: none holds up the thread that answers all others. */

import { expect } from "expect";
import { startWatched } from "../support/command.ts";
import { openCrowd } from "../support/program_window.ts";
import { stallsOf } from "../support/watchdog.ts";
import { TestX } from "../support/x_client.ts";
import { startXvfb } from "../support/xvfb.ts";

const MIB = 2 ** 20;
const list = (item: unknown) => `[${Array(12_000).fill(JSON.stringify(item)).join(",")}]`;
const names = (value: unknown) =>
  Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [`name${index}`, value]));

/** Each is refused; what counts is how long that takes. */
const EXPENSIVE: readonly (readonly [path: string, body: string])[] = [
  ["mouse/move", "[".repeat(15 * MIB)],
  ["mouse/move", `{"x":1,"y":"${"\\u00e9".repeat(2 * MIB)}"}`],
  ["mouse/move", JSON.stringify({ x: "1", ...names(1) })],
  ["mouse/drag", `{"x":1,"y":1,"path":${list({ x: "1", y: 1 })}}`],
  ["mouse/left-click", `{"modifiers":${list(1)}}`],
  ["keyboard/hotkey", `{"keys":${list("no key")}}`],
  ["keyboard/type", JSON.stringify({ text: "x".repeat(15 * MIB) })],
  ["keychain/authenticate", `{"service":"a","authElements":${list({ type: 1 })}}`],
  ["keychain/set-item", JSON.stringify({ service: "a", item: names("x") })],
  ["bash/command", JSON.stringify({ command: "true", env: names("x") })],
  ["bash/command", JSON.stringify({ command: "true", env: names(1) })],
  ["bash/command", JSON.stringify({ command: "true", env_secrets: names("x") })],
];

/** So many clients send the largest body at once. */
const AT_ONCE = 10;

Deno.test("no expensive request holds up the others", async () => {
  await using xvfb = await startXvfb();
  const service = await startWatched(["--display", `1=${xvfb.display}`]);
  try {
    for (const [path, body] of EXPENSIVE) {
      const status = await statusOf(`${service.address}/api/${path}`, body);
      expect([path, status]).toEqual([path, 422]);
    }
    const large = JSON.stringify({ path: 1, file_text: "x".repeat(15 * MIB) });
    const statuses = await Promise.all(
      Array.from(
        { length: AT_ONCE },
        () => statusOf(`${service.address}/api/editor/create`, large),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([422]));
    for (const path of ["/docs", "/openapi.json", "/api/display/screenshot"]) {
      const response = await fetch(service.address + path);
      await response.body?.cancel();
      expect([path, response.status]).toEqual([path, 200]);
    }
  } finally {
    await service[Symbol.asyncDispose](); // by then it has logged all
  }
  expect(stallsOf(service.errors.seen)).toEqual([]);
});

Deno.test("thousands of windows hold up nothing while they are listed", async () => {
  await using xvfb = await startXvfb();
  using x = await TestX.open(xvfb.display);
  await openCrowd(x, 3_000);
  const service = await startWatched(["--display", `1=${xvfb.display}`]);
  try {
    for (const path of ["list", "active", "list"]) {
      const response = await fetch(`${service.address}/api/window/${path}`);
      await response.body?.cancel();
      expect([path, response.status]).toEqual([path, 200]);
    }
  } finally {
    await service[Symbol.asyncDispose](); // by then it has logged all
  }
  expect(stallsOf(service.errors.seen)).toEqual([]);
});

async function statusOf(url: string, body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  await response.body?.cancel();
  return response.status;
}
