/** What the display showed before and after an operation is kept while somebody watches, and bounded. */

import { expect } from "expect";
import { Activity, Pictures } from "../../src/console/activity.ts";
import type { Actor } from "../../src/features/actor.ts";
import { Control } from "../../src/features/control/control.ts";
import { LiveDisplays, type Photograph } from "../../src/features/live/live_displays.ts";
import { Recordings } from "../../src/features/recording/recordings.ts";
import type { CalledNote, Session } from "../../src/features/session.ts";
import { decodeJpeg, openJpeg } from "../../src/imaging/jpeg.ts";
import { testApp } from "../support/client.ts";
import { openPage, serveConsole, testSockets } from "../support/console.ts";
import { startDesktop } from "../support/desktop.ts";
import { Watcher } from "../support/live_viewer.ts";
import { openPainter } from "../support/painter.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const SIZE = { width: 800, height: 600 };
const PERSON: Actor = { id: "page-1", name: "Anna", kind: "person" };

const CLICK: CalledNote = {
  ...{ id: "leftClick", group: "mouse", method: "POST", path: "/api/mouse/left-click" },
  readOnly: false,
};

/** A display that somebody watches, whose every photograph differs from the one before. */
class FakeWatched {
  taken = 0;
  bytes = 10;
  /** The displays that were asked for. */
  readonly asked: unknown[] = [];

  photograph = (): Promise<Photograph | undefined> => Promise.resolve(this.next());

  next(): Photograph {
    return { at: ++this.taken, size: SIZE, file: new Uint8Array(this.bytes).fill(this.taken) };
  }

  /** All displays of a session are this one from now on. */
  showIn(session: Session): this {
    const watched = (display: unknown) => {
      this.asked.push(display);
      return this;
    };
    Object.assign(session.use(LiveDisplays), { watched });
    return this;
  }
}

function openPictures() {
  const { session } = testApp();
  const screen = new FakeWatched().showIn(session);
  const pictures = new Pictures(session);
  /** One that has ended when the next one begins. */
  const act = (id: number, input: object = {}) => pictures.begin(id, CLICK, input)?.();
  return { session, screen, pictures, act, control: session.use(Control) };
}

Deno.test("there are pictures before and after what acts, and none of reads and moves of the cursor", async () => {
  const { pictures, screen } = openPictures();
  const end = pictures.begin(1, CLICK, { display_num: 3 });
  expect(await pictures.of(1)).toMatchObject({ before: { at: 1, size: SIZE } });
  expect(await pictures.of(1)).not.toHaveProperty("after");
  end!();
  expect(await pictures.of(1)).toMatchObject({ before: { at: 1 }, after: { at: 2 } });
  const others: readonly Partial<CalledNote>[] = [
    { readOnly: true },
    { id: "moveMouse" },
    { group: "filesystem" },
    { group: "keychain" },
  ];
  for (const change of others) {
    expect(pictures.begin(2, { ...CLICK, ...change }, {})).toBe(undefined);
  }
  expect(await pictures.of(2)).toEqual({});
  expect(screen.asked).toEqual([3]);
});

Deno.test("an operation that names a picture is on the display that is watched", () => {
  const { pictures, screen } = openPictures();
  pictures.begin(1, CLICK, { display_num: 1, frame: "a-1" });
  expect(screen.asked).toEqual([undefined]);
});

Deno.test("what is shown after one operation is what is shown before the next one", async () => {
  const { pictures, screen, act } = openPictures();
  for (let id = 1; id <= 20; id++) act(id);
  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => pictures.of(index + 1)));
  for (let index = 1; index < 20; index++) {
    expect(all[index - 1]!.after).toBeDefined();
    expect(all[index - 1]!.after).toBe(all[index]!.before);
  }
  expect(all.at(-1)!.after).toMatchObject({ at: 21 });
  expect(screen.taken).toBe(21);
});

Deno.test("a picture that is the same again is kept once", async () => {
  const { pictures, screen } = openPictures();
  screen.photograph = () => Promise.resolve({ ...screen.next(), at: 7 });
  pictures.begin(1, CLICK, {});
  const { before } = await pictures.of(1);
  pictures.begin(2, CLICK, {});
  expect((await pictures.of(2)).before).toBe(before);
});

Deno.test("at most 100 operations keep pictures, also where there is nothing to see or no answer", async () => {
  const nothing = () => Promise.resolve(undefined);
  const hanging = () => new Promise<never>(() => {});
  for (const photograph of [undefined, nothing, hanging]) {
    const { pictures, screen } = openPictures();
    if (photograph !== undefined) screen.photograph = photograph;
    for (let id = 1; id <= 300; id++) pictures.begin(id, CLICK, {});
    expect(await pictures.of(200)).toEqual({});
    if (photograph !== undefined) continue;
    expect(await pictures.of(201)).toMatchObject({ before: { at: 201 } });
  }
});

Deno.test("all pictures together have at most 16 MiB, and the oldest make room", async () => {
  const { pictures, screen } = openPictures();
  screen.bytes = 1024 * 1024;
  for (let id = 1; id <= 40; id++) {
    pictures.begin(id, CLICK, {});
    await pictures.of(id);
  }
  const kept = await Promise.all(Array.from({ length: 40 }, (_, index) => pictures.of(index + 1)));
  expect(kept.flatMap(({ before }) => before?.at ?? []))
    .toEqual(Array.from({ length: 16 }, (_, index) => 25 + index));
});

Deno.test("while a person has control nothing is taken, nor kept of what was asked for before", async () => {
  const { pictures, screen, control } = openPictures();
  const late = Promise.withResolvers<Photograph>();
  screen.photograph = () => late.promise;
  const end = pictures.begin(1, CLICK, {});
  await control.takeOver(PERSON);
  late.resolve(screen.next());
  expect(await pictures.of(1)).toEqual({ taken: expect.anything() });
  end!();
  expect(pictures.begin(2, CLICK, {})).toBe(undefined);
  expect(await pictures.of(1)).not.toHaveProperty("after");
  await control.handBack(PERSON);
  pictures.begin(3, CLICK, {});
  expect(await pictures.of(3)).toHaveProperty("before");
  control[Symbol.dispose]();
});

Deno.test("a display that is not watched any more, or cannot be seen, gives none and hurts nobody", async () => {
  const { pictures, screen, act } = openPictures();
  screen.photograph = () => Promise.reject(new Error("The display is not watched any more"));
  act(1);
  expect(await pictures.of(1)).toEqual({ taken: expect.anything() });
});

Deno.test("without a page nothing is asked for, and an operation waits for no picture", async () => {
  const app = testApp();
  const screen = new FakeWatched().showIn(app.session);
  screen.photograph = () => new Promise<never>(() => {});
  using activity = new Activity(app);
  const click = () => app.post("/api/mouse/left-click", { x: 3, y: 4 });
  expect((await click()).status).toBe(204);
  expect(screen.asked).toEqual([]);
  using _watching = activity.watch(() => {});
  expect((await click()).status).toBe(204);
  await app.post("/api/mouse/move", { x: 3, y: 4 });
  expect(screen.asked).toEqual([1]);
  screen.photograph = () => Promise.resolve(screen.next());
  const clicking = { operation: "mouse.left-click", input: { x: 1, y: 2 } };
  await app.post("/api/batch", { steps: [clicking] });
  const [batch, step] = await Promise.all([4, 5].map((id) => activity.pictures.of(id)));
  expect(screen.asked).toEqual([1, undefined, 1]);
  expect([batch, step]).toMatchObject([{ after: { size: SIZE } }, { after: { size: SIZE } }]);
});

testSockets(
  "a page asks for the pictures of an operation, and gets them over its socket",
  async () => {
    const app = testApp();
    const screen = new FakeWatched().showIn(app.session);
    await using served = serveConsole(app);
    {
      await using page = await openPage(served.url);
      await app.post("/api/mouse/left-click", { x: 3, y: 4 });
      const { entries } = await page.message("activity", ({ entries }) => entries.length > 0);
      page.send({ t: "pictures", id: entries[0].id });
      const answer = await page.message("pictures");
      const sent = [answer.before, answer.after].map((file) => Uint8Array.fromBase64(file)[0]);
      expect([answer.id, answer.size, sent]).toEqual([entries[0].id, SIZE, [1, 2]]);
      page.send({ t: "pictures", id: 999 });
      expect(await page.message("pictures", ({ id }) => id === 999))
        .toEqual({ t: "pictures", id: 999, before: null, after: null, size: null });
      page.send({ t: "pictures", id: 0 });
      expect((await page.closed).code).toBe(1008);
    }
    const taken = screen.taken;
    await app.post("/api/mouse/left-click", { x: 3, y: 4 });
    expect(screen.taken).toBe(taken); // nobody is there any more
    await app.session[Symbol.asyncDispose]();
  },
);

Deno.test({
  name: "a real display: none without viewers, and the field of a secret is black",
  ignore: unless(Deno.build.os === "linux", "it needs a virtual display"),
  async fn() {
    await using desktop = await startDesktop({ server: { size: "320x240" } });
    const { session, platform } = desktop.service;
    using painter = await openPainter(desktop.display);
    const live = session.use(LiveDisplays);
    const pictures = new Pictures(session);
    expect(pictures.begin(1, CLICK, { display_num: 1 })).toBe(undefined);
    const watcher = new Watcher();
    const viewer = await live.watch({ display_num: 1 }, watcher.send);
    watcher.connect((id) => viewer.acknowledge(id));
    const shows = (colour: number, x: number) =>
      waitFor(async () => {
        await watcher.idle();
        return watcher.surface.pixels[20 * 320 + x] === colour;
      }, { what: `the colour ${colour}` });
    await painter.paint([10, 10, 30, 30], 0x00ff00);
    await shows(0x00ff00, 20);
    const display = await platform.displays.open(1);
    const filling = await session.use(Recordings).hideField(display, { x: 200, y: 120 });
    await painter.paint([190, 110, 20, 20], 0xff0000);
    const end = pictures.begin(2, CLICK, { display_num: 1 })!;
    filling[Symbol.dispose]();
    await session.use(Recordings).masksOf(display).allClosed(new AbortController().signal);
    await painter.paint([280, 10, 30, 30], 0x0000ff);
    await shows(0x0000ff, 290);
    end();
    const { before, after } = await pictures.of(2);
    const codec = await openJpeg();
    const [first, second] = [before!, after!].map(({ file }) => decodeJpeg(codec, file).pixels);
    const isRed = (pixel: number) => pixel >> 16 > 100 && (pixel >> 8 & 255) < 100;
    expect([first!.some(isRed), second!.some(isRed)]).toEqual([false, false]);
    expect(second![120 * 320 + 200]! & 0xfcfcfc).toBe(0); // JPEG is not exact
    const blue = (pixels: Uint32Array) => pixels[25 * 320 + 295]! & 255;
    expect([blue(first!) < 60, blue(second!) > 150]).toEqual([true, true]);
    viewer[Symbol.dispose]();
    expect(pictures.begin(3, CLICK, { display_num: 1 })).toBe(undefined);
  },
});
