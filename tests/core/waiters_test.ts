/** Those who wait for news: told once, in whatever order they come and go. */

import { expect } from "expect";
import { Waiters } from "../../src/core/shared_run.ts";

Deno.test("everybody who waits is told once, who waits again at the next news", async () => {
  const waiters = new Waiters();
  const { signal } = new AbortController();
  const heard: string[] = [];
  const wait = async (name: string) => {
    await waiters.wait(signal);
    heard.push(name);
  };
  const first = wait("a").then(() => wait("a again"));
  const second = wait("b");
  waiters.notify();
  await second;
  expect(heard).toEqual(["a", "b"]);
  waiters.notify();
  await first;
  expect(heard).toEqual(["a", "b", "a again"]);
});

Deno.test("who gives up is told why, also when that was before", async () => {
  const waiters = new Waiters();
  const leaving = new AbortController();
  const waiting = waiters.wait(leaving.signal);
  leaving.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  await expect(waiters.wait(leaving.signal)).rejects.toThrow("left");
  waiters.notify();
});
