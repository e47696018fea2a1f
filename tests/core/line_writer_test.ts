/** The log never waits for who reads it. */

import { expect } from "expect";
import { LineWriter } from "../../src/core/log.ts";

/** A reader that takes what is written when it is let to. */
function slowReader() {
  let got = "";
  let gate = Promise.withResolvers<void>();
  return {
    got: () => got,
    open: () => gate.resolve(),
    close: () => gate = Promise.withResolvers(),
    async write(bytes: Uint8Array) {
      await gate.promise;
      const part = bytes.subarray(0, 7); // fewer than it is given
      got += new TextDecoder().decode(part);
      return part.length;
    },
  };
}

Deno.test("LineWriter writes all lines in order, however few bytes the reader takes at once", async () => {
  const reader = slowReader();
  const writer = new LineWriter(reader.write);
  for (let index = 0; index < 50; index++) writer.add(`line ${index}`);
  reader.open();
  await writer.flush(10_000);
  writer.add("the last");
  await writer.flush(10_000);
  const lines = [...Array.from({ length: 50 }, (_, index) => `line ${index}`), "the last", ""];
  expect(reader.got()).toBe(lines.join("\n"));
});

Deno.test("LineWriter drops and counts what nobody reads, and goes on when somebody does", async () => {
  const reader = slowReader();
  const writer = new LineWriter(reader.write);
  const line = "x".repeat(99_999);
  for (let index = 0; index < 30; index++) writer.add(line); // the first is being written
  await writer.flush(0);
  expect(reader.got()).toBe("");
  reader.open();
  await writer.flush(60_000);
  writer.add("again");
  await writer.flush(60_000);
  const got = reader.got().split("\n");
  const whole = got.filter((text) => text === line).length;
  expect([got.at(-3), got.at(-2)]).toEqual([
    `${30 - whole} lines of the log were dropped here`,
    "again",
  ]);
  expect(whole).toBeLessThan(30);
});

Deno.test("LineWriter survives a reader that is gone", async () => {
  const writer = new LineWriter(() => Promise.reject(new Deno.errors.BrokenPipe()));
  writer.add("nobody hears");
  await writer.flush(10_000);
  writer.add("again");
  await writer.flush(10_000);
});

Deno.test("LineWriter writes a line that comes at any moment after the last write", async () => {
  for (let turns = 0; turns < 8; turns++) {
    let got = "";
    const writer: LineWriter = new LineWriter((bytes) => {
      const isFirst = got === "";
      got += new TextDecoder().decode(bytes);
      if (isFirst) addLater();
      return Promise.resolve(bytes.length);
    });
    const added = Promise.withResolvers<void>();
    const addLater = async () => {
      for (let turn = 0; turn < turns; turn++) await undefined;
      writer.add("the last");
      added.resolve();
    };
    writer.add("the first");
    await added.promise;
    await writer.flush(10_000);
    expect([turns, got]).toEqual([turns, "the first\nthe last\n"]);
  }
});
