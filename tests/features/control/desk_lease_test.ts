/** A pause and a lease of one desk: who may act there, and everywhere else. */

import { expect } from "expect";
import { type Actor, Revocations } from "../../../src/features/actor.ts";
import type { ControlState } from "../../../src/features/control/state.ts";
import type { Desk } from "../../../src/features/session.ts";
import {
  AGENT,
  ANNA,
  type Desk as Service,
  MOVE,
  openDesk,
  READ_FILE,
  RELEASE_ALL,
} from "../../support/control.ts";

const MINUTE = 60_000;
const DELETE = { id: "deleteDesk", group: "desk", path: "/api/desk/delete", readOnly: false };

/** A service with desks that have nothing but their names. */
function openDesks(...names: readonly string[]): Service {
  const service = openDesk();
  const { session } = service;
  for (const name of names) {
    session.desks.set(name, { name, session, running: new Set() } as unknown as Desk);
  }
  return service;
}

/** As desk/delete does. */
function deleteDesk({ session }: Service, name: string): void {
  const { running } = session.desks.get(name)!;
  session.desks.delete(name);
  for (const each of [...running]) each.end(new Error("deleted") as never);
}

/** The code of the refusal on a desk; `undefined` for what enters. */
function refusalOn(service: Service, desk: string | undefined, actor: Actor = AGENT) {
  return service.control.refusalOf(actor, MOVE, desk)?.code;
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

Deno.test("a lease of a desk refuses the other programs there, and nowhere else", async () => {
  await using service = openDesks("alice", "bob");
  const { control } = service;
  const on = (desk: string | undefined) =>
    control.enter(MOVE, {
      ...{ actor: AGENT, session: service.session, signal: new AbortController().signal },
      config: {} as never,
    }, { desk });
  using there = on("alice") as Disposable & { readonly over?: Error };
  using elsewhere = on("bob") as Disposable & { readonly over?: Error };
  const { id } = control.lease(AGENT, { seconds: 60 }, "alice");
  expect(there.over?.message).toMatch(/^agent has a lease of the desk "alice" until \d\d:\d\d: /);
  expect(elsewhere.over).toBeUndefined();
  expect(codeOf(() => on("alice"))).toBe("locked");
  const lease = { ...AGENT, lease: id };
  expect([refusalOn(service, "alice", lease), refusalOn(service, "alice", ANNA)])
    .toEqual([undefined, undefined]);
  expect([refusalOn(service, "bob"), refusalOn(service, undefined)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(service.refusal(READ_FILE, AGENT)).toBeUndefined();
  expect(control.refusalOf(AGENT, RELEASE_ALL, "alice")).toBeUndefined();
  expect([control.state.mode, control.stateOf("bob").mode]).toEqual(["programs", "programs"]);
  expect(control.stateOf("alice")).toMatchObject({ mode: "leased", desk: "alice" });
  expect(control.isLeased).toBe(true);
  await service.pass(MINUTE);
  expect([refusalOn(service, "alice"), control.isLeased]).toEqual([undefined, false]);
});

Deno.test("each desk is leased by itself, and the whole service while none of them is", async () => {
  await using service = openDesks("alice", "bob");
  const { control } = service;
  const lease = (desk?: string, id?: string) =>
    control.lease(AGENT, { seconds: 60, ...(id && { id }) }, desk);
  const alice = lease("alice");
  const bob = lease("bob");
  for (const desk of ["alice", "bob", undefined]) {
    expect(codeOf(() => lease(desk))).toBe("conflict");
  }
  expect(() => lease()).toThrow('a lease of the desk "alice"');
  expect(() => lease("alice")).not.toThrow("X-Control-Lease"); // with it there is no other one, either
  expect(lease("alice", alice.id).id).toBe(alice.id);
  expect(lease(undefined, bob.id).desk).toBe("bob"); // the id says which
  expect(codeOf(() => lease("bob", alice.id))).toBe("conflict");
  expect(() => lease("bob", alice.id)).toThrow("There is no such lease");
  expect(codeOf(() => control.releaseLease(AGENT, alice.id, "bob"))).toBe("not_found");
  expect(codeOf(() => control.releaseLease(ANNA))).toBe("not_found"); // of the whole service
  control.releaseLease(ANNA, undefined, "alice");
  control.releaseLease({ ...AGENT, lease: bob.id });
  const all = lease();
  expect(["alice", "bob", undefined].map((desk) => refusalOn(service, desk)))
    .toEqual(["locked", "locked", "locked"]);
  expect(refusalOn(service, "alice", { ...AGENT, lease: all.id })).toBeUndefined();
  expect(codeOf(() => lease("alice"))).toBe("conflict");
  expect(codeOf(() => lease("carol"))).toBe("not_found");
});

Deno.test("since when programs may act changes with the service, and with a desk on that alone", async () => {
  await using service = openDesks("alice", "bob");
  const { control } = service;
  const since = () => [control.state, control.stateOf("bob")].map(({ since }) => since);
  const before = since();
  await service.pass(MINUTE);
  control.lease(AGENT, { seconds: 60 }, "alice");
  expect(since()).toEqual(before);
  control.lease(AGENT, { seconds: 60 }, "bob");
  await service.pass(MINUTE);
  expect(control.state.since).toBe(before[0]);
  expect(control.stateOf("bob").mode).toBe("programs");
  expect(Date.parse(control.stateOf("bob").since)).toBeGreaterThan(Date.parse(before[1]!));
  await service.done(control.pause(AGENT));
  control.resume(AGENT);
  expect(new Set(since()).size).toBe(1);
});

Deno.test("a pause of a desk is of it alone, and one of the service is of all desks", async () => {
  await using service = openDesks("alice", "bob");
  const { control } = service;
  await service.done(control.pause(ANNA, "a look", "alice"));
  expect(["alice", "bob", undefined].map((desk) => refusalOn(service, desk)))
    .toEqual(["locked", undefined, undefined]);
  expect(control.refusalOf(AGENT, MOVE, "alice")?.message)
    .toMatch(/^Anna has paused the desk "alice" since \d\d:\d\d \(a look\): /);
  expect(codeOf(() => control.lease(AGENT, { seconds: 60 }, "alice"))).toBe("locked");
  expect(codeOf(() => control.resume(AGENT, "alice"))).toBe("locked");
  await service.done(control.pause(AGENT));
  control.resume(ANNA, "alice");
  expect(["alice", "bob", undefined].map((desk) => refusalOn(service, desk)))
    .toEqual(["locked", "locked", "locked"]);
  control.resume(AGENT);
  expect(refusalOn(service, "alice")).toBeUndefined();
});

Deno.test("what is leased or paused ends with its desk: a new one of that name is free", async () => {
  await using service = openDesks("alice");
  const { control, session } = service;
  const states: unknown[] = [];
  using _listening = control.onChange(({ mode }: ControlState, desk) => states.push([mode, desk]));
  const { id } = control.lease(AGENT, { seconds: 60 }, "alice");
  const remove = (actor: Actor) =>
    control.enter(DELETE, {
      ...{ actor, session, signal: new AbortController().signal, config: {} as never },
    }, { name: "alice" });
  expect(codeOf(() => remove(AGENT))).toBe("locked");
  using passage = remove({ ...AGENT, lease: id }) as Disposable & { readonly over?: Error };
  await service.done(control.pause(ANNA, undefined, "alice"));
  expect(passage.over).toBeDefined();
  deleteDesk(service, "alice");
  expect([control.isLeased, service.time.next]).toEqual([false, undefined]);
  session.desks.set("alice", { name: "alice", session, running: new Set() } as unknown as Desk);
  expect(refusalOn(service, "alice")).toBeUndefined();
  expect(codeOf(() => control.lease(AGENT, { seconds: 60, id }))).toBe("conflict");
  expect(control.lease(AGENT, { seconds: 60 }, "alice").id).not.toBe(id);
  expect(states).toEqual(
    [["leased", "alice"], ["paused", "alice"], ["programs", "alice"], ["leased", "alice"]],
  );
});

Deno.test("a lease of a desk ends with the token that has taken it", async () => {
  await using service = openDesks("alice", "bob");
  const { control, session } = service;
  control.lease({ ...AGENT, token: "token-1" }, { seconds: 60 }, "alice");
  control.lease({ ...AGENT, token: "token-2" }, { seconds: 60 }, "bob");
  session.use(Revocations).end("token-1");
  expect(["alice", "bob"].map((desk) => refusalOn(service, desk))).toEqual([undefined, "locked"]);
});

Deno.test("a person has all of the service, its leased desks too", async () => {
  await using service = openDesks("alice");
  const { control } = service;
  const { id } = control.lease(AGENT, { seconds: 60 }, "alice");
  const holder = { ...AGENT, lease: id };
  await service.done(control.takeOver(ANNA));
  expect(refusalOn(service, "alice", holder)).toBe("locked");
  expect(control.stateOf("alice")).toMatchObject({ mode: "person", by: { name: "Anna" } });
  await service.done(control.handBack(ANNA));
  expect(refusalOn(service, "alice", holder)).toBeUndefined();
  expect(refusalOn(service, "alice")).toBe("locked");
});
