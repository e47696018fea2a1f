/** Windows of the service on Windows, asked for from this system: notepad is found, moved, minimized and closed. */

import { expect } from "expect";
import { waitFor } from "../support/wait.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

wineTest("notepad on Windows is found, typed into, moved, minimized, and closed", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  await service.call("/api/bash/command", { command: "notepad", timeout: 0 });
  const findActive = async () => {
    const active = await service.call("/api/window/active");
    return active?.app === "Notepad" && active;
  };
  const window = await waitFor(findActive, {
    what: "notepad to have the keyboard",
    timeoutMs: 60_000,
  });
  expect(await service.refused(501, "/api/accessibility/find", { role: "textbox" }))
    .toContain("does not offer UI Automation"); // wine has none

  await service.call("/api/keyboard/type", { text: "typed é漢" });
  const moved = await service.call("/api/window/move", { id: window.id, x: 200, y: 150 });
  expect(moved).toMatchObject({ result: "confirmed", window: { frame: { x: 200, y: 150 } } });

  await service.call("/api/window/minimize", { id: window.id });
  await service.call("/api/window/restore", { id: window.id });
  await waitFor(findActive, { what: "notepad to have the keyboard again" });
  expect(await service.refused(409, "/api/window/close", { id: window.id, timeout_ms: 2_000 }))
    .toContain("still open"); // it asks whether to save what was typed
  const isAsked = async () => {
    const active = await service.call("/api/window/active");
    return active !== null && active.id !== window.id;
  };
  await waitFor(isAsked, { what: "the question to have the keyboard" });
  await service.call("/api/keyboard/key", { key: "n" }); // no
  await waitFor(async () => (await service.call("/api/window/list")).length === 0, {
    what: "the end of notepad",
  });
});
