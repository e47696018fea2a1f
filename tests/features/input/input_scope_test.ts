/** What operations with a common holder leave pressed is released at its end, and nothing else. */

import { ANYONE } from "../../../src/features/actor.ts";
import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import type { InputScope } from "../../../src/features/input_scope.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { testApp } from "../../support/client.ts";
import { DisplaySessions } from "../../../src/features/input/display_sessions.ts";

const operations = await allOperations(DEFAULT_LIMITS);

function setUp() {
  const { callables, platform, session } = testApp({ operations });
  const { signal } = new AbortController();
  const call = (name: string, input: object, holder?: InputScope) =>
    callables.prepare(name, input).run({
      actor: ANYONE,
      signal,
      ...(holder && { inputScope: holder }),
    });
  const hold = (caller = new AbortController()) => callables.openInputScope(caller.signal);
  const { fake: devices } = platform.screen();
  return { call, hold, session, devices, sent: devices.sent };
}

Deno.test("a holder releases what it holds, the last one first, buttons before keys", async () => {
  const { call, hold, sent } = setUp();
  {
    await using holder = hold();
    await call("keyboard.hold", { key: "ctrl" }, holder);
    await call("keyboard.hold", { key: "shift" }, holder);
    await call("mouse.down", {}, holder);
    sent.length = 0;
  }
  expect(sent).toEqual(["release left", "release key shift", "release key ctrl"]);
});

Deno.test("a holder leaves alone what others hold, whoever pressed it first", async () => {
  const { call, hold, sent } = setUp();
  await call("keyboard.hold", { key: "alt" });
  {
    await using holder = hold();
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
  const { call, hold, sent } = setUp();
  const one = hold();
  const other = hold();
  await call("keyboard.hold", { key: "ctrl" }, one);
  await call("keyboard.hold", { key: "ctrl" }, other);
  sent.length = 0;
  await one[Symbol.asyncDispose]();
  expect(sent).toEqual([]);
  await other[Symbol.asyncDispose]();
  expect(sent).toEqual(["release key ctrl"]);
});

Deno.test("a holder releases at once when its signal aborts, also what is pressed later", async () => {
  const { call, hold, sent } = setUp();
  const caller = new AbortController();
  await using holder = hold(caller);
  await call("keyboard.hold", { key: "ctrl" }, holder);
  sent.length = 0;
  caller.abort();
  expect(sent).toEqual(["release key ctrl"]);
  await call("mouse.down", {}, holder);
  expect(sent).toEqual(["release key ctrl", "press left", "release left"]);
});

Deno.test("release-all aborts the signal of a holder, but not that of the caller", async () => {
  const { call, hold, session, sent } = setUp();
  const caller = new AbortController();
  await using holder = hold(caller);
  await call("keyboard.hold", { key: "ctrl" }, holder);
  sent.length = 0;
  await session.use(DisplaySessions).releaseAll();
  expect(sent).toEqual(["release key ctrl"]);
  expect(holder.signal.reason).toMatchObject({ code: "conflict" });
  expect(caller.signal.aborted).toBe(false);
});

Deno.test("release-all that an operation of the holder asks for leaves its signal alone", async () => {
  const { call, hold, session } = setUp();
  await using holder = hold();
  await using other = hold();
  await call("system.release-all", {}, holder);
  expect(holder.signal.aborted).toBe(false);
  expect(other.signal.aborted).toBe(true);
  await holder[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  expect(session.use(DisplaySessions).inputScopes.size).toBe(0);
});

Deno.test("a hold that fails takes back its own share, and nobody else's", async () => {
  const { call, hold, sent, devices } = setUp();
  const one = hold();
  const other = hold();
  for (
    const [operation, input] of [["keyboard.hold", { key: "ctrl" }], ["mouse.down", {}]] as const
  ) {
    const lost = Promise.withResolvers<void>();
    devices.held = lost.promise;
    const failing = call(operation, input, one);
    await waitFor(() => sent.some((line) => line.startsWith("press")), { what: "the press" });
    devices.held = undefined;
    await call(operation, input, other);
    lost.reject(new ServiceError("unavailable", "It is not there"));
    await expect(failing).rejects.toThrow("It is not there");
    devices.held = Promise.reject(new ServiceError("unavailable", "It is not there"));
    devices.held.catch(() => {});
    await expect(call(operation, input, one)).rejects.toThrow("It is not there");
    devices.held = undefined;
    expect(sent.filter((line) => line.startsWith("release"))).toEqual([]);
    sent.length = 0;
  }
  await other[Symbol.asyncDispose]();
  expect(sent).toEqual(["release left", "release key ctrl"]);
  await one[Symbol.asyncDispose]();
});

Deno.test("of two calls for one key, the one that fails releases it only if the other fails, too", async () => {
  const { call, sent, devices } = setUp();
  for (
    const [operation, input] of [["keyboard.hold", { key: "ctrl" }], ["mouse.down", {}]] as const
  ) {
    for (const succeeds of [true, false]) {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      sent.length = 0;
      devices.held = first.promise;
      const failing = call(operation, input);
      await waitFor(() => sent.some((line) => line.startsWith("press")), { what: "the press" });
      const joined = Promise.withResolvers<void>();
      Object.defineProperty(devices, "held", {
        configurable: true,
        get: () => (joined.resolve(), second.promise),
      });
      const other = call(operation, input);
      await joined.promise;
      first.reject(new ServiceError("unavailable", "It is not there"));
      await expect(failing).rejects.toThrow("It is not there");
      const isHeld = () => !sent.some((line) => line.startsWith("release"));
      expect(isHeld()).toBe(true);
      Object.defineProperty(devices, "held", { value: undefined, writable: true });
      if (succeeds) second.resolve();
      else second.reject(new ServiceError("unavailable", "It is not there"));
      await other.catch(() => {});
      expect(isHeld()).toBe(succeeds);
      await call("system.release-all", {});
    }
  }
});
