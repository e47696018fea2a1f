/** Nothing that was drawn before a request is missed: its answer is never that the picture is unchanged. */

import { expect } from "expect";
import { RawClient } from "../../../bench/raw_client.ts";
import { pick } from "../../support/extent.ts";
import { startCommand } from "../../support/command.ts";
import { RawX } from "../../support/raw_x.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";

const SIZE = { width: 1920, height: 1080 };
const PART = "/api/display/screenshot?x=0&y=0&width=8&height=8";
const TRIES = pick({ short: 1_000, full: 5_000 });

type Draw = (x: RawX, pixel: number) => Promise<{ rest(): Promise<unknown> } | void>;

const WAYS: readonly { what: string; tries: number; draw: Draw }[] = [
  {
    what: "and that the program knows to be drawn",
    tries: TRIES,
    draw: (x, pixel) => x.draw(pixel),
  },
  {
    what: "while the server still answers the program that drew it",
    tries: Math.ceil(TRIES / 10),
    draw: (x, pixel) => x.drawWithLongAnswer(pixel, SIZE),
  },
];

for (const { what, tries, draw } of WAYS) {
  Deno.test(`screenshot is never "unchanged" after a change that comes before it, ${what}`, async () => {
    await using xvfb = await startXvfb({ size: `${SIZE.width}x${SIZE.height}` });
    await using program = await startCommand(["--display", `1=${xvfb.display}`]);
    using setup = await TestX.open(xvfb.display);
    using x = await RawX.open(xvfb.display, setup.root);
    using client = await RawClient.connect(Number(new URL(program.address).port));
    let tag = (await client.get(PART)).headers.get("etag")!;
    let wrong = 0, unchanged = 0;
    for (let pixel = 1; pixel <= tries; pixel++) {
      for (let i = 0; i < 4; i++) {
        const { status } = await client.get(PART, { "if-none-match": tag });
        if (status === 304) unchanged++;
      }
      const answer = await draw(x, pixel);
      const { status, headers } = await client.get(PART, { "if-none-match": tag });
      if (status !== 200) wrong++;
      tag = headers.get("etag")!;
      await answer?.rest();
    }
    expect(wrong).toBe(0);
    expect(unchanged).toBeGreaterThan(tries * 3);
  });
}
