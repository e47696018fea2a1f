/** Pictures for models are never larger than what the vendors take. */

import { expect } from "expect";
import { takePicture } from "../../../src/features/agents/pictures.ts";
import { Frames } from "../../../src/features/input/frames.ts";
import type { Context } from "../../../src/features/context.ts";

const LIMIT = 3_750_000;
const OPTIONS = { cursor: false, quality: 100, fit: "claude" } as const;

/** A display whose picture has this many bytes as PNG, and a tenth of it otherwise. */
function displayWith(pngBytes: number) {
  const frames = new Frames(4);
  const asked: unknown[] = [];
  const box = { x: 0, y: 0, width: 10, height: 5 };
  const frame = frames.add({
    ...{ displayNum: 1, region: box, screen: box, serverRun: undefined, size: box, window: box },
    ...{ run: "", count: 0, cursor: undefined, tag: "" },
  });
  return {
    asked,
    context: { session: { use: () => frames } } as unknown as Context,
    call(_name: string, input: Readonly<Record<string, unknown>>) {
      asked.push([input["format"], input["quality"]]);
      const bytes = new Uint8Array(input["format"] === "png" ? pngBytes : pngBytes / 10);
      const mediaType = `image/${input["format"]}`;
      const headers = { "X-Frame": frame.id };
      return Promise.resolve({ kind: "file" as const, mediaType, bytes, headers });
    },
  };
}

Deno.test("a PNG that no vendor takes becomes a JPEG of the same picture", async () => {
  const small = displayWith(LIMIT);
  const png = await takePicture(small, small.context, { ...OPTIONS, format: "png" });
  expect([png.mediaType, png.size, small.asked])
    .toEqual(["image/png", { width: 10, height: 5 }, [["png", 100]]]);
  const large = displayWith(LIMIT + 1);
  const jpeg = await takePicture(large, large.context, { ...OPTIONS, format: "png" });
  expect(jpeg.mediaType).toBe("image/jpeg");
  expect(large.asked).toEqual([["png", 100], ["jpeg", 85]]);
});
