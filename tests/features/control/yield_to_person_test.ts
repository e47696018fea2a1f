/** Programs are paused while a person uses the computer's own mouse: when, for how long, and what stays. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { Control } from "../../../src/features/control/control.ts";
import { YieldToPerson } from "../../../src/features/control/yield_to_person.ts";
import { missing } from "../../../src/platform/capability.ts";
import { settle } from "../../simulation/virtual_time.ts";
import { testApp } from "../../support/client.ts";
import {
  AGENT,
  ANNA,
  type Desk,
  MOVE,
  openDesk,
  PICTURE,
  RELEASE_ALL,
} from "../../support/control.ts";
import { FakeDisplay, FakePlatform } from "../../support/fake_platform.ts";
import { waitFor } from "../../support/wait.ts";

const REST_MS = 10_000;
const NO_LOG = { warn: () => {} };

interface YieldingDesk extends Desk {
  readonly platform: FakePlatform;
  readonly warned: readonly unknown[];
  moveMouse(displayNum?: number): void;
}

async function yieldingDesk(): Promise<YieldingDesk> {
  const desk = openDesk();
  const platform = desk.session.platform as FakePlatform;
  const warned: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warned.push(line) };
  await desk.done(YieldToPerson.begin(desk.session, { restMs: REST_MS, log }));
  const moveMouse = (displayNum = 1) => platform.screen(displayNum).person.moveMouse();
  return { ...desk, platform, warned, moveMouse };
}

Deno.test("real input refuses programs at once, and ends what they run; persons pass", async () => {
  await using desk = await yieldingDesk();
  using running = desk.enter(MOVE, AGENT);
  expect(desk.control.state.mode).toBe("programs");
  desk.moveMouse();
  expect(running.over?.message).toMatch(
    /^the computer's own mouse or keyboard has paused all programs since \d\d:\d\d \(a person uses the computer's mouse or keyboard; programs go on after 10 s without that\): try again/,
  );
  for (const operation of [MOVE, PICTURE]) expect(desk.refusal(operation, AGENT)).toBe("locked");
  expect(desk.refusal(RELEASE_ALL, AGENT)).toBeUndefined();
  expect(desk.refusal(MOVE, ANNA)).toBeUndefined();
  expect(desk.control.state).toMatchObject({
    mode: "paused",
    by: { id: "local", name: "the computer's own mouse or keyboard" },
    reason: expect.stringContaining("a person uses the computer's mouse or keyboard"),
  });
});

Deno.test("programs go on by themselves after so long without real input", async () => {
  await using desk = await yieldingDesk();
  for (let use = 0; use < 3; use++) {
    desk.moveMouse();
    await desk.pass(REST_MS - 1);
    expect(desk.refusal(MOVE, AGENT)).toBe("locked");
  }
  await desk.pass(1);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  expect(desk.control.state).toMatchObject({ mode: "programs", by: null, reason: null });
  desk.moveMouse();
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("those who follow control hear of a use once when it begins, and once when it ends", async () => {
  await using desk = await yieldingDesk();
  const modes: string[] = [];
  using _listening = desk.control.onChange(({ mode }) => modes.push(mode));
  for (let move = 0; move < 100; move++) desk.moveMouse();
  expect(modes).toEqual(["paused"]);
  await desk.pass(REST_MS);
  expect(modes).toEqual(["paused", "programs"]);
});

Deno.test("a person resumes at once, for as long as this use lasts; a program cannot", async () => {
  await using desk = await yieldingDesk();
  desk.moveMouse();
  expect(() => desk.control.resume(AGENT)).toThrow("own mouse or keyboard has paused");
  desk.control.resume(ANNA);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  await desk.pass(REST_MS - 1);
  desk.moveMouse(); // the person goes on, beside the programs
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  await desk.pass(REST_MS + 1);
  desk.moveMouse();
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("what a program has paused stays paused after the use, and its resume does not end that", async () => {
  await using desk = await yieldingDesk();
  await desk.done(desk.control.pause(AGENT, "tests begin"));
  desk.moveMouse();
  expect(desk.control.state).toMatchObject({ by: { name: "agent" }, reason: "tests begin" });
  await desk.pass(REST_MS);
  expect(desk.control.state).toMatchObject({ mode: "paused", reason: "tests begin" });
  desk.moveMouse();
  desk.control.resume(AGENT);
  expect(desk.control.state.by?.id).toBe("local");
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
  await desk.pass(REST_MS);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("what a person pauses during a use stays paused after it", async () => {
  await using desk = await yieldingDesk();
  desk.moveMouse();
  await desk.done(desk.control.pause(ANNA));
  await desk.pass(REST_MS);
  expect(desk.control.state).toMatchObject({ mode: "paused", by: { name: "Anna" } });
  desk.moveMouse();
  desk.control.resume(ANNA); // both
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("a lease goes on: its program is refused meanwhile, and may act alone after that", async () => {
  await using desk = await yieldingDesk();
  const { id } = desk.control.lease(AGENT, { seconds: 60 });
  const leased = { ...AGENT, lease: id };
  desk.moveMouse();
  expect(desk.refusal(MOVE, leased)).toBe("locked");
  expect(() => desk.control.lease(AGENT, { seconds: 60, id })).toThrow("has paused all programs");
  await desk.pass(REST_MS);
  expect(desk.refusal(MOVE, leased)).toBeUndefined();
  expect(desk.refusal(MOVE, { ...AGENT, id: "other" })).toBe("locked");
  expect(desk.control.state.mode).toBe("leased");
});

Deno.test("nothing changes for a person who has control; programs wait for the rest after that", async () => {
  await using desk = await yieldingDesk();
  await desk.done(desk.control.takeOver(ANNA));
  using own = desk.enter(MOVE, ANNA);
  const { since } = desk.control.state;
  desk.moveMouse();
  expect(desk.control.state).toMatchObject({ mode: "person", by: { name: "Anna" }, since });
  expect([own.over, desk.refusal(MOVE, ANNA)]).toEqual([undefined, undefined]);
  own[Symbol.dispose]();
  await desk.done(desk.control.handBack(ANNA));
  expect(desk.control.state).toMatchObject({ mode: "paused", by: { id: "local" } });
  await desk.pass(REST_MS);
  expect(desk.control.state.mode).toBe("programs");
});

Deno.test("a person takes over while the mouse is used", async () => {
  await using desk = await yieldingDesk();
  desk.moveMouse();
  await desk.done(desk.control.takeOver(ANNA));
  await desk.pass(REST_MS);
  expect(desk.control.state).toMatchObject({ mode: "person", by: { name: "Anna" } });
  await desk.done(desk.control.handBack(ANNA));
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("a display that goes and comes back is watched again, and so is one that is new", async () => {
  await using desk = await yieldingDesk();
  const { person } = desk.platform.screen();
  person.lose();
  await desk.pass(1_000);
  expect(person.watches.size).toBe(1);
  desk.platform.screens.set(2, new FakeDisplay(2, { width: 8, height: 8 }));
  await desk.pass(3_000);
  expect([person.watches.size, desk.platform.screen(2).person.watches.size]).toEqual([1, 1]);
  desk.moveMouse(2);
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("a display that cannot be watched for now is tried again, and the log says so once", async () => {
  await using desk = await yieldingDesk();
  const { person } = desk.platform.screen();
  person.failure = new Error("no X server answers");
  person.lose();
  await desk.pass(5_000);
  expect(desk.warned).toEqual([[
    "does not yield to a person",
    { display: 1, why: "no X server answers" },
  ]]);
  person.failure = undefined;
  await desk.pass(1_000);
  desk.moveMouse();
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("begin() is refused where a display does not tell who uses it, and watches none", async () => {
  await using desk = openDesk();
  const { screens } = desk.session.platform as FakePlatform;
  const other = new FakeDisplay(2, { width: 8, height: 8 });
  other.realInput = missing("sway does not tell");
  screens.set(2, other);
  const beginning = YieldToPerson.begin(desk.session, { restMs: REST_MS, log: NO_LOG });
  const error = await desk.done(beginning).catch((error) => error);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: "unsupported", message: "sway does not tell" });
  expect(screens.get(1)!.person.watches.size).toBe(0);
  expect(desk.time.next).toBeUndefined();
});

Deno.test("begin() goes on without a display, and watches it when it is there", async () => {
  await using desk = openDesk();
  const { screens } = desk.session.platform as FakePlatform;
  const late = screens.get(1)!;
  screens.clear();
  await desk.done(YieldToPerson.begin(desk.session, { restMs: REST_MS, log: NO_LOG }));
  screens.set(1, late);
  await desk.pass(1_000);
  late.person.moveMouse();
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("nothing of it is left when the service ends, in the middle of a use, too", async () => {
  const desk = await yieldingDesk();
  const { person } = desk.platform.screen();
  desk.moveMouse();
  const [watch] = person.watches;
  await desk.session[Symbol.asyncDispose]();
  expect(person.watches.size).toBe(0);
  watch!.used(); // one that was on its way
  await settle();
  expect(desk.time.next).toBeUndefined();
  await desk[Symbol.asyncDispose]();
});

Deno.test("what programs hold is released, and their first answer after that says what to do", async () => {
  const app = testApp();
  await using _session = app.session;
  await YieldToPerson.begin(app.session, { restMs: 1_000, log: NO_LOG });
  const { fake, person } = app.platform.screen();
  const move = () => app.post("/api/mouse/move", { x: 3, y: 4 });
  await app.post("/api/keyboard/hold", { key: "shift" });
  await app.post("/api/mouse/down", { button: "left" });
  expect([fake.keyboard.down.size, fake.mouse.down.size]).toEqual([1, 1]);
  person.moveMouse();
  const refused = await move();
  expect([refused.status, refused.json.code]).toEqual([423, "locked"]);
  expect(refused.json.detail).toContain("a person uses the computer's mouse or keyboard");
  await waitFor(() => fake.keyboard.down.size + fake.mouse.down.size === 0);
  expect((await app.post("/api/control/resume", {})).status).toBe(423);
  const state = await app.send("GET", "/api/control/state");
  expect(state.json).toMatchObject({ mode: "paused", by: { id: "local" } });
  app.session.use(Control).resume(ANNA);
  const answer = await move();
  expect([answer.status, answer.headers.get("x-control-notice")])
    .toEqual([204, "display changed: take a new picture"]);
});
