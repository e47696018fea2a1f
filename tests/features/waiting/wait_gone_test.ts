/** display/wait with `gone`: what holds no longer, and what never did. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { painted, wait } from "../display/waiting.ts";
import { startWorld } from "./waiting_elsewhere.ts";

Deno.test("waits until a file, a text in it, and a process are gone", async () => {
  await using world = await startWorld();
  const path = world.path("lock");
  await Deno.writeTextFile(path, "busy");
  const text = world.wait({ gone: { file: { path, contains: "busy" } } });
  const file = world.wait({ gone: { file: { path } } });
  expect([await world.isOpen(text), await world.isOpen(file)]).toEqual([true, true]);
  await Deno.writeTextFile(path, "free");
  expect((await text).status).toBe("gone");
  expect(await world.isOpen(file)).toBe(true);
  await Deno.remove(path);
  expect((await file).status).toBe("gone");
  const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
  try {
    const ended = world.wait({ gone: { process: { pid: child.pid } } });
    expect(await world.isOpen(ended)).toBe(true);
    child.kill();
    expect((await ended).status).toBe("gone");
  } finally {
    await child.status;
  }
});

Deno.test("waits until a pixel has another colour", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const until = { gone: { pixel: { x: 30, y: 30, rgb: [0, 0, 0] } } };
  const gone = wait(desktop, { until });
  expect((await wait(desktop, { until, timeout_ms: 100 })).status).toBe("timeout");
  await painter.paint([20, 20, 20, 20], 0xaa3355);
  expect((await gone).status).toBe("gone");
});

Deno.test("the errors of what is to be gone are told where they are", async () => {
  const app = testApp();
  const errors = async (until: unknown) =>
    (await app.post("/api/display/wait", { until, timeout_ms: 0 })).json.detail;
  expect(await errors({ gone: { file: { path: "a\0b" } } })).toMatchObject([
    { loc: ["body", "until", "gone", "file", "path"] },
  ]);
  expect(await errors({ gone: {} })).toMatchObject([{
    loc: ["body", "until", "gone"],
    type: "value_error",
  }]);
  expect(await errors({ gone: { gone: { process: { pid: 1 } } } })).toMatchObject([{
    loc: ["body", "until", "gone"],
  }]);
  expect(await errors({ gone: "change" })).toMatchObject([{ loc: ["body", "until", "gone"] }]);
});
