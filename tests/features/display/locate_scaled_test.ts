/** Finding an image that was cut from a scaled picture, which is what a model that sees scaled pictures has. */

import { expect } from "expect";
import { type Desktop, run, startDesktop } from "../../support/desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { openStillXterm } from "../../support/still_programs.ts";

/** Query of the picture, and what is cut from it. */
const PICTURES: readonly (readonly [query: string, cut: readonly number[]])[] = [
  ["?max_width=400", [120, 90, 40, 24]], // two thirds
  ["?max_width=431", [131, 87, 33, 21]],
  ["?max_width=150", [40, 30, 25, 16]], // a quarter
  ["?x=41&y=33&width=503&height=317&max_width=201", [77, 50, 30, 18]],
];

for (const [query, [x, y, width, height]] of PICTURES) {
  Deno.test(`locate finds what was cut from the picture ${query}, by its frame`, async () => {
    await using desktop = await startDesktop({ server: { size: "600x450" } });
    await using folder = await testFolder();
    await using _xterm = await openStillXterm(desktop.display, "100x35+0+0");
    await desktop.service.call("/api/display/wait", {
      until: "stable",
      stable_ms: 500,
      timeout_ms: 20_000,
    });
    const image_path = `${folder.path}/cut.png`;
    const frame = await cut(desktop, query, {
      path: image_path,
      at: `${width}x${height}+${x}+${y}`,
    });

    const found = { x, y, width, height, confidence: expect.closeTo(1, 3) };
    const locate = (body: Record<string, unknown>) =>
      desktop.service.call("/api/display/locate", { image_path, ...body });
    expect(await locate({ frame })).toEqual(found);
    expect(await locate({ frame, all: true })).toEqual([found]);
    const region = { x: x! - 3, y: y! - 2, width: width! + 5, height: height! + 6 };
    expect(await locate({ frame, region })).toEqual(found);
    expect(await locate({ frame, region: { ...region, x: x! + 1 } })).toBe(null);
    expect(
      await desktop.service.call("/api/display/wait", {
        ...{ frame, timeout_ms: 20_000 },
        until: { image: image_path, confidence: 0.95 },
      }),
    ).toMatchObject({ status: "found", match: found });
    expect(await locate({})).toBe(null); // at the scale of the screen there is no such thing
  });
}

/** Takes a picture, cuts a part out of it, and gives its frame. */
async function cut(
  { service }: Desktop,
  query: string,
  { path, at }: { path: string; at: string },
): Promise<string> {
  const response = await service.send(`/api/display/screenshot${query}`);
  await Deno.writeFile(path, await response.bytes());
  await run("convert", [path, "-crop", at, "+repage", path]);
  return response.headers.get("x-frame")!;
}
