/** Snapshots and searches over the elements of a fake program. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { missing } from "../../../src/platform/capability.ts";
import { fakeEditor } from "../../support/fake_editor.ts";
import { decodePng } from "../../support/png.ts";
import { Frames } from "../../../src/features/input/frames.ts";

const TEXT = `- window "Editor" [ref=e1] [window=w1] [active]
  - menu "File" [ref=e2]
  - button "Save" [ref=e3]
  - checkbox "Wrap lines" [ref=e4] [checked]
  - text: "Type a <name> & \\"press\\" Enter"
  - textbox "Name" [ref=e5]: "report.txt"
  - textbox "Password" [ref=e6] [protected]
`;

Deno.test("a snapshot has what shows, in reading order, with refs for what can be used", async () => {
  const { ask } = fakeEditor();
  const { elapsed_ms, ...answer } = await ask("snapshot");
  expect(answer).toEqual({ text: TEXT, count: 6, truncated: [], omitted: 0, silent: [] });
  expect(elapsed_ms).toBeGreaterThanOrEqual(0);
});

Deno.test("refs stay with their elements, and a new element gets a new one", async () => {
  const { ask, accessibility } = fakeEditor();
  await ask("snapshot");
  accessibility.remove("save");
  accessibility.get("top").children!.push({ id: "ok", role: "button", name: "OK" });
  const { text } = await ask("snapshot");
  expect(text).toContain('- textbox "Name" [ref=e5]: "report.txt"');
  expect(text).toContain('- button "OK" [ref=e7]');
  expect(text).not.toContain("ref=e3]");
});

Deno.test("a snapshot as JSON has the same elements, nested, with their places", async () => {
  const { ask } = fakeEditor();
  const { elements: [top], text } = await ask("snapshot", { format: "json" });
  expect(text).toBeUndefined();
  const names = top.children.map((
    { ref, role, name }: Record<string, string>,
  ) => [ref, role, name]);
  expect([top.ref, top.window, ...names]).toEqual([
    "e1",
    "w1",
    ["e2", "menu", "File"],
    ["e3", "button", "Save"],
    ["e4", "checkbox", "Wrap lines"],
    ["e5", "text", 'Type a <name> & "press" Enter'],
    ["e6", "textbox", "Name"],
    ["e7", "textbox", "Password"],
  ]);
  expect(top.children[1]).toEqual({
    ...{ ref: "e3", role: "button", name: "Save", states: [], child_count: 1 },
    abilities: ["click", "focus", "scroll to"],
    bounds: { x: 110, y: 140, width: 60, height: 20 },
  });
});

Deno.test("a snapshot as XML has the coordinates, and everything is escaped", async () => {
  const { ask, accessibility } = fakeEditor();
  accessibility.get("top").children!.push({ id: "odd", role: "x y", name: "a\u0007\nb" });
  const { xml } = await ask("snapshot", { format: "xml" });
  expect(xml).toContain(
    '<elements>\n  <window ref="e1" name="Editor" window="w1" states="active" x="100" y="100" width="400" height="300">\n',
  );
  expect(xml).toContain(
    '    <button ref="e3" name="Save" x="110" y="140" width="60" height="20"/>\n',
  );
  expect(xml).toContain('name="Type a &lt;name&gt; &amp; &quot;press&quot; Enter"');
  expect(xml).toContain('<x-y ref="e8" name="a\ufffd&#10;b"/>\n  </window>\n</elements>\n');
});

Deno.test("a snapshot ends where its characters do, and says how much is missing", async () => {
  const { ask } = fakeEditor();
  for (const format of ["text", "json", "xml"]) {
    const short = await ask("snapshot", { format, max_chars: 130 });
    const written = short.text ?? short.xml ?? JSON.stringify(short.elements);
    expect(short.truncated).toEqual(["characters"]);
    expect(short.omitted).toBeGreaterThan(0);
    expect(written.length).toBeLessThan(300);
    expect(written).toContain("Editor");
  }
  const { text, omitted } = await ask("snapshot", { max_chars: 100 });
  expect(text.split("\n").at(-2)).toBe(
    `… ${omitted} more: request one part by its ref, or more characters`,
  );
});

Deno.test("what the port left out is said", async () => {
  const { ask, accessibility } = fakeEditor();
  accessibility.silent = ["frozen (4711)"];
  const { truncated, silent, text } = await ask("snapshot", { max_elements: 3 });
  expect([truncated, silent]).toEqual([["elements"], ["frozen (4711)"]]);
  expect(text).toBe('- window "Editor" [ref=e1] [window=w1] [active]\n  - menu "File" [ref=e2]\n');
  expect((await ask("snapshot", { max_depth: 1 })).truncated).toEqual(["depth"]);
});

Deno.test("hidden elements, one window, one element: on request", async () => {
  const { ask, ref, app } = fakeEditor();
  const hidden = await ask("snapshot", { include_hidden: true });
  expect(hidden.text).toContain('    - menuitem "New" ');
  expect(hidden.text).toMatch(/- button "Far away" \[ref=e\d+\] \[offscreen\]\n/);
  const part = await ask("snapshot", { ref: await ref("File"), include_hidden: true });
  expect(part.text).toMatch(/^- menu "File" \[ref=e2\]\n {2}- menuitem "New" /);
  expect((await ask("snapshot", { window: "w1" })).count).toBe(6);
  const gone = await app.post("/api/accessibility/snapshot", { window: "w9" });
  expect([gone.status, gone.json.detail]).toEqual([404, 'There is no window "w9"']);
});

Deno.test("an unknown ref and one of an element that has changed are 409", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const save = await ref("Save");
  accessibility.get("save").name = "Delete";
  for (const [path, body] of [["snapshot", { ref: "e999" }], ["value", { ref: save }]] as const) {
    const { status, json } = await app.post(`/api/accessibility/${path}`, body);
    expect([path, status]).toEqual([path, 409]);
    expect(json.detail).toContain("take a new snapshot");
  }
});

Deno.test("a snapshot with a picture has both, and boxes on request", async () => {
  const { ask, app } = fakeEditor();
  const { screenshot, text } = await ask("snapshot", { screenshot: true });
  expect(text).toBe(TEXT);
  expect(screenshot).toMatchObject({
    ...{ media_type: "image/png", width: 800, height: 600, scale: 1, display_num: 1 },
  });
  expect(app.session.use(Frames).get(screenshot.frame).displayNum).toBe(1);
  const boxed = await ask("snapshot", { boxes: true });
  const [plain, drawn] = [screenshot, boxed.screenshot]
    .map(({ data }) => decodePng(Uint8Array.fromBase64(data)).rgb);
  const at = (x: number, y: number) =>
    [plain!, drawn!].map((rgb) => rgb.subarray((y * 800 + x) * 3, (y * 800 + x) * 3 + 3).join());
  expect(at(169, 159)).toEqual(["0,0,0", "21,101,192"]); // the lower right corner of "Save"
  expect(at(150, 155)).toEqual(["0,0,0", "0,0,0"]); // inside it
  const smaller = await ask("snapshot", { boxes: true, max_edge: 400 });
  expect(smaller.screenshot).toMatchObject({ width: 400, height: 300, scale: 0.5 });
});

Deno.test("find() takes role, name, text and states, and returns at most 20", async () => {
  const { ask, accessibility } = fakeEditor();
  const find = async (criteria: object) =>
    (await ask("find", criteria)).elements.map(({ name }: { name: string }) => name);
  expect(await find({ role: "textbox" })).toEqual(["Name", "Password"]);
  expect(await find({ name: "sAV" })).toEqual(["Save", "Save"]);
  expect(await find({ name: "save", exact: true })).toEqual([]);
  expect(await find({ text: "REPORT" })).toEqual(["Name"]);
  expect(await find({ states: ["checked"] })).toEqual(["Wrap lines"]);
  expect(await find({ role: "button", name: "wrap" })).toEqual([]);
  expect(await find({ role: "button", name: "far" })).toEqual(["Far away"]);
  accessibility.get("far").hidden = true;
  expect(await find({ role: "button", name: "far" })).toEqual(["Far away"]); // nothing else matches
  expect(await find({ role: "button", name: "far", include_hidden: false })).toEqual([]);
  expect(await find({ role: "button" })).toEqual(["Save"]);
  const { elements: [found] } = await ask("find", { name: "Name", exact: true });
  expect(found).toMatchObject({ value: "report.txt", within: 'window "Editor"' });
  accessibility.get("top").children!.push(
    ...Array.from({ length: 30 }, (_, i) => ({ id: `l${i}`, role: "link", name: `Link ${i}` })),
  );
  const many = await ask("find", { role: "link" });
  expect([many.elements.length, many.total]).toEqual([20, 30]);
});

Deno.test("find() gives whole names before names that have them as a part", async () => {
  const { ask } = fakeEditor();
  const names = async (name: string, max_results: number) => {
    const { elements, total } = await ask("find", { name, max_results });
    return [total > 1, elements[0].name];
  };
  expect(await names("name", 1)).toEqual([true, "Name"]); // after the text with <name>
});

Deno.test("find() without a criterion is 422", async () => {
  const { app } = fakeEditor();
  const { status } = await app.post("/api/accessibility/find", { exact: true });
  expect(status).toBe(422);
});

Deno.test("value() reads the whole value now, never that of a password field", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const [name, secret] = [await ref("Name"), await ref("Password")];
  accessibility.get("name").value = "é".repeat(2_000);
  expect((await ask("value", { ref: name })).value).toBe("é".repeat(2_000));
  const cut = await ask("value", { ref: name, max_chars: 10 });
  expect([cut.value, cut.truncated]).toEqual(["é".repeat(10), true]);
  accessibility.get("secret").value = "hunter2"; // a program that tells it all the same
  expect((await ask("value", { ref: secret })).value).toBeNull();
  expect((await ask("snapshot")).text).not.toContain("hunter2");
  expect((await ask("snapshot", { format: "json" })).elements[0].children).not.toContainEqual(
    expect.objectContaining({ value: "hunter2" }),
  );
});

Deno.test("values of the keychain are replaced everywhere, and errors do not have them", async () => {
  const { app, ask, ref, accessibility } = fakeEditor();
  await app.post("/api/keychain/set-item", {
    ...{ service: "shop", item: { password: "correct horse" } },
  });
  accessibility.get("name").value = "my correct horse!";
  accessibility.get("save").name = "Send correct horse";
  const answers = [
    await ask("snapshot"),
    await ask("snapshot", { format: "xml" }),
    await ask("find", { role: "textbox" }),
    await ask("value", { ref: await ref("Name") }),
  ];
  const text = JSON.stringify(answers);
  expect(text).toContain("Send ");
  expect(text).not.toContain("correct horse");
  // the ref still names the element, by its true name
  const { elements: [send] } = await ask("find", { role: "button", name: "Send" });
  await ask("value", { ref: send.ref });
  accessibility.get("save").name = "Other";
  const { json } = await app.post("/api/accessibility/value", { ref: send.ref });
  expect(json.detail).toContain("has become another element");
  expect(json.detail).not.toContain("correct horse");
});

Deno.test("a display without elements says why", async () => {
  const { app, screen } = fakeEditor();
  screen.accessibility = missing("No accessibility bus: start at-spi2-core");
  const { status, json } = await app.post("/api/accessibility/snapshot", {});
  expect([status, json.detail]).toEqual([501, "No accessibility bus: start at-spi2-core"]);
});

Deno.test("--disable accessibility switches it off, and --read-only leaves reading", async () => {
  const off = fakeEditor({ config: { disabled: new Set(["accessibility"]) } });
  expect((await off.app.post("/api/accessibility/snapshot", {})).status).toBe(403);
  const reading = fakeEditor({ config: { readOnly: true, limits: DEFAULT_LIMITS } });
  expect((await reading.app.post("/api/accessibility/snapshot", {})).status).toBe(200);
});

Deno.test("a snapshot with a picture is refused where screenshots are, and one without is not", async () => {
  const off = fakeEditor({ config: { disabled: new Set(["display"]) } });
  for (const body of [{ screenshot: true }, { boxes: true }]) {
    const { status, json } = await off.app.post("/api/accessibility/snapshot", body);
    expect([status, json.detail]).toEqual([
      403,
      'The group "display" is disabled by --disable',
    ]);
  }
  expect((await off.ask("snapshot")).text).toBe(TEXT);
});
