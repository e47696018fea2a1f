/**
 * The portal's RemoteDesktop version 2 and Clipboard on a real GNOME desktop: the portal is one of the
 * tests' own, the sessions behind it are Mutter's.
 */

import { expect } from "expect";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { CLIENT_CHECKS } from "../../../../support/wayland/contract/client_checks.ts";
import { DISPLAY_CHECKS } from "../../../../support/wayland/contract/display_checks.ts";
import { KEYBOARD_CHECKS } from "../../../../support/wayland/contract/keyboard_checks.ts";
import { MOUSE_CHECKS } from "../../../../support/wayland/contract/mouse_checks.ts";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { runPortalOn } from "../../../../support/wayland/fake_portal.ts";
import { runUserCommand, startUserService } from "../../../../support/wayland/user_service.ts";

const missing = missingFor("gnome-shell", ["chromium"]);

testIf(missing === undefined, missing ?? "")(
  "a portal of version 2 is asked once, and gives mouse, keyboard, pictures and the clipboard",
  async (test) => {
    await using desktop = await startWaylandDesktop("gnome-shell");
    await using portal = await runPortalOn(desktop, {
      RemoteDesktop: 2,
      ScreenCast: 5,
      Clipboard: 1,
    });
    const args = ["--state-dir", `${desktop.home}/state`];
    const granted = await runUserCommand(desktop, ["grant", "portal", ...args]);
    expect(granted).toMatchObject({ code: 0 });
    await portal.decide({ decision: "refuse" }); // of dialogues that must not come

    await using service = await startUserService(desktop, args);
    {
      await using browser = await openWaylandChromium(desktop);
      for (const { name, run } of [...DISPLAY_CHECKS, ...MOUSE_CHECKS, ...KEYBOARD_CHECKS]) {
        await test.step(name, () => run({ desktop, service, browser }));
      }
    }
    for (const { client, run } of CLIENT_CHECKS) {
      if (client !== "gnome-text-editor") continue; // others differ in their toolkits alone
      await test.step(`500 characters typed into ${client}`, () => run({ desktop, service }));
    }

    await test.step("a compositor that dies is 503, and is used again when it is back", async () => {
      const ask = async () => {
        const answer = await service.send("/api/display/screenshot");
        await answer.body?.cancel();
        return answer.status;
      };
      await desktop.crash();
      await waitFor(async () => await ask() === 503, { what: "the end of the compositor" });
      await desktop.restart();
      await waitFor(async () => await ask() === 200, { what: "the compositor to be back" });
    });

    await test.step("a session that the person ends is 403, and not opened again", async () => {
      await portal.stop();
      const ask = async () => {
        const answer = await service.send("/api/display/screenshot");
        return { status: answer.status, text: await answer.text() };
      };
      const stopped = { status: 403, text: expect.stringContaining("has ended the session") };
      await waitFor(async () => (await ask()).status === 403, { what: "the end of the session" });
      expect(await ask()).toEqual(stopped);
    });

    expect((await portal.log()).filter((line) => line === "dialogue")).toHaveLength(1);
  },
);
