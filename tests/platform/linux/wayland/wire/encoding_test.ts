/** Wayland messages: what was encoded is decoded again, and nonsense harms nobody. */

import { expect } from "expect";
import fc from "fast-check";
import {
  type ArgumentType,
  DamagedMessageError,
  decodeArguments,
  encodeMessage,
  MessageReader,
  type WireValue,
} from "../../../../../src/platform/linux/wayland/wire/encoding.ts";

const uint = fc.nat({ max: 0xffff_ffff });
const VALUES: Record<Exclude<ArgumentType, "fd">, fc.Arbitrary<WireValue>> = {
  int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  uint,
  object: uint,
  new_id: uint,
  fixed: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value) => value / 256),
  string: fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  array: fc.uint8Array(),
};
const types = Object.keys(VALUES) as (keyof typeof VALUES)[];
const argument = (type: ArgumentType) => ({ type, isNullable: false, interface: undefined });

const message = fc.record({
  object: uint,
  opcode: fc.nat({ max: 0xffff }),
  args: fc.array(
    fc.constantFrom(...types).chain((type) => VALUES[type].map((value) => ({ type, value }))),
    { maxLength: 8 },
  ),
});

Deno.test("what was encoded is decoded again, however it is cut into pieces", () => {
  fc.assert(fc.property(fc.array(message, { maxLength: 5 }), fc.nat(), (messages, seed) => {
    const parts = messages.map(({ object, opcode, args }) =>
      encodeMessage(
        object,
        opcode,
        args.map(({ type }) => argument(type)),
        args.map((a) => a.value),
      )
        .bytes
    );
    const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
    const reader = new MessageReader();
    const got: unknown[] = [];
    for (let at = 0, step = 1; at < bytes.length; at += step, step = 1 + (seed + at) % 13) {
      reader.push(bytes.slice(at, at + step), []);
      for (let next = reader.next(); next !== undefined; next = reader.next()) {
        const { args } = messages[got.length]!;
        const values = decodeArguments(next.body, args.map(({ type }) => argument(type)), () => -1);
        got.push({ object: next.object, opcode: next.opcode, values });
      }
    }
    expect(got).toEqual(messages.map(({ object, opcode, args }) => ({
      object,
      opcode,
      values: args.map(({ value }) => value),
    })));
  }));
});

Deno.test("nonsense is a message, the wait for one, or damage", () => {
  fc.assert(fc.property(
    fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 8 }),
    fc.array(fc.constantFrom(...types, "fd" as const), { maxLength: 6 }),
    (chunks, expected) => {
      const reader = new MessageReader();
      try {
        for (const chunk of chunks) {
          reader.push(chunk.slice(), []);
          for (let next = reader.next(); next !== undefined; next = reader.next()) {
            decodeArguments(next.body, expected.map(argument), () => reader.takeFile());
          }
        }
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedMessageError);
      }
    },
  ));
});

Deno.test("a text may be absent only where the table says so", () => {
  const body = new Uint8Array(4); // of no bytes
  const absent = { ...argument("string"), isNullable: true };
  expect(decodeArguments(body, [absent], () => -1)).toEqual([undefined]);
  expect(() => decodeArguments(body, [argument("string")], () => -1)).toThrow("without its end");
});

Deno.test("encodeMessage() refuses a text with NUL, and more than a message can have", () => {
  expect(() => encodeMessage(1, 0, [argument("string")], ["a\0b"])).toThrow("NUL");
  expect(() => encodeMessage(1, 0, [argument("array")], [new Uint8Array(65_536)]))
    .toThrow("too long");
});

Deno.test("descriptors that belong to no message are damage, not a leak", () => {
  const reader = new MessageReader();
  reader.push(new Uint8Array(0), Array.from({ length: 600 }, (_, i) => 10_000 + i));
  expect(() => reader.next()).toThrow("descriptors");
  expect(reader.takeFiles()).toHaveLength(600);
});
