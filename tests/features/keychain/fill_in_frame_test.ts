/** authenticate() with coordinates in the pixels of a picture, and what keeps it from filling in. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { Frames } from "../../../src/features/input/frames.ts";

/** The right lower quarter of display 2, shown at half its size. */
const PICTURE = {
  displayNum: 2,
  screen: { width: 800, height: 600 },
  serverRun: undefined,
  region: { x: 400, y: 300, width: 400, height: 300 },
  size: { width: 200, height: 150 },
  window: { x: 0, y: 0, width: 200, height: 150 },
  ...{ run: "run", count: 1, cursor: undefined, tag: "tag" },
};

async function startFramed() {
  const app = testApp({ platform: { displays: [1, 2] } });
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
  const frame = app.session.use(Frames).add(PICTURE).id;
  const fillAt = (x: number, y: number, more = {}) =>
    app.post("/api/keychain/authenticate", {
      ...{
        service: "a",
        frame,
        clear: false,
        authElements: [{ type: "password", coordinates: { x, y } }],
      },
      ...more,
    });
  return { app, fillAt };
}

Deno.test("authenticate() takes coordinates of a picture, on the display that it shows", async () => {
  const { app, fillAt } = await startFramed();
  expect((await fillAt(10, 20)).json).toBe(true);
  expect(app.platform.screen(1).fake.sent).toEqual([]);
  expect(app.platform.screen(2).fake.sent)
    .toEqual(["move 421,341", "press left", "release left", "type p"]);
});

const errors: [string, number, number, object, unknown[]][] = [
  ["a point off the picture", 200, 20, {}, ["authElements", 0, "coordinates", "x"]],
  ["a picture that is not known", 10, 20, { frame: "none" }, ["frame"]],
  ["a picture of another display", 10, 20, { display_num: 3 }, ["display_num"]],
];

for (const [what, x, y, more, at] of errors) {
  Deno.test(`authenticate() refuses ${what}, and types nothing`, async () => {
    const { app, fillAt } = await startFramed();
    const { status, json } = await fillAt(x, y, more);
    expect({ status, detail: json.detail }).toMatchObject({
      status: 422,
      detail: [{ loc: ["body", ...at] }],
    });
    expect(app.platform.screen(2).fake.sent).toEqual([]);
  });
}

for (const group of ["mouse", "keyboard"] as const) {
  Deno.test(`authenticate() fills nothing in when the group ${group} is switched off, and still compares`, async () => {
    const app = testApp({ config: { disabled: new Set([group]) } });
    await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
    const ask = (element: object) =>
      app.post("/api/keychain/authenticate", {
        service: "a",
        authElements: [{ type: "password", ...element }],
      });
    expect(await ask({ coordinates: { x: 1, y: 2 } })).toMatchObject({
      status: 403,
      json: { detail: `The group "${group}" is disabled by --disable` },
    });
    expect((await ask({ value: "p" })).json).toBe(true);
    expect(app.platform.screen().fake.sent).toEqual([]);
  });
}
