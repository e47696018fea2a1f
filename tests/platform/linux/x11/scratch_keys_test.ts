/** Spare keycodes: lent for characters that the layout lacks, and always given back. */

import { expect } from "expect";
import { ScratchKeys } from "../../../../src/platform/linux/x11/scratch_keys.ts";
import { run, startDesktop } from "../../../support/desktop.ts";
import { startCommand } from "../../../support/command.ts";
import { startService } from "../../../support/service.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";
import { openXterm } from "../../../support/xterm.ts";

const HANZI = 0x01000000 + "漢".codePointAt(0)!;

/** The keycodes whose symbols are not what they were. */
async function changedSince(x: TestX, before: readonly number[][]): Promise<string[]> {
  return (await x.keyboardMapping())
    .map((symbols, index) => ({ now: symbols.join(" "), then: before[index]?.join(" "), index }))
    .filter(({ now, then }) => now !== then)
    .map(({ now, then, index }) => `${x.setup.min_keycode + index}: ${then} became ${now}`);
}

async function isMapped(x: TestX, keysym = HANZI): Promise<boolean> {
  return (await x.keyboardMapping()).some((symbols) => symbols.includes(keysym));
}

Deno.test("spare keycodes are given back some time after typing, and lent again", async () => {
  await using desktop = await startDesktop({ layout: ["de"] });
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  const before = await x.keyboardMapping();
  for (let round = 0; round < 2; round++) {
    await desktop.service.type("漢ab字é");
    await xterm.expectNext("漢ab字é");
    expect(await isMapped(x)).toBe(true);
    await waitFor(async () => !await isMapped(x), { what: "the keycode to be given back" });
    expect(await changedSince(x, before)).toEqual([]);
  }
});

Deno.test("spare keycodes are given back when the service ends", async () => {
  await using desktop = await startDesktop({ limits: { keymapSettleMs: 0 } });
  using x = await TestX.open(desktop.display);
  const before = await x.keyboardMapping();
  const service = await startService({ displays: [desktop.display] });
  await service.call("/api/keyboard/hold", { key: "漢" });
  await service.type("字");
  expect(await isMapped(x)).toBe(true);
  await service[Symbol.asyncDispose]();
  expect(await changedSince(x, before)).toEqual([]);
  expect(await x.keysDown()).toEqual([]);
});

Deno.test("spare keycodes of a program that was stopped or killed do not stay lent", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const before = await x.keyboardMapping();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const program = await startCommand(["--display", `1=${desktop.display}`]);
    const answer = await program.post("/api/keyboard/hold", { key: "漢" });
    expect(await answer.json()).toBe(null);
    expect(await isMapped(x)).toBe(true);
    if (signal === "SIGKILL") await program.kill();
    else await program[Symbol.asyncDispose]();
    expect(await isMapped(x)).toBe(signal === "SIGKILL");
  }
  await using next = await startService({ displays: [desktop.display] });
  await next.call("/api/mouse/position");
  expect(await changedSince(x, before)).toEqual([]);
});

Deno.test("spare keycodes of another run that is alive are left alone", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  await desktop.service.call("/api/keyboard/hold", { key: "漢" }); // the keycode stays lent
  {
    await using other = await startService({ displays: [desktop.display] });
    await other.type("字x");
    expect(await isMapped(x)).toBe(true);
  }
  expect(await isMapped(x)).toBe(true);
  await desktop.service.call("/api/keyboard/release", { key: "漢" });
  await desktop.service.type("漢字z");
  await waitFor(async () => !await isMapped(x), { what: "the keycode to be given back" });
  await xterm.focus();
});

Deno.test("SpareKeys takes free places first, then the least recently used, never a pressed one", () => {
  const spare = new ScratchKeys();
  spare.use(new Set([8, 9]));
  const place = (keysyms: number[]) => spare.assign(keysyms, spare.choose(keysyms).chosen);
  place([101, 102, 103]);
  for (const keysym of [102, 101, 103]) spare.touch(keysym);
  spare.pin(102);
  place([104, 105]);
  expect([101, 102, 103, 104, 105].map((keysym) => spare.find(keysym) !== undefined))
    .toEqual([false, true, true, true, true]);
  expect(spare.capacity).toBe(3);
});

Deno.test("SpareKeys never takes the place of a symbol that is wanted too", () => {
  const spare = new ScratchKeys();
  spare.use(new Set([8]));
  spare.assign([101, 102], spare.choose([101, 102]).chosen);
  spare.touch(101);
  spare.touch(102);
  spare.assign([101, 103], spare.choose([101, 103]).chosen);
  expect(spare.find(101)).toMatchObject({ keycode: 8, mods: 0 });
  expect(spare.find(102)).toBe(undefined);
  expect(spare.find(103)).toMatchObject({ keycode: 8, mods: 1 });
});

Deno.test("SpareKeys.choose() tells how recently a place that is taken was used", () => {
  const spare = new ScratchKeys();
  spare.use(new Set([8]));
  spare.assign([101, 102], spare.choose([101, 102]).chosen);
  expect(spare.choose([101]).lastUsed).toBe(0);
  spare.touch(101);
  spare.touch(102);
  expect(spare.choose([101]).chosen).toEqual([]);
  expect(spare.choose([103]).lastUsed).toBeGreaterThan(0);
});

Deno.test("SpareKeys writes both levels of a keycode always, and nothing but what changed", () => {
  const spare = new ScratchKeys();
  spare.use(new Set([8, 9, 20]));
  expect(spare.assign([101], spare.choose([101]).chosen)).toEqual([
    { keycode: 8, symbols: [101, 101] },
  ]);
  expect(spare.assign([101, 102, 103, 104], spare.choose([101, 102, 103, 104]).chosen)).toEqual([
    { keycode: 8, symbols: [101, 104] },
    { keycode: 9, symbols: [102, 102] },
    { keycode: 20, symbols: [103, 103] },
  ]);
  expect(spare.clear()).toEqual([
    { keycode: 8, symbols: [0, 0] },
    { keycode: 9, symbols: [0, 0] },
    { keycode: 20, symbols: [0, 0] },
  ]);
});

Deno.test("a keycode that was given back and mapped by somebody else is theirs", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  const before = await x.keyboardMapping();
  await desktop.service.type("é");
  await xterm.expectNext("é");
  const lent = (await changedSince(x, before)).map((line) => Number(line.split(":")[0]));
  expect(lent.length).toBe(1);
  await waitFor(async () => (await changedSince(x, before)).length === 0, {
    what: "the keycode to be given back",
  });
  await run("xmodmap", ["-e", `keycode ${lent[0]} = XF86Launch7`], { DISPLAY: desktop.display });
  const theirs = await x.keyboardMapping();
  await desktop.service.type("ß漢");
  await xterm.expectNext("ß漢");
  await waitFor(async () => !await isMapped(x), { what: "the keycodes to be given back" });
  expect(await changedSince(x, theirs)).toEqual([]);
});
