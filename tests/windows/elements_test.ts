/** Windows and elements of the service on Windows, asked for from this system: notepad is written to by refs alone. */

import { expect } from "expect";
import { waitFor } from "../support/wait.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

wineTest("notepad on Windows is found, written to by refs, minimized, and closed", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  await service.call("/api/bash/command", { command: "notepad", timeout: 0 });
  const window = await waitFor(async () => {
    const active = await service.call("/api/window/active");
    return active?.app === "Notepad" && active;
  }, { what: "notepad to have the keyboard", timeoutMs: 60_000 });

  const field = await findField();
  const value = "Grüße\n漢字 😀";
  const set = { ref: field, action: "set_value", value };
  expect(await service.call("/api/accessibility/act", set)).toMatchObject({ result: "confirmed" });
  expect(await service.call("/api/accessibility/value", { ref: field })).toMatchObject({ value });
  await service.call("/api/keyboard/type", { ref: field, text: "typed é漢", clear: true });
  await waitFor(async () => {
    const now = await service.call("/api/accessibility/value", { ref: field });
    return now.value === "typed é漢";
  }, { what: "the text to be typed" });

  const moved = await service.call("/api/window/move", { id: window.id, x: 200, y: 150 });
  expect(moved).toMatchObject({ result: "confirmed", window: { frame: { x: 200, y: 150 } } });
  await service.call("/api/mouse/left-click", { ref: field });
  const { x, y } = await service.call("/api/mouse/position");
  expect(x > 200 && y > 150).toBe(true);

  await service.call("/api/window/minimize", { id: window.id });
  expect(await service.refused(409, "/api/mouse/left-click", { ref: field })).toContain(
    "minimized",
  );
  await service.call("/api/window/restore", { id: window.id });
  expect(await service.refused(409, "/api/window/close", { id: window.id, timeout_ms: 2_000 }))
    .toContain("still open"); // it asks whether to save
  const no = await waitFor(() => findRef({ role: "button", name: "No" }), { what: "the dialog" });
  await service.call("/api/accessibility/act", { ref: no, action: "click" });
  await waitFor(async () => (await service.call("/api/window/list")).length === 0, {
    what: "the end of notepad",
  });
  await service.refused(409, "/api/mouse/left-click", { ref: field });

  function findField(): Promise<string> {
    return waitFor(() => findRef({ role: "textbox" }), { what: "the field" });
  }

  async function findRef(query: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { elements } = await service.call("/api/accessibility/find", query);
    return elements[0]?.ref;
  }
});
