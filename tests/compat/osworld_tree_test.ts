/** The elements of a fake program in OSWorld's XML, and the text of its terminal. */

import { expect } from "expect";
import { openCompat } from "../../src/compat/open_compat.ts";
import { TEST_SERVICE } from "../support/compat_service.ts";
import { fakeEditor } from "../support/fake_editor.ts";

const BOUNDS = { x: 110, y: 300, width: 100, height: 20 };

/** Asks the interface inside the process. */
async function ask({ app }: ReturnType<typeof fakeEditor>, path: string) {
  const answer = app.answerBy(openCompat("osworld", TEST_SERVICE).answer);
  const headers = { host: "localhost" };
  const response = await answer(new Request(`http://localhost${path}`, { headers }));
  return { status: response.status, answer: await response.json() };
}

Deno.test("accessibility gives the elements in OSWorld's XML", async () => {
  const editor = fakeEditor();
  editor.accessibility.get("top").children!.push({
    ...{ id: "odd", role: "x y", name: 'a <b> & "c"', bounds: BOUNDS, abilities: ["focus"] },
  });
  const { status, answer } = await ask(editor, "/accessibility");
  expect(status).toBe(200);
  const xml: string = answer.AT;
  const base = "https://accessibility.ubuntu.example.org/ns";
  expect(xml.startsWith(`<desktop-frame xmlns:st="${base}/state"`)).toBe(true);
  expect(xml).toContain(`xmlns:cp="${base}/component"`);
  expect(xml).toMatch(/<application name="[^"]*" [^>]*><frame name="Editor" [^>]*st:active="true"/);
  expect(xml).toContain(
    '<push-button name="Save" st:enabled="true" st:sensitive="true" st:visible="true" ' +
      'st:showing="true" cp:screencoord="(110, 140)" cp:size="(60, 20)" act:click_desc="">',
  );
  expect(xml).toMatch(/<check-box name="Wrap lines"[^>]* st:checkable="true" st:checked="true"/);
  expect(xml).toMatch(/<entry name="Name"[^>]*>report\.txt<\/entry>/);
  expect(xml).toMatch(/<password-text name="Password"[^>]*><\/password-text>/);
  expect(xml).toMatch(/<x-y name="a &lt;b&gt; &amp; &quot;c&quot;"[^>]*><\/x-y>/);
  expect(xml.endsWith("</application></desktop-frame>")).toBe(true);
});

Deno.test("toggle buttons and switches have AT-SPI's role for both, on and off", async () => {
  const editor = fakeEditor();
  const add = (role: string, name: string, states: ("pressed" | "unpressed" | "checked")[]) =>
    editor.accessibility.get("top").children!.push({
      ...{ id: name, role, name, states, bounds: BOUNDS, abilities: ["click"] },
    });
  add("button", "Mute", ["unpressed"]);
  add("button", "Loop", ["pressed"]);
  add("switch", "Wi-Fi", []);
  add("switch", "Sound", ["checked"]);
  const { AT: xml } = (await ask(editor, "/accessibility")).answer;
  const statesOf = (name: string) =>
    new RegExp(`<toggle-button name="${name}"[^>]*showing="true" (.*?)cp:`).exec(xml)?.[1]?.trim();
  expect(statesOf("Mute")).toBe("");
  expect(statesOf("Loop")).toBe('st:pressed="true" st:checked="true"');
  expect(statesOf("Wi-Fi")).toBe('st:checkable="true"');
  expect(statesOf("Sound")).toBe('st:checkable="true" st:checked="true"');
});

Deno.test("programs and documents have the names by which OSWorld looks for them", async () => {
  const shown = async (app: string) => {
    const editor = fakeEditor();
    const bounds = { ...BOUNDS, height: 300 };
    editor.windows.show({ id: "w1", title: "Editor", pid: 7, bounds, app });
    editor.accessibility.get("top").children!.push({
      ...{ id: "document", role: "document", name: "Slides View", bounds, abilities: ["focus"] },
    });
    const { AT } = (await ask(editor, "/accessibility")).answer;
    const [, name] = /<application name="([^"]*)"/.exec(AT) ?? [];
    const [, role] = /<([\w-]+) name="Slides View"/.exec(AT) ?? [];
    return `${name}: ${role}`;
  };
  expect(await shown("Google-chrome")).toBe("Google Chrome: document-web");
  expect(await shown("Chromium")).toBe("Chromium: document-web");
  expect(await shown("thunderbird")).toBe("Thunderbird: document-web");
  expect(await shown("libreoffice-impress")).toBe("libreoffice-impress: document-frame");
});

Deno.test("terminal gives the text of the terminal that has the keyboard", async () => {
  const editor = fakeEditor();
  expect(await ask(editor, "/terminal"))
    .toEqual({ status: 200, answer: { output: null, status: "success" } });
  editor.accessibility.get("top").children!.push({
    ...{ id: "term", role: "terminal", value: "$ ls\na  b\n \n" },
    ...{ states: ["focused"], bounds: BOUNDS, abilities: ["focus"] },
  });
  expect(await ask(editor, "/terminal"))
    .toEqual({ status: 200, answer: { output: "$ ls\na  b", status: "success" } });
});
