/** The portal of a real GNOME desktop (RemoteDesktop version 1), whose dialogues a person answers. */

import { expect } from "expect";
import { grantRecordPath } from "../../../../../src/platform/linux/wayland/portal/open_session.ts";
import { openBus } from "../../../../../src/platform/linux/bus/message_bus.ts";
import type { EndedCommand } from "../../../../support/command.ts";
import { testIf } from "../../../../support/test_if.ts";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import { DISPLAY_CHECKS } from "../../../../support/wayland/contract/display_checks.ts";
import { KEYBOARD_CHECKS } from "../../../../support/wayland/contract/keyboard_checks.ts";
import { MOUSE_CHECKS } from "../../../../support/wayland/contract/mouse_checks.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../../support/wayland/desktop.ts";
import { openDialoguePerson } from "../../../../support/wayland/portal_dialogue.ts";
import { runUserCommand, startUserService } from "../../../../support/wayland/user_service.ts";

const PORTALS = ["/usr/libexec/xdg-desktop-portal", "/usr/libexec/xdg-desktop-portal-gnome"];
/** The others run with version 2, which shares all code but the consent. */
const CHECKS: readonly string[] = [
  "an unchanged screen is 304, and a change gives another picture",
  "a move reaches the exact point, and the position is that point",
  "each button is pressed and released at its point",
  "a held key stays down until it is released",
];
const missing = missingFor("gnome-shell", ["chromium", "zenity", ...PORTALS]);

testIf(missing === undefined, missing ?? "")(
  "a GNOME desktop is seen and controlled by its portal, as far as the person allows it",
  async (test) => {
    await using desktop = await startWaylandDesktop("gnome-shell");
    await using person = await openDialoguePerson(desktop);
    const stateDir = `${desktop.home}/state`;
    const args = ["--state-dir", stateDir];
    const path = grantRecordPath(stateDir);
    const move = { x: 640, y: 300 };

    await test.step("a dialogue that is cancelled is said, and nothing is stored", async () => {
      const ended = await grant(desktop, args, (isOver) => person.cancelUntil(isOver));
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("was refused") });
      await expect(Deno.lstat(path)).rejects.toThrow(Deno.errors.NotFound);
    });

    await test.step("without a grant the service says which command makes one", async () => {
      await using service = await startUserService(desktop, args);
      const answer = await service.send("/api/display/screenshot");
      expect([answer.status, await answer.text()]).toEqual([
        501,
        expect.stringContaining("computer-control grant portal"),
      ]);
    });

    await test.step("a dialogue that is confirmed is stored, for this user alone", async () => {
      const ended = await grant(desktop, args, (isOver) => person.shareUntil(isOver));
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("one monitor") });
      expect((await Deno.lstat(path)).mode! & 0o777).toBe(0o600);
    });

    await test.step("pictures need no dialogue, and what is refused beside them is 403", async () => {
      await using service = await startUserService(desktop, args);
      const picture = await service.send("/api/display/screenshot");
      expect(picture.status).toBe(200);
      await picture.body?.cancel();
      const early = await service.command.post("/api/mouse/move", move);
      expect([early.status, await early.text()]).toEqual([
        403,
        expect.stringContaining("Allow remote interaction"),
      ]);
      const refusal = async () => {
        const answer = await service.command.post("/api/mouse/move", move);
        expect(answer.status).toBe(403);
        return await answer.text();
      };
      await person.cancelUntil(async () => (await refusal()).includes("were refused"));
      // the person is not asked again
      expect(await refusal()).toContain("restart the service");
    });

    await test.step("after the consent programs get text, clicks and keys", async (test) => {
      await using service = await startUserService(desktop, args);
      await person.allowInteraction(service);
      await person.shareUntil(async () => {
        const answer = await service.command.post("/api/mouse/move", move);
        await answer.body?.cancel();
        return answer.status === 204;
      });
      expect(await service.get("mouse/position")).toEqual(move);
      {
        await using client = await openTextClient(desktop, "zenity", service.call);
        await service.call("keyboard/type", { text: "Hello, World (portal) ~@#" });
        expect(await client.received("Hello, World (portal) ~@#")).toBe(
          "Hello, World (portal) ~@#",
        );
      }
      await using browser = await openWaylandChromium(desktop);
      for (const { name, run } of [...DISPLAY_CHECKS, ...MOUSE_CHECKS, ...KEYBOARD_CHECKS]) {
        if (CHECKS.includes(name)) await test.step(name, () => run({ desktop, service, browser }));
      }
      const answer = await service.command.post("/api/keyboard/type", { text: "a漢" });
      expect([answer.status, await answer.text()]).toEqual([
        501,
        expect.stringContaining("no clipboard"),
      ]);
      await test.step("what is down goes up when the service crashes", async () => {
        await browser.show({ body: "<p>Nothing here</p>" });
        await service.call("mouse/down", { button: "left", x: 640, y: 400 });
        await browser.waitFor((events) => events.length === 1, { type: "mousedown" });
        expect(browser.events("mouseup")).toEqual([]);
        await service.command.kill();
        await browser.waitFor((events) => events.length === 1, { type: "mouseup" });
      });
    });

    await test.step("a revoked permission is asked for again, and the answers say so", async () => {
      await revoke(desktop, JSON.parse(await Deno.readTextFile(path)).screen_cast_token);
      await using service = await startUserService(desktop, args);
      const take = async () => {
        const answer = await service.send("/api/display/screenshot");
        return { status: answer.status, text: await answer.text() };
      };
      expect(await take()).toEqual({
        status: 403,
        text: expect.stringContaining("asks for consent again"),
      });
      await person.shareUntil(async () => (await take()).status === 200);
    });
  },
);

/** Runs `grant portal` to its end, with the person's answers. */
async function grant(
  desktop: WaylandDesktop,
  args: readonly string[],
  answer: (isOver: () => boolean) => Promise<void>,
): Promise<EndedCommand> {
  let isOver = false;
  const running = runUserCommand(desktop, ["grant", "portal", ...args])
    .finally(() => isOver = true);
  await answer(() => isOver);
  return await running;
}

/** As the settings of the desktop do it. */
async function revoke({ env }: WaylandDesktop, token: string): Promise<void> {
  using bus = await openBus(env["DBUS_SESSION_BUS_ADDRESS"]!);
  await bus.call({
    destination: "org.freedesktop.impl.portal.PermissionStore",
    path: "/org/freedesktop/impl/portal/PermissionStore",
    interface: "org.freedesktop.impl.portal.PermissionStore",
    member: "Delete",
    signature: "ss",
    body: ["screencast", token],
  });
}
