/** InputTurn: one at a time, in the order of arrival; overtaken by an interrupt; left by a client that goes. */

import { expect } from "expect";
import { type InputLease, InputLock } from "../../../src/features/input/input_lock.ts";

const STAYS = { signal: new AbortController().signal };

/** A body that ends when it is told to. */
function stalled() {
  const gate = Promise.withResolvers<void>();
  let turn: InputLease | undefined;
  return {
    body: (own: InputLease) => {
      turn = own;
      return gate.promise;
    },
    get turn(): InputLease {
      return turn!;
    },
    finish: gate.resolve,
  };
}

Deno.test("InputTurn runs a body at once and gives its result when nobody is before it", () => {
  const turn = new InputLock(10);
  expect(turn.run(STAYS, () => "done")).toBe("done");
  expect(() =>
    turn.run(STAYS, () => {
      throw new Error("broken");
    })
  ).toThrow("broken");
  expect(turn.run(STAYS, () => "next")).toBe("next");
});

Deno.test("InputTurn runs bodies one after the other, in the order of arrival", async () => {
  const turn = new InputLock(10);
  const first = stalled();
  const seen: string[] = [];
  const all = [
    turn.run(STAYS, first.body),
    turn.run(STAYS, () => {
      seen.push("second");
      throw new Error("broken");
    }),
    turn.run(STAYS, async () => {
      seen.push("third begins");
      await Promise.resolve();
      seen.push("third ends");
    }),
    turn.run(STAYS, () => void seen.push("fourth")),
  ];
  await Promise.resolve();
  expect(seen).toEqual([]);
  first.finish();
  const results = await Promise.allSettled(all);
  expect(results.map(({ status }) => status))
    .toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(seen).toEqual(["second", "third begins", "third ends", "fourth"]);
});

Deno.test("InputTurn refuses more than may wait, and takes new ones later", async () => {
  const turn = new InputLock(2);
  const first = stalled();
  const running = [turn.run(STAYS, first.body), turn.run(STAYS, () => 1), turn.run(STAYS, () => 2)];
  expect(() => turn.run(STAYS, () => 3)).toThrow(expect.objectContaining({ status: 503 }));
  first.finish();
  expect(await Promise.all(running)).toEqual([undefined, 1, 2]);
  expect(turn.run(STAYS, () => 4)).toBe(4);
});

Deno.test("InputTurn.overtake() ends the running body, drops the waiting ones, and waits for quiet", async () => {
  const turn = new InputLock(10);
  const seen: string[] = [];
  const running = turn.run(STAYS, async (own) => {
    try {
      await own.pause(60_000);
    } finally {
      await Promise.resolve();
      seen.push("released");
    }
  });
  const waiting = turn.run(STAYS, () => void seen.push("never"));
  const results = Promise.allSettled([running, waiting]);
  await turn.preempt(() => Promise.resolve());
  expect(seen).toEqual(["released"]);
  for (const result of await results) {
    expect(result).toMatchObject({ status: "rejected", reason: { status: 409 } });
  }
  expect(turn.run(STAYS, () => "again")).toBe("again");
});

Deno.test("InputTurn.overtake() has nothing to do when all is quiet", async () => {
  const turn = new InputLock(10);
  await turn.preempt(() => Promise.resolve());
  expect(turn.run(STAYS, () => 1)).toBe(1);
});

Deno.test("InputTurn tells a running body that its client has gone", async () => {
  const turn = new InputLock(10);
  const client = new AbortController();
  const running = turn.run(client, (own) => own.pause(60_000));
  const next = turn.run(STAYS, () => "next");
  client.abort();
  await expect(running).rejects.toMatchObject({ message: expect.stringContaining("client") });
  expect(await next).toBe("next");
});

Deno.test("InputTurn leaves a body out whose client goes away while it waits", async () => {
  const turn = new InputLock(1);
  const first = stalled();
  const client = new AbortController();
  const running = turn.run(STAYS, first.body);
  let ran = false;
  const waiting = turn.run(client, () => void (ran = true));
  client.abort();
  await expect(waiting).rejects.toMatchObject({ status: 409 });
  const next = turn.run(STAYS, () => "there is room again");
  first.finish();
  await running;
  expect(await next).toBe("there is room again");
  expect(ran).toBe(false);
});

Deno.test("Turn.signal is aborted already for a turn that was ended before it was asked for", async () => {
  const turn = new InputLock(10);
  const first = stalled();
  const running = turn.run(STAYS, first.body);
  const quiet = turn.preempt(() => Promise.resolve());
  expect(first.turn.signal.aborted).toBe(true);
  await expect(first.turn.pause(0)).rejects.toMatchObject({ status: 409 });
  first.finish();
  await running;
  await quiet;
});

Deno.test("InputTurn runs any number of bodies that only send, one after the other", async () => {
  const turn = new InputLock(20_000);
  const first = stalled();
  const begun = turn.run(STAYS, first.body);
  let ran = 0;
  const waiting = Array.from({ length: 20_000 }, () => turn.run(STAYS, () => void ran++));
  first.finish();
  await Promise.all([begun, ...waiting]);
  expect(ran).toBe(20_000);
});

Deno.test("InputTurn.overtake() runs before all that come later, and is not dropped by another", async () => {
  const turn = new InputLock(10);
  const first = stalled();
  const begun = Promise.resolve(turn.run(STAYS, first.body));
  const seen: string[] = [];
  const note = (what: string) => () => Promise.resolve(void seen.push(what));
  const dropped = expect(turn.run(STAYS, note("dropped"))).rejects.toThrow("Dropped");
  const over = [turn.preempt(note("one")), turn.preempt(note("two"))];
  const later = turn.run(STAYS, note("later"));
  first.finish();
  await Promise.all([begun, dropped, ...over, later]);
  expect(seen).toEqual(["one", "two", "later"]);
});

Deno.test("InputTurn.overtake() leaves nothing running that came before, in whatever moment it comes", async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const turn = new InputLock(10);
    const first = stalled();
    const seen: string[] = [];
    const running = turn.run(STAYS, first.body);
    const waiting = Promise.resolve(turn.run(STAYS, async (own) => {
      await own.pause(60_000);
    })).catch((error) => error.message);
    first.finish();
    for (let i = 0; i < ticks; i++) await Promise.resolve();
    const released = turn.preempt(() => Promise.resolve(void seen.push("released")));
    const later = turn.run(STAYS, () => void seen.push("later"));
    await Promise.all([running, released, later]);
    expect(await waiting).toContain("all input was released");
    expect(seen).toEqual(["released", "later"]);
  }
});
