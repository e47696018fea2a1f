/** What a step has seen: pictures of a real display with secrets black, and the elements of programs. */

import { expect } from "expect";
import { decodeJpeg, openJpeg } from "../../../../src/imaging/jpeg.ts";
import { available } from "../../../../src/platform/capability.ts";
import { paintedDesktop } from "../../recording/recorded.ts";
import { testApp } from "../../../support/client.ts";
import { startDesktop } from "../../../support/desktop.ts";
import { FakeAccessibility } from "../../../support/fake_accessibility.ts";
import { FakeWindows } from "../../../support/fake_windows.ts";
import { testFolder } from "../../../support/folder.ts";
import { openLoginForm } from "../../../support/login_form.ts";

// deno-lint-ignore no-explicit-any -- JSON
async function readSteps(path: string): Promise<any[]> {
  const { steps } = JSON.parse(await Deno.readTextFile(`${path}/trajectory.json`));
  // deno-lint-ignore no-explicit-any -- JSON
  return steps.slice(1).map(({ extra }: any) => extra.trail);
}

Deno.test("pictures show the display before and after, once where nothing changed, and black where a secret went", async () => {
  await using desktop = await paintedDesktop();
  await using folder = await testFolder();
  const { service, painter } = desktop;
  await painter.paint([0, 0, 320, 240], 0xffffff);
  await service.call("/api/keychain/set-item", { service: "shop", item: { password: "tulip" } });
  await service.call("/api/trail/start", { trees: false });
  await service.call("/api/mouse/move", { x: 300, y: 200 });
  await service.call("/api/mouse/left-click", { x: 300, y: 200 });
  await painter.paint([0, 0, 40, 40], 0xff0000);
  await service.call("/api/mouse/left-click", { x: 300, y: 200 });
  const authElements = [{ type: "password", coordinates: { x: 160, y: 120 } }];
  await service.call("/api/keychain/authenticate", { service: "shop", authElements });
  await service.call("/api/mouse/move", { x: 1, y: 1 });
  await service.call("/api/trail/stop", {});
  const path = `${folder.path}/trail`;
  await service.call("/api/trail/export", { format: "atif", path });
  const steps = await readSteps(path);
  expect(steps.length).toBe(5);
  const names = new Set(steps.flatMap(({ pictures }) => Object.values(pictures)));
  const entries = await Array.fromAsync(Deno.readDir(`${path}/images`));
  const files = entries.map(({ name }) => `images/${name}`);
  expect(new Set(files)).toEqual(names);
  expect(steps[0].pictures.after).toBe(steps[1].pictures.before);
  expect(names.size).toBeLessThanOrEqual(steps.length + 1);
  const codec = await openJpeg();
  const pixel = async (name: string, x: number, y: number) => {
    const picture = decodeJpeg(codec, await Deno.readFile(`${path}/${name}`));
    const value = picture.pixels[y * picture.width + x]!;
    return [value & 0xff, value >> 8 & 0xff, value >> 16 & 0xff].map((part) => part > 127 ? 1 : 0);
  };
  const white = [1, 1, 1];
  expect(await pixel(steps[1].pictures.before, 20, 20)).toEqual(white);
  expect(await pixel(steps[2].pictures.before, 20, 20)).not.toEqual(white);
  expect(await pixel(steps[2].pictures.before, 160, 120)).toEqual(white);
  expect(await pixel(steps[4].pictures.after, 160, 120)).toEqual([0, 0, 0]);
});

Deno.test("pictures are black where a stored value was typed without a ref, and only there", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  await using form = await openLoginForm(desktop.display);
  await using folder = await testFolder();
  const { service } = desktop;
  const item = { username: "ann.filled.in@example.org" };
  await service.call("/api/keychain/set-item", { service: "shop", item });
  await service.call("/api/trail/start", { trees: false });
  await service.call("/api/mouse/left-click", form.username);
  await service.call("/api/keyboard/type", { secret: { service: "shop", field: "username" } });
  await service.call("/api/mouse/move", { x: 310, y: 230 });
  await service.call("/api/trail/stop", {});
  const path = `${folder.path}/trail`;
  await service.call("/api/trail/export", { format: "atif", path });
  const steps = await readSteps(path);
  const codec = await openJpeg();
  const look = async (name: string) => {
    const { pixels, width } = decodeJpeg(codec, await Deno.readFile(`${path}/${name}`));
    const isDark = (x: number, y: number) => (pixels[y * width + x]! >> 8 & 0xff) < 128;
    let [dark, all] = [0, 0];
    for (let y = 28; y < 42; y++) {
      for (let x = 40; x < 140; x++, all++) dark += isDark(x, y) ? 1 : 0;
    }
    return { field: dark / all, other: isDark(150, 95) };
  };
  expect(await look(steps[0].pictures.before)).toEqual({ field: 0, other: false });
  const pictures = steps.slice(1).flatMap(({ pictures }) => [pictures.before, pictures.after])
    .filter((name) => name !== undefined && name !== steps[1].pictures.before);
  expect(pictures.length).toBeGreaterThan(1);
  for (const name of pictures) {
    const { field, other } = await look(name);
    expect({ name, field: field > 0.95, other }).toEqual({ name, field: true, other: false });
  }
});

/** A program with a form, whose window and elements can be read. */
async function openForm(body: object, typed = "") {
  const folder = await testFolder();
  const app = testApp({ config: { stateDir: `${folder.path}/state` } });
  const [accessibility, windows] = [new FakeAccessibility(), new FakeWindows()];
  const screen = app.platform.screen();
  screen.accessibility = available(accessibility);
  screen.windows = available(windows);
  const bounds = { x: 100, y: 100, width: 400, height: 300 };
  const show = (text: string) => {
    const title = `Form - ${text}`;
    windows.show({ id: "w1", title, app: "Forms", pid: 7, bounds });
    accessibility.roots = [{
      ...{ id: "top", role: "window", name: title, window: "w1", pid: 7, bounds },
      children: [
        {
          ...{ id: "name", role: "textbox", name: "Name", value: text, pid: 7 },
          states: ["editable", "focusable", "focused"],
          bounds: { x: 110, y: 200, width: 200, height: 20 },
        },
        {
          ...{ id: "save", role: "button", name: "Save", pid: 7 },
          bounds: { x: 110, y: 250, width: 80, height: 20 },
        },
      ],
    }];
  };
  show(typed);
  expect((await app.post("/api/trail/start", { pictures: false, ...body })).status).toBe(200);
  return {
    app,
    show,
    async steps() {
      const path = `${folder.path}/trail`;
      expect((await app.post("/api/trail/export", { format: "atif", path })).status).toBe(200);
      const steps = await readSteps(path);
      const trees = await Promise.all(
        steps.map(({ trees }) => Deno.readTextFile(`${path}/${trees.before}`)),
      );
      const [{ trees: { after } }] = steps;
      return {
        steps,
        trees,
        afterFirst: after && await Deno.readTextFile(`${path}/${after}`),
        all: await Deno.readTextFile(`${path}/trajectory.json`),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await app.session[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a step says which element it meant, by a ref, by a point, and by the keyboard's focus", async () => {
  await using form = await openForm({});
  const { app } = form;
  const found = await app.post("/api/accessibility/find", { role: "button", window: "w1" });
  const [{ ref }] = found.json.elements;
  await app.post("/api/mouse/left-click", { x: 150, y: 259 });
  await app.post("/api/mouse/left-click", { ref });
  await app.post("/api/keyboard/key", { key: "enter" });
  const { steps } = await form.steps();
  const [point, byRef, key] = steps;
  expect(point.targets.point).toMatchObject({
    point: { x: 150, y: 259 },
    locator: { role: "button", name: "Save" },
    at: { x: 0.5063, y: 0.475 },
    window: { app: "Forms", bounds: { x: 100, y: 100 } },
  });
  expect(byRef.targets.ref).toMatchObject({ locator: { role: "button", name: "Save" } });
  expect(key.targets.focus).toMatchObject({ locator: { role: "textbox", name: "Name" } });
});

Deno.test("what was typed, in parts too, is in no element, title or target without texts, and is with them", async () => {
  for (const texts of [false, true]) {
    await using form = await openForm({ texts });
    const { app } = form;
    await app.post("/api/keyboard/type", { text: "mari" });
    form.show("mari");
    await app.post("/api/keyboard/type", { text: "gold" });
    form.show("marigold");
    await app.post("/api/mouse/left-click", { x: 150, y: 209 });
    const { steps, trees, afterFirst, all } = await form.steps();
    expect(trees[0]).not.toContain('"mari"');
    expect([texts, afterFirst?.includes('"mari"')]).toEqual([texts, texts]);
    expect([texts, trees.at(-1)!.includes("marigold")]).toEqual([texts, texts]);
    expect([texts, all.includes("marigold")]).toEqual([texts, texts]);
    expect(steps[2].targets.point.window.title).toBe(texts ? "Form - marigold" : "Form - …");
    expect(trees[0]).toContain("Name");
  }
});

Deno.test("while a person has control nothing is seen, and nothing is a step", async () => {
  await using form = await openForm({});
  const { app } = form;
  await app.post("/api/mouse/move", { x: 1, y: 1 });
  const { Control } = await import("../../../../src/features/control/control.ts");
  const control = app.session.use(Control);
  const person = { id: "page-1", name: "Anna", kind: "person" } as const;
  await control.takeOver(person);
  const call = { id: "openProgram", group: "window", method: "POST", readOnly: false };
  app.session.noteCall!({ ...call, path: "/api/window/open" }, {}, { actor: person })!.end();
  await control.handBack(person);
  const { steps } = await form.steps();
  expect(steps.map(({ operation }) => operation)).toEqual(["mouse.move"]);
});
