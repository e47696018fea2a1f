/** Programs that wait for a person: how it ends, for them and for those who look. */

import { expect } from "expect";
import type { Actor } from "../../../src/features/actor.ts";
import { AGENT, ANNA, openDesk } from "../../support/control.ts";

const { signal } = new AbortController();
const ASKED = { reason: "A captcha", timeoutMs: 60_000 };

Deno.test("ask() waits until a person has taken over and handed back", async () => {
  await using desk = openDesk();
  const { help } = desk.control;
  const asking = help.ask(AGENT, ASKED, signal);
  expect(desk.control.state.help).toMatchObject([{ name: "agent", reason: "A captcha" }]);
  await desk.done(desk.control.takeOver(ANNA));
  expect(help.list()).toHaveLength(1);
  await desk.done(desk.control.handBack(ANNA, "the code is in"));
  expect(await desk.done(asking))
    .toEqual({ outcome: "handed_back", by: "Anna", reason: "the code is in" });
  expect(help.list()).toEqual([]);
});

Deno.test("ask() ends when a person declines, and when its time is up", async () => {
  await using desk = openDesk();
  const { help } = desk.control;
  const first = help.ask(AGENT, ASKED, signal);
  const second = help.ask(AGENT, ASKED, signal);
  const { id } = help.list()[0]!;
  expect(help.decline(id, ANNA, "not now")).toBe(true);
  expect(await desk.done(first)).toEqual({ outcome: "declined", by: "Anna", reason: "not now" });
  expect(help.decline(id, ANNA)).toBe(false);
  await desk.pass(59_999);
  expect(help.list()).toHaveLength(1);
  await desk.pass(1);
  expect(await second).toEqual({ outcome: "timed_out" });
});

Deno.test("ask() ends with its client, and leaves nothing behind", async () => {
  await using desk = openDesk();
  const client = new AbortController();
  const asking = desk.control.help.ask(AGENT, ASKED, client.signal);
  client.abort(new Error("gone"));
  await expect(desk.done(asking)).rejects.toThrow("gone");
  expect(desk.control.state.help).toEqual([]);
  expect(desk.time.next).toBeUndefined();
});

Deno.test("ask() ends with the service", async () => {
  await using desk = openDesk();
  const asking = desk.control.help.ask(AGENT, ASKED, signal);
  await desk.session[Symbol.asyncDispose]();
  expect(await asking).toEqual({ outcome: "timed_out" });
});

Deno.test("at most 2 requests of one program wait, and 16 in all", async () => {
  await using desk = openDesk();
  const { help } = desk.control;
  const agent = (number: number): Actor => ({ ...AGENT, token: `token-${number}` });
  const ask = (number: number) => help.ask(agent(number), ASKED, signal);
  const all = Array.from({ length: 16 }, (_, index) => ask(Math.floor(index / 2)));
  for (const number of [0, 8]) {
    await expect(ask(number)).rejects.toMatchObject({ code: "unavailable" });
  }
  await desk.done(desk.control.takeOver(ANNA));
  await desk.done(desk.control.handBack(ANNA));
  const outcomes = await desk.done(Promise.all(all));
  expect(outcomes).toEqual(Array(16).fill({ outcome: "handed_back", by: "Anna" }));
});

Deno.test("requests of one program are reported at most once in 10 seconds", async () => {
  await using desk = openDesk();
  const { help } = desk.control;
  const reported: string[] = [];
  help.onRequest = ({ name, reason }) => reported.push(`${name}: ${reason}`);
  const ask = (actor: Actor, reason: string) =>
    desk.done(help.ask(actor, { reason, timeoutMs: 0 }, signal));
  const other: Actor = { ...AGENT, token: "token-2", name: "other" };
  for (const reason of ["1", "2", "3"]) await ask(AGENT, reason);
  await ask(other, "4");
  await desk.pass(9_000);
  await ask(AGENT, "5");
  await desk.pass(1_000);
  await ask(AGENT, "6");
  expect(reported).toEqual(["agent: 1", "other: 4", "agent: 6"]);
});

Deno.test("listeners hear when one begins to wait, and when one no longer does", async () => {
  await using desk = openDesk();
  const counts: number[] = [];
  using _listening = desk.control.onChange(({ help }) => counts.push(help.length));
  const asking = desk.control.help.ask(AGENT, ASKED, signal);
  await desk.pass(60_000);
  await asking;
  expect(counts).toEqual([1, 0]);
});
