/** Pictures for models are never larger than what the vendors take. */

import { expect } from "expect";
import { takePicture } from "../../../src/features/agents/pictures.ts";

const LIMIT = 3_750_000;
const OPTIONS = { cursor: false, quality: 100, fit: "claude" } as const;

/** A display whose picture has this many bytes as PNG, and a tenth of it otherwise. */
function displayWith(pngBytes: number) {
  const asked: unknown[] = [];
  return {
    asked,
    call(_name: string, input: Readonly<Record<string, unknown>>) {
      asked.push([input["format"], input["quality"]]);
      const bytes = new Uint8Array(input["format"] === "png" ? pngBytes : pngBytes / 10);
      const mediaType = `image/${input["format"]}`;
      const headers = { "X-Frame": "f1" };
      return Promise.resolve({ kind: "file" as const, mediaType, bytes, headers });
    },
  };
}

Deno.test("a PNG that no vendor takes becomes a JPEG of the same picture", async () => {
  const small = displayWith(LIMIT);
  const png = await takePicture(small, { ...OPTIONS, format: "png" });
  expect([png.mediaType, png.frame, small.asked]).toEqual(["image/png", "f1", [["png", 100]]]);
  const large = displayWith(LIMIT + 1);
  const jpeg = await takePicture(large, { ...OPTIONS, format: "png" });
  expect(jpeg.mediaType).toBe("image/jpeg");
  expect(large.asked).toEqual([["png", 100], ["jpeg", 85]]);
});
