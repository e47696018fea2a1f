/** What is kept of an output, and that no character is cut. */

import { expect } from "expect";
import { KeptOutput } from "../../../src/features/bash/kept_output.ts";

const encoder = new TextEncoder();
const BOUNDS = { headBytes: 10, tailBytes: 20 };

function keptOf(...chunks: readonly (string | readonly number[])[]): KeptOutput {
  const kept = new KeptOutput(BOUNDS);
  for (const chunk of chunks) {
    kept.append(typeof chunk === "string" ? encoder.encode(chunk) : Uint8Array.from(chunk));
  }
  return kept;
}

Deno.test("KeptOutput.read() gives everything as long as it fits", () => {
  const kept = keptOf("0123456789", "abcdefghij", "ABCDEFGHIJ");
  expect(kept.read(0)).toEqual({
    text: "0123456789abcdefghijABCDEFGHIJ",
    nextOffset: 30,
    truncated: false,
  });
  expect(kept.read(8).text).toBe("89abcdefghijABCDEFGHIJ");
  expect(kept.read(30)).toEqual({ text: "", nextOffset: 30, truncated: false });
  expect(kept.read(1e9)).toEqual({ text: "", nextOffset: 30, truncated: false });
});

Deno.test("KeptOutput.read() gives head and tail of a long output, whatever the chunks", () => {
  const text = Array.from({ length: 100 }, (_, index) => String(index % 10)).join("");
  for (const size of [1, 3, 7, 19, 20, 21, 33, 100]) {
    const chunks = Array.from(
      { length: Math.ceil(text.length / size) },
      (_, index) => text.slice(index * size, (index + 1) * size),
    );
    const kept = keptOf(...chunks);
    expect(kept.read(0)).toEqual({
      text: text.slice(0, 10) + text.slice(-20),
      nextOffset: 100,
      truncated: true,
    });
    expect(kept.read(5).text).toBe(text.slice(5, 10) + text.slice(-20));
    expect(kept.read(50)).toEqual({ text: text.slice(-20), nextOffset: 100, truncated: true });
    expect(kept.read(85)).toEqual({ text: text.slice(85), nextOffset: 100, truncated: false });
  }
});

Deno.test("KeptOutput.read() waits for the rest of a character", () => {
  for (const character of ["é", "日", "🙂"]) {
    const bytes = [...encoder.encode(character)];
    for (let cut = 1; cut < bytes.length; cut++) {
      const kept = keptOf("a", bytes.slice(0, cut));
      expect(kept.read(0)).toEqual({ text: "a", nextOffset: 1, truncated: false });
      kept.append(Uint8Array.from(bytes.slice(cut)));
      expect(kept.read(1)).toEqual({
        text: character,
        nextOffset: 1 + bytes.length,
        truncated: false,
      });
    }
  }
});

Deno.test("KeptOutput.read() replaces half a character that stays one", () => {
  const kept = keptOf("a", [0xe6, 0x97]);
  kept.complete();
  expect(kept.read(0)).toEqual({ text: "a\ufffd", nextOffset: 3, truncated: false });
});

Deno.test("KeptOutput.read() leaves out a character that begins before the offset", () => {
  const kept = keptOf("🙂日b");
  for (const offset of [1, 2, 3, 4]) expect(kept.read(offset).text).toBe("日b");
  for (const offset of [5, 6, 7]) expect(kept.read(offset).text).toBe("b");
});

Deno.test("KeptOutput.read() keeps stray bytes that belong to no character", () => {
  const kept = keptOf([0x80, 0x81, 0xff], "a", [0x80]);
  kept.complete();
  expect(kept.read(0).text).toBe("\ufffd\ufffd\ufffda\ufffd");
  expect(kept.read(1).text).toBe("\ufffd\ufffda\ufffd");
  expect(kept.read(4).text).toBe("\ufffd");
});

Deno.test("KeptOutput.read() cuts no character at the gap", () => {
  const kept = keptOf("日".repeat(30));
  expect(kept.read(0)).toEqual({
    text: "日".repeat(3) + "日".repeat(6),
    nextOffset: 90,
    truncated: true,
  });
});

Deno.test("KeptOutput.read() keeps a byte order mark", () => {
  expect(keptOf("\ufeffa").read(0).text).toBe("\ufeffa");
});

Deno.test("KeptOutput.readEnd() gives the last bytes", () => {
  expect(keptOf("abc日本").readEnd(4)).toEqual({ text: "本", nextOffset: 9, truncated: true });
  expect(keptOf("abc").readEnd(4)).toEqual({ text: "abc", nextOffset: 3, truncated: false });
  const long = keptOf("x".repeat(50), "y".repeat(15));
  expect(long.readEnd(100).text).toBe("x".repeat(5) + "y".repeat(15));
  expect(long.readEnd(16).text).toBe("x" + "y".repeat(15));
});

Deno.test("reading on at nextOffset gives the whole text, whatever the chunks", () => {
  const text = "aé日🙂".repeat(3);
  const bytes = encoder.encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const kept = new KeptOutput({ headBytes: 7, tailBytes: 1_000 });
    let read = "";
    let offset = 0;
    for (let at = 0; at < bytes.length; at += size) {
      kept.append(bytes.subarray(at, at + size));
      const part = kept.read(offset);
      read += part.text;
      offset = part.nextOffset;
    }
    expect({ size, read }).toEqual({ size, read: text });
  }
});
