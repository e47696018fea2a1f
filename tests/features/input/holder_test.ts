/** What operations with a common holder leave pressed is released at its end, and nothing else. */

import { expect } from "expect";
import { Holder } from "../../../src/features/input/holder.ts";
import { testApp } from "../../support/client.ts";

function setUp() {
  const { callables, platform } = testApp();
  const { signal } = new AbortController();
  const call = (name: string, input: object, holder?: Holder) =>
    callables.prepare(name, input).run({ signal, ...(holder && { holder }) });
  return { call, sent: platform.screen().fake.sent };
}

Deno.test("a holder releases what it holds, the last one first, buttons before keys", async () => {
  const { call, sent } = setUp();
  {
    await using holder = new Holder(new AbortController().signal);
    await call("keyboard.hold", { key: "ctrl" }, holder);
    await call("keyboard.hold", { key: "shift" }, holder);
    await call("mouse.down", {}, holder);
    sent.length = 0;
  }
  expect(sent).toEqual(["release left", "release key shift", "release key ctrl"]);
});

Deno.test("a holder leaves alone what others hold, whoever pressed it first", async () => {
  const { call, sent } = setUp();
  await call("keyboard.hold", { key: "alt" });
  {
    await using holder = new Holder(new AbortController().signal);
    await call("keyboard.hold", { key: "alt" }, holder);
    await call("keyboard.hold", { key: "ctrl" }, holder);
    await call("keyboard.hold", { key: "ctrl" });
    await call("mouse.down", {}, holder);
    await call("mouse.up", {}, holder);
    await call("mouse.down", {});
    sent.length = 0;
  }
  expect(sent).toEqual([]);
  expect(await call("keyboard.held", {})).toMatchObject({ value: ["alt", "ctrl"] });
  await call("mouse.up", {});
  await call("keyboard.release", { key: "alt" });
  await call("keyboard.release", { key: "ctrl" });
});

Deno.test("a key of two holders is released by the one that ends last", async () => {
  const { call, sent } = setUp();
  const one = new Holder(new AbortController().signal);
  const other = new Holder(new AbortController().signal);
  await call("keyboard.hold", { key: "ctrl" }, one);
  await call("keyboard.hold", { key: "ctrl" }, other);
  sent.length = 0;
  await one[Symbol.asyncDispose]();
  expect(sent).toEqual([]);
  await other[Symbol.asyncDispose]();
  expect(sent).toEqual(["release key ctrl"]);
});

Deno.test("a holder releases at once when its signal aborts, also what is pressed later", async () => {
  const { call, sent } = setUp();
  const caller = new AbortController();
  await using holder = new Holder(caller.signal);
  await call("keyboard.hold", { key: "ctrl" }, holder);
  sent.length = 0;
  caller.abort();
  expect(sent).toEqual(["release key ctrl"]);
  await call("mouse.down", {}, holder);
  expect(sent).toEqual(["release key ctrl", "press left", "release left"]);
});
