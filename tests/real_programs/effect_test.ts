/** `effect` beside programs that nobody here wrote: they got it, are stopped, or are gone. */

import { expect } from "expect";
import { run } from "../support/desktop.ts";
import { openDesktop } from "./support/desktop.ts";
import { stopProgram } from "./support/stopped.ts";
import { waitFor } from "../support/wait.ts";

Deno.test("effect is confirmed by Chromium for a click and a text that its page gets", async () => {
  await using desktop = await openDesktop();
  const browser = await desktop.chromium({
    body: `<button id="b">a button</button><input id="f">`,
  });
  const click = await desktop.call("mouse/left-click", {
    ...await browser.pointOf("#b"),
    effect: true,
  });
  expect(click).toMatchObject({ effect: "confirmed", by: "program" });
  await browser.waitFor((events) => events.length === 1, { type: "click" });
  await desktop.call("mouse/left-click", await browser.pointOf("#f"));
  expect(await desktop.call("keyboard/type", { text: "Grüße", effect: true }))
    .toMatchObject({ effect: "confirmed", by: "program" });
  await browser.expectValue("#f", "Grüße");
});

for (const name of ["gnome-text-editor", "featherpad"] as const) {
  Deno.test(`effect is confirmed by ${name}`, async () => {
    await using desktop = await openDesktop();
    const editor = await desktop.editor(name);
    const at = await editor.window.middle();
    expect(await desktop.call("mouse/left-click", { ...at, effect: true }))
      .toMatchObject({ effect: "confirmed", by: "program" });
    expect(await desktop.call("keyboard/type", { text: "Grüße", effect: true }))
      .toMatchObject({ effect: "confirmed", by: "program" });
    expect((await editor.savedText()).trimEnd()).toBe("Grüße");
  });
}

Deno.test("effect is confirmed by an editor, unverified while it is stopped, and after it is killed", async () => {
  for (const windowManager of ["openbox", "none"] as const) {
    await using desktop = await openDesktop({ windowManager });
    const editor = await desktop.mousepad();
    const at = await editor.window.middle();
    const typed = await desktop.call("keyboard/type", { text: "abc", effect: true });
    expect(typed).toMatchObject({ effect: "confirmed", by: "program" });
    expect((typed as { window: string }).window).toContain("Mousepad");
    expect(await desktop.call("mouse/left-click", { ...at, effect: true }))
      .toMatchObject({ effect: "confirmed", by: "program" });

    const pid = await processOf(desktop.display, editor.window.id);
    {
      using _stopped = await stopProgram(desktop.x, pid);
      for (
        const [operation, body] of [["mouse/left-click", at], ["keyboard/key", {
          key: "x",
        }]] as const
      ) {
        const stopped = await desktop.call(operation, { ...body, effect: true });
        expect(stopped).toMatchObject({ effect: "unverified" });
        expect((stopped as { reason: string }).reason).toContain("does not respond");
      }
    }
    expect(await desktop.call("keyboard/key", { key: "y", effect: true }))
      .toMatchObject({ effect: "confirmed", by: "program" });

    Deno.kill(pid, "SIGKILL");
    await waitFor(() => !isAlive(pid), { what: "the editor to end" });
    const gone = await desktop.call("mouse/left-click", { ...at, effect: true });
    expect(gone).not.toMatchObject({ by: "program" });
  }
});

async function processOf(display: string, window: number): Promise<number> {
  const args = ["-display", display, "-id", `${window}`, "_NET_WM_PID"];
  return Number(new TextDecoder().decode(await run("xprop", args)).split("=")[1]);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
