/** A form of zenity, filled by its elements and proved by what it prints. */

import { expect } from "expect";
import { startProcess } from "../support/processes.ts";
import { openZenityForm } from "../support/zenity.ts";
import { openElementDesktop } from "./support/element_desktop.ts";

Deno.test("zenity prints what its elements were given", async () => {
  await using desktop = await openElementDesktop();
  await using form = await openZenityForm(desktop.session.place);
  await desktop.element({ role: "button", name: "OK" });
  const all = await desktop.elements({ include_hidden: true });
  const fields = all.filter(({ role }) => role === "textbox");
  const combobox = all.find(({ role }) => role === "combobox")!;
  const [name, street, secret] = fields.map(({ ref }) => ref);
  expect(fields.map(({ label }) => label)).toEqual(["Name", "Street", "Secret"]);
  expect(combobox.label).toBe("Size");
  const byLabel = { role: "textbox", name: "Street" };
  expect(await desktop.call("accessibility/find", byLabel))
    .toMatchObject({ elements: [{ ref: street, name: "", label: "Street" }] });

  const acted = await desktop.act(name!, "set_value", { value: "Zoë 中文" });
  expect(acted).toMatchObject({ result: "confirmed", by: "program", value: "Zoë 中文" });
  await desktop.call("keyboard/type", { ref: street, text: "Høyblokka 3" });
  expect((await desktop.act(secret!, "set_value", { value: "pä$$" })).value).toBeUndefined();
  const chosen = await desktop.act(combobox.ref, "set_value", { value: "large" });
  expect(chosen.result).toBe("confirmed");
  const ok = await desktop.element({ role: "button", name: "OK" });
  expect((await desktop.act(ok.ref, "click")).result).toBe("confirmed");
  expect(await form.printed()).toEqual(["Zoë 中文", "Høyblokka 3", "pä$$", "large"]);
  expect(await desktop.refused(409, "accessibility/act", { ref: ok.ref, action: "click" }))
    .toContain("OK");
});

Deno.test("an option of a closed list of GTK 3 is chosen by its ref", async () => {
  await using desktop = await openElementDesktop();
  for (const action of ["select", "click"]) {
    await using form = await openZenityForm(desktop.session.place, `To ${action}`);
    const ok = await desktop.element({ role: "button", name: "OK" });
    const all = await desktop.elements({ include_hidden: true });
    const option = all.find(({ role, name }) => role === "menuitem" && name === "medium")!;
    expect(await desktop.act(option.ref, action)).toMatchObject({ by: "program" });
    await desktop.act(ok.ref, "click");
    expect((await form.printed()).at(-1)).toBe("medium");
  }
});

Deno.test("toggle buttons of GTK 3 say which is pressed, and are switched by their refs", async () => {
  await using desktop = await openElementDesktop();
  const { home, place } = desktop.session;
  await Deno.mkdir(`${home.path}/outer/inner`, { recursive: true });
  await using _program = startProcess("zenity", {
    args: ["--file-selection", "--directory", `--filename=${home.path}/outer/inner/`],
    ...{ env: home.env(place), log: `${home.path}/errors` },
  });
  const inner = await desktop.element({ role: "button", name: "inner" });
  const outer = await desktop.element({ role: "button", name: "outer" });
  expect(inner.states).toContain("pressed");
  expect(outer.states).toContain("unpressed");
  const cancel = await desktop.element({ role: "button", name: "Cancel" });
  expect(cancel.states).toEqual([]);
  const acted = await desktop.act(outer.ref, "select");
  expect(acted).toMatchObject({ result: "confirmed", reason: "It is pressed." });
  const { elements } = await desktop.call<{ elements: { name: string }[] }>("accessibility/find", {
    ...{ role: "button", name: "inner", states: ["unpressed"] },
  });
  expect(elements.map(({ name }) => name)).toEqual(["inner"]);
});
