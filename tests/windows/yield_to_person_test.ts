/** Programs yield to a person at the keyboard of a Windows: wine takes what its X server's devices do for real. */

import { expect } from "expect";
import { RealDevices } from "../support/real_devices.ts";
import { waitFor } from "../support/wait.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

/** Of the key Q. */
const KEYCODE = 24;

wineTest(
  "a person at the mouse and the keyboard of Windows stops programs, whose own input does not",
  async () => {
    await using wine = await openWine();
    await using service = await startWineService(wine, { args: ["--yield-to-person", "5s"] });
    using devices = await RealDevices.open(wine.display);
    const mode = async () => (await service.call("/api/control/state")).mode;
    await devices.move(-5_000, -5_000);
    await waitFor(async () => await mode() === "programs", {
      what: "wine to hear of that, or not",
    });
    await service.call("/api/bash/command", { command: "notepad", timeout: 0 });
    const isActive = async () => (await service.call("/api/window/active"))?.app === "Notepad";
    await waitFor(isActive, { what: "notepad to have the keyboard", timeoutMs: 60_000 });
    const { frame } = await service.call("/api/window/active");
    await devices.move(frame.x + 50, frame.y + 100); // a real key goes to the window under the mouse
    await waitFor(async () => await mode() === "paused", { what: "the pause by the mouse" });
    await waitFor(async () => await mode() === "programs", { what: "the end of that pause" });

    await service.call("/api/keyboard/type", { text: "own é漢 " });
    expect(await mode()).toBe("programs");
    await service.call("/api/keyboard/hold", { key: "f9" });
    await devices.pressKey(KEYCODE);
    await devices.releaseKey(KEYCODE);
    await waitFor(async () => await mode() === "paused", { what: "the pause by the keyboard" });
    expect(await service.refused(423, "/api/mouse/move", { x: 5, y: 5 })).toContain(
      "a person uses",
    );
    await waitFor(async () => await mode() === "programs", { what: "the end of the pause" });
    expect(await service.call("/api/keyboard/held")).toEqual([]);
    await service.call("/api/keyboard/hotkey", { keys: ["ctrl", "a"] });
    await service.call("/api/keyboard/hotkey", { keys: ["ctrl", "c"] });
    const copied = async () => (await service.call("/api/clipboard/get", {})).text;
    await waitFor(async () => await copied() === "own é漢 q", { what: "both texts" });

    expect((await service.stop()).code).toBe(0);
  },
);
