/** Who may act, second by second: a person, a pause, a lease, and what ends when they change. */

import { expect } from "expect";
import { type Actor, Revocations } from "../../../src/features/actor.ts";
import type { ControlledOperation } from "../../../src/features/control/passage.ts";
import type { ControlState } from "../../../src/features/control/state.ts";
import { Curtain } from "../../../src/features/curtain.ts";
import { settle } from "../../simulation/virtual_time.ts";
import {
  AGENT,
  ANNA,
  BOB,
  INFO,
  MOVE,
  openDesk,
  PICTURE,
  READ_FILE,
  RELEASE_ALL,
  STATE,
} from "../../support/control.ts";

const MINUTE = 60_000;

Deno.test("programs and persons may act while nobody has taken over", async () => {
  await using desk = openDesk();
  for (const actor of [AGENT, ANNA]) {
    for (const operation of [MOVE, PICTURE, READ_FILE, STATE, INFO, RELEASE_ALL]) {
      expect(desk.refusal(operation, actor)).toBeUndefined();
    }
  }
  expect(desk.control.state).toMatchObject({ mode: "programs", by: null, help: [] });
});

Deno.test("a person who takes over is alone at once: input, pictures and files of all others are refused", async () => {
  await using desk = openDesk();
  const taking = desk.control.takeOver(ANNA); // not awaited
  for (const actor of [AGENT, BOB]) {
    for (const operation of [MOVE, PICTURE, READ_FILE, RELEASE_ALL]) {
      expect(desk.refusal(operation, actor)).toBe("locked");
    }
    for (const operation of [STATE, INFO]) expect(desk.refusal(operation, actor)).toBeUndefined();
  }
  expect(desk.refusal(PICTURE, ANNA)).toBeUndefined();
  expect(() => desk.enter(MOVE, AGENT))
    .toThrow(/^Anna has control since \d\d:\d\d: try again when it is handed back$/);
  await desk.done(taking);
  expect(desk.control.state).toMatchObject({ mode: "person", by: { id: "page-1", name: "Anna" } });
});

Deno.test("takeOver() ends what others run, and leaves what is always open", async () => {
  await using desk = openDesk();
  using program = desk.enter(MOVE, AGENT);
  using person = desk.enter(MOVE, ANNA);
  using state = desk.enter(STATE, AGENT);
  const signal = program.signalWith(new AbortController().signal);
  const taking = desk.control.takeOver(ANNA);
  expect(program.over?.code).toBe("locked");
  expect(signal.aborted && signal.reason).toBe(program.over);
  expect(() => program.check()).toThrow("Anna has control");
  expect([person.over, state.over]).toEqual([undefined, undefined]);
  program[Symbol.dispose]();
  await desk.done(taking);
});

Deno.test("takeOver() waits for what it has ended, but not for what does not stop", async () => {
  await using desk = openDesk();
  using first = desk.enter(MOVE, AGENT);
  let isTaken = false;
  const taking = desk.control.takeOver(ANNA).then(() => isTaken = true);
  await desk.pass(500);
  expect(isTaken).toBe(false);
  first[Symbol.dispose]();
  await desk.pass(0);
  expect(isTaken).toBe(true);
  await taking;
  await desk.done(desk.control.handBack(ANNA));
  using _stuck = desk.enter(MOVE, AGENT);
  await desk.done(desk.control.takeOver(ANNA));
});

Deno.test("what a person does right after taking over waits until all is released", async () => {
  await using desk = openDesk();
  using held = desk.enter(MOVE, AGENT); // what it has pressed is released when it stops
  const taking = desk.control.takeOver(ANNA);
  let isIn = false;
  const entering = desk.enterLater(MOVE, ANNA).then((passage) => {
    isIn = true;
    return passage;
  });
  await desk.pass(500);
  expect(isIn).toBe(false);
  held[Symbol.dispose]();
  await desk.done(taking);
  using own = await desk.done(entering);
  expect(own.over).toBeUndefined();
  expect(desk.refusal(MOVE, ANNA)).toBeUndefined(); // at once from now on
});

Deno.test("what waits for a take-over is refused when another person comes in between", async () => {
  await using desk = openDesk();
  using held = desk.enter(MOVE, AGENT);
  const first = desk.control.takeOver(ANNA).catch(() => {});
  const refused = expect(desk.enterLater(MOVE, ANNA)).rejects.toThrow("Bob has control");
  const second = desk.control.takeOver(BOB);
  held[Symbol.dispose]();
  await desk.done(Promise.all([first, second, refused]));
});

Deno.test("a program cannot take over", async () => {
  await using desk = openDesk();
  await expect(desk.control.takeOver(AGENT)).rejects.toThrow(TypeError);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("handBack() ends what the person runs, and lets programs act again", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  using own = desk.enter(MOVE, ANNA);
  const back = desk.control.handBack(ANNA);
  expect(own.over?.code).toBe("locked");
  expect(desk.refusal(MOVE, AGENT)).toBe("locked"); // what is pressed may still be down
  expect(desk.refusal(MOVE, ANNA)).toBe("locked");
  own[Symbol.dispose]();
  expect(await desk.done(back)).toBe(true);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  expect(await desk.control.handBack(ANNA)).toBe(false);
});

Deno.test("only who has control hands it back", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  const impostor: Actor = { ...ANNA, kind: "program" };
  for (const actor of [BOB, AGENT, impostor]) {
    expect(await desk.control.handBack(actor)).toBe(false);
  }
  expect(desk.refusal(MOVE, impostor)).toBe("locked");
  expect(desk.control.state.mode).toBe("person");
});

Deno.test("a person takes over from another, who is told", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  const states: ControlState[] = [];
  using _listening = desk.control.onChange((state) => states.push(state));
  await desk.done(desk.control.takeOver(BOB));
  expect(states.map(({ by }) => by?.name)).toEqual(["Bob"]);
  expect([desk.refusal(MOVE, ANNA), desk.refusal(MOVE, BOB)]).toEqual(["locked", undefined]);
  expect(await desk.control.handBack(ANNA)).toBe(false);
});

Deno.test("takeOver() fails for who has lost control again before it has been given", async () => {
  await using desk = openDesk();
  const first = desk.control.takeOver(ANNA);
  const second = desk.control.takeOver(BOB);
  await expect(desk.done(first)).rejects.toThrow("in the meantime");
  await desk.done(second);
  expect(desk.control.state.by?.name).toBe("Bob");
});

Deno.test("who takes over while control is handed back has it", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  const back = desk.control.handBack(ANNA);
  await desk.done(desk.control.takeOver(BOB));
  await desk.done(back);
  expect(desk.control.state).toMatchObject({ mode: "person", by: { name: "Bob" } });
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("control ends after 10 minutes without activity, with a warning 30 s before", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  const states: ControlState[] = [];
  using _listening = desk.control.onChange((state) => states.push(state));
  await desk.pass(9.5 * MINUTE - 1);
  expect(states).toEqual([]);
  await desk.pass(1);
  expect(states).toMatchObject([{ mode: "person", warning: true }]);
  await desk.pass(MINUTE / 2 - 1);
  expect(desk.control.state.mode).toBe("person");
  await desk.pass(1);
  expect(states.at(-1)).toMatchObject({ mode: "programs", warning: false });
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("what the person does takes back the warning; reads do not count", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  const warnings: boolean[] = [];
  using _listening = desk.control.onChange(({ warning }) => warnings.push(warning));
  await desk.pass(9.5 * MINUTE);
  desk.enter(PICTURE, ANNA)[Symbol.dispose]();
  expect(warnings).toEqual([true]);
  desk.enter(MOVE, ANNA)[Symbol.dispose]();
  expect(warnings).toEqual([true, false]);
  await desk.pass(9.5 * MINUTE - 1);
  expect(warnings).toEqual([true, false]);
  desk.control.noteActivity(ANNA);
  await desk.pass(5 * MINUTE);
  expect(desk.control.state).toMatchObject({ mode: "person", warning: false });
});

Deno.test("control ends after 60 minutes, whatever the person does", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  for (let minute = 0; minute < 59; minute++) {
    await desk.pass(MINUTE);
    desk.control.noteActivity(ANNA);
  }
  await desk.pass(MINUTE / 2);
  desk.control.noteActivity(ANNA);
  expect(desk.control.state).toMatchObject({ mode: "person", warning: true });
  await desk.pass(MINUTE / 2);
  expect(desk.control.state.mode).toBe("programs");
});

Deno.test("control ends 30 s after the person's last page is gone, unless one comes back", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  desk.control.personLeft(BOB); // has no control
  desk.control.personLeft(ANNA);
  await desk.pass(29_999);
  desk.control.personLeft(ANNA); // does not begin anew
  desk.control.personReturned(ANNA);
  await desk.pass(MINUTE);
  expect(desk.control.state).toMatchObject({ mode: "person", warning: false });
  desk.control.personLeft(ANNA);
  await desk.pass(29_999);
  expect(desk.control.state.mode).toBe("person");
  await desk.pass(1);
  expect(desk.control.state.mode).toBe("programs");
});

Deno.test("pause() refuses every program, with the reason; persons and releases pass", async () => {
  await using desk = openDesk();
  using running = desk.enter(MOVE, AGENT);
  const pausing = desk.control.pause(AGENT, "tests begin");
  expect(running.over?.message)
    .toMatch(/^agent has paused all programs since \d\d:\d\d \(tests begin\): try again/);
  running[Symbol.dispose]();
  await desk.done(pausing);
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
  expect(desk.refusal(PICTURE, AGENT)).toBe("locked");
  expect(desk.refusal(RELEASE_ALL, AGENT)).toBeUndefined();
  expect(desk.refusal(MOVE, ANNA)).toBeUndefined();
  expect(desk.control.state).toMatchObject({ mode: "paused", reason: "tests begin", until: null });
  desk.control.resume(AGENT);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  desk.control.resume(AGENT); // once more changes nothing
});

Deno.test("what a person has paused, only a person resumes", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.pause(AGENT));
  await desk.done(desk.control.pause(ANNA, "look at this"));
  await desk.done(desk.control.pause(AGENT)); // does not make it the program's again
  expect(() => desk.control.resume(AGENT)).toThrow("Anna has paused");
  desk.control.resume(BOB);
  expect(desk.control.state.mode).toBe("programs");
});

Deno.test("a pause holds on when a person hands back", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.pause(AGENT));
  await desk.done(desk.control.takeOver(ANNA));
  expect(desk.control.state.mode).toBe("person");
  await desk.done(desk.control.handBack(ANNA));
  expect(desk.control.state.mode).toBe("paused");
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
});

Deno.test("a lease lets one program act alone, until it ends", async () => {
  await using desk = openDesk();
  using before = desk.enter(MOVE, AGENT);
  const { id, until } = desk.control.lease(AGENT, { seconds: 60 });
  expect(until.getTime()).toBe(Date.now() + MINUTE);
  expect(before.over?.message).toMatch(/^agent has a lease until \d\d:\d\d: /);
  const holder = { ...AGENT, lease: id };
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
  expect(desk.refusal(MOVE, { ...AGENT, lease: "other" })).toBe("locked");
  expect([holder, ANNA].map((actor) => desk.refusal(MOVE, actor))).toEqual([undefined, undefined]);
  expect(JSON.stringify(desk.control.state)).not.toContain(id);
  using running = desk.enter(MOVE, holder);
  await desk.pass(MINUTE - 1);
  expect(desk.refusal(MOVE, AGENT)).toBe("locked");
  await desk.pass(1);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
  expect(running.over).toBeUndefined(); // it may still act
});

Deno.test("a lease is renewed by its id, and by nobody else", async () => {
  await using desk = openDesk();
  const { id } = desk.control.lease(AGENT, { seconds: 60 });
  const code = (options: { seconds: number; id?: string }) => {
    try {
      desk.control.lease(AGENT, options);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code({ seconds: 1 })).toBe("conflict");
  expect(code({ seconds: 1, id: "other" })).toBe("conflict");
  await desk.pass(MINUTE / 2);
  using running = desk.enter(MOVE, { ...AGENT, lease: id });
  expect(code({ seconds: 60, id })).toBeUndefined();
  expect(running.over).toBeUndefined();
  await desk.pass(MINUTE - 1);
  expect(desk.control.state.mode).toBe("leased");
  await desk.pass(1);
  expect(desk.control.state.mode).toBe("programs");
  expect(code({ seconds: 60, id })).toBe("conflict"); // it was not alone meanwhile
  expect(() => desk.control.releaseLease(AGENT, id)).toThrow("has ended");
  const next = desk.control.lease(AGENT, { seconds: 60 });
  desk.control.releaseLease(AGENT, next.id);
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});

Deno.test("there is no lease while a person has control, or it is paused", async () => {
  await using desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  expect(() => desk.control.lease(AGENT, { seconds: 1 })).toThrow("Anna has control");
  await desk.done(desk.control.handBack(ANNA));
  await desk.done(desk.control.pause(AGENT));
  expect(() => desk.control.lease(AGENT, { seconds: 1 })).toThrow("has paused");
});

Deno.test("each program is told once after a hand-back, by what is neither control nor system", async () => {
  await using desk = openDesk();
  const other: Actor = { ...AGENT, id: "token-2" };
  expect(desk.control.takeNotice(MOVE, AGENT)).toBeUndefined();
  for (let round = 0; round < 2; round++) {
    await desk.done(desk.control.takeOver(ANNA));
    await desk.done(desk.control.handBack(ANNA));
    expect(desk.control.takeNotice(STATE, AGENT)).toBeUndefined();
    expect(desk.control.takeNotice(MOVE, ANNA)).toBeUndefined();
    for (const actor of [AGENT, other]) {
      expect(desk.control.takeNotice(MOVE, actor)).toBe("display changed: take a new picture");
      expect(desk.control.takeNotice(MOVE, actor)).toBeUndefined();
    }
  }
});

Deno.test("no timer is left when the session ends", async () => {
  const desk = openDesk();
  await desk.done(desk.control.takeOver(ANNA));
  desk.control.personLeft(ANNA);
  expect(desk.time.next).toBeDefined();
  await desk[Symbol.asyncDispose]();
  expect(desk.time.next).toBeUndefined();
});

Deno.test("the live picture is for persons, for those who have a link of one, and else as pictures are", async () => {
  await using desk = openDesk();
  const { control } = desk;
  const watcher = (by: Actor["kind"]): Actor => ({
    ...AGENT,
    id: `watch-${by}`,
    watchOnly: { display: 1, by },
  });
  const seen = () =>
    [ANNA, BOB, watcher("person"), watcher("program"), AGENT]
      .map((each) => control.refusalToWatch(each) === undefined);
  const [all, persons] = [[true, true, true, true, true], [true, true, true, false, false]];
  expect(seen()).toEqual(all);
  await desk.done(control.takeOver(ANNA));
  expect(seen()).toEqual(persons);
  await desk.done(control.handBack(ANNA));
  expect(seen()).toEqual(all);
  await desk.done(control.pause(AGENT));
  expect(seen()).toEqual(persons);
  control.resume(AGENT);
  const { id } = control.lease(AGENT, { seconds: 60 });
  expect(seen()).toEqual(persons);
  expect(control.refusalToWatch({ ...AGENT, lease: id })).toBeUndefined();
});

Deno.test("a program makes no link while it could not take a picture; a person does", async () => {
  await using desk = openDesk();
  const link: ControlledOperation = { ...STATE, id: "createLink", readOnly: false };
  expect(desk.refusal(link, AGENT)).toBeUndefined();
  await desk.done(desk.control.takeOver(ANNA));
  expect(desk.refusal(link, AGENT)).toBe("locked");
  expect([ANNA, BOB].map((actor) => desk.refusal(link, actor))).toEqual([undefined, undefined]);
});

Deno.test("a program's pause and lease end with its token, and a person's pause does not", async () => {
  await using desk = openDesk();
  const { control } = desk;
  const revocations = desk.session.use(Revocations);
  const agent: Actor = { ...AGENT, token: "token-1" };
  control.lease(agent, { seconds: 60 });
  revocations.end("other");
  expect(control.state.mode).toBe("leased");
  revocations.end("token-1");
  expect(control.state.mode).toBe("programs");
  await desk.done(control.pause(agent));
  revocations.end("token-1");
  expect(control.state.mode).toBe("programs");
  await desk.done(control.pause({ ...ANNA, token: "token-2" }));
  revocations.end("token-2");
  expect(control.state.mode).toBe("paused");
  control.resume(BOB);
  control.lease(agent, { seconds: 60 });
  control.releaseLease(ANNA);
  control.lease({ ...AGENT, token: "token-3" }, { seconds: 60 });
  revocations.end("token-1"); // it has ended before
  expect(control.state.mode).toBe("leased");
  control.releaseLease(BOB);
  control.lease(AGENT, { seconds: 60 }); // without a token, which is needed from now on
  revocations.end("anyone");
  expect(control.state.mode).toBe("programs");
});

Deno.test("a person's control ends with the person's token at once, and with no other", async () => {
  await using desk = openDesk();
  const { control } = desk;
  const revocations = desk.session.use(Revocations);
  const anna: Actor = { ...ANNA, token: "token-1" };
  await desk.done(control.takeOver(anna));
  revocations.end("token-2");
  using held = desk.enter(MOVE, anna);
  revocations.end("token-1");
  expect([held.over?.code, desk.refusal(MOVE, anna)]).toEqual(["locked", "locked"]);
  expect(desk.refusal(MOVE, AGENT)).toBe("locked"); // what is pressed may still be down
  held[Symbol.dispose]();
  await desk.pass(0);
  expect([control.state.mode, desk.refusal(MOVE, AGENT)]).toEqual(["programs", undefined]);
  await desk.done(control.takeOver(anna));
  await desk.done(control.takeOver(BOB));
  revocations.end("token-1");
  await desk.pass(0);
  expect(control.state.by?.name).toBe("Bob");
  revocations.end("anyone"); // without a token, which is needed from now on
  await desk.pass(0);
  expect(control.state.mode).toBe("programs");
});

Deno.test("a person ends a lease without its id, and a program by the one that it acts by", async () => {
  await using desk = openDesk();
  const { control } = desk;
  expect(() => control.releaseLease(ANNA)).toThrow("has ended");
  control.lease(AGENT, { seconds: 60 });
  expect(() => control.releaseLease(AGENT)).toThrow("no such lease");
  expect(() => control.releaseLease(ANNA, "other")).toThrow("no such lease");
  control.releaseLease(ANNA);
  expect(control.state.mode).toBe("programs");
  const { id } = control.lease(AGENT, { seconds: 60 });
  control.releaseLease({ ...AGENT, lease: id });
  expect(control.state.mode).toBe("programs");
});

Deno.test("programs may act only after what a person leaves is tidied up, or after its time", async () => {
  await using desk = openDesk();
  const { control } = desk;
  const curtain = desk.session.use(Curtain);
  const tidied = Promise.withResolvers<void>();
  control.onHandBack(() => tidied.promise);
  control.onHandBack(() => Promise.reject(new Error("cannot")));
  await desk.done(control.takeOver(ANNA));
  expect(curtain.isClosed).toBe(true);
  const handingBack = control.handBack(ANNA);
  await settle();
  expect([desk.refusal(MOVE, AGENT), curtain.isClosed]).toEqual(["locked", true]);
  tidied.resolve();
  await desk.done(handingBack);
  expect([desk.refusal(MOVE, AGENT), curtain.isClosed]).toEqual([undefined, false]);
  control.onHandBack(() => new Promise(() => {})); // never done
  await desk.done(control.takeOver(ANNA));
  await desk.done(control.handBack(ANNA));
  expect(desk.refusal(MOVE, AGENT)).toBeUndefined();
});
