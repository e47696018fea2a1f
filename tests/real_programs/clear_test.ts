/** A field that is filled already is emptied: by `clear`, and before a stored value is filled in. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";

const FORM = `<input id="name" value="old name"><br><input id="pass" type="password" value="old">`;
const ITEM = { username: "ann@example.org", password: "c\u00f6rrect-Horse 9!" };

for (const name of pick({ short: ["chromium"] as const, full: ["chromium", "firefox"] as const })) {
  Deno.test(`authenticate() with clear replaces what the fields of a form in ${name} hold`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({ body: FORM });
    await desktop.call("keychain/set-item", { service: "shop", item: ITEM });
    const authElements = [
      { type: "username", coordinates: await browser.pointOf("#name") },
      { type: "password", coordinates: await browser.pointOf("#pass") },
    ];
    for (let time = 0; time < 2; time++) {
      const fields = { service: "shop", authElements, clear: true };
      expect(await desktop.call("keychain/authenticate", fields)).toBe(true);
      await browser.expectValue("#name", ITEM.username);
      await browser.expectValue("#pass", ITEM.password);
    }
    await desktop.type("other", { clear: true });
    await browser.expectValue("#pass", "other");
  });
}

for (
  const name of pick({
    short: ["featherpad"] as const,
    full: ["mousepad", "gnome-text-editor", "featherpad"] as const,
  })
) {
  Deno.test(`type with clear replaces the whole text in ${name}`, async () => {
    await using desktop = await openDesktop();
    const end = name === "gnome-text-editor" ? "" : "\n"; // which that one hides
    const editor = await desktop.editor(name, { text: `old\ntext of\nthree lines${end}` });
    await desktop.type("new\ntext", { clear: true });
    expect((await editor.savedText()).trimEnd()).toBe("new\ntext");
  });
}
