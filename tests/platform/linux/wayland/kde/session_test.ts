/** KWin sessions in which something is unusual: layouts, locks, ends of programs and of KWin itself. */

import { expect } from "expect";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { startUserService } from "../../../../support/wayland/user_service.ts";
import { testIf } from "../../../../support/test_if.ts";

const missing = missingFor("kwin", ["zenity"]);

testIf(missing === undefined, missing ?? "")(
  "KWin with a German layout, locks, and ends of programs",
  async (t) => {
    await using desktop = await startWaylandDesktop("kwin", { layout: "de" });

    await t.step("keys that a killed service held down do not disturb the next one", async () => {
      const killed = await startUserService(desktop);
      await killed.call("keyboard/hold", { key: "shift" });
      await killed.call("keyboard/hold", { key: "ctrl" });
      await killed.command.kill();
      await using service = await startUserService(desktop);
      await using client = await openTextClient(desktop, "zenity", service.call);
      const text = "zyäöüß €@{}[]\\~ ^`´' é漢 abc"; // keys, levels, dead keys and others
      await service.call("keyboard/type", { text });
      expect(await client.received(text)).toBe(text);
    });

    await using service = await startUserService(desktop);

    await t.step("Caps Lock does not change a text, and stays on", async () => {
      await using client = await openTextClient(desktop, "zenity", service.call);
      await service.call("keyboard/key", { key: "capslock" });
      try {
        await service.call("keyboard/type", { text: "Caps aB1!é漢", typing_delay: 0 });
        await service.call("keyboard/key", { key: "x" });
        expect(await client.received("Caps aB1!é漢X")).toBe("Caps aB1!é漢X");
      } finally {
        await service.call("keyboard/key", { key: "capslock" });
      }
    });

    await t.step("a program that reads slowly gets a long text whole", async () => {
      await using client = await openTextClient(desktop, "zenity", service.call);
      const text = "0123456789".repeat(400); // KWin ends zenity if it has to hold all of it
      await service.call("keyboard/type", { text, typing_delay: 0 });
      expect(await client.received(text)).toBe(text);
    });

    await t.step("release-all releases what is held", async () => {
      await service.call("keyboard/hold", { key: "shift" });
      await service.call("mouse/down", { button: "left" });
      await service.call("system/release-all");
      await using client = await openTextClient(desktop, "zenity", service.call);
      await service.call("keyboard/type", { text: "abc" });
      expect(await client.received("abc")).toBe("abc");
    });

    await t.step("characters without a key are 501 where the clipboard is forbidden", async () => {
      await using strict = await startUserService(desktop, ["--no-clipboard-typing"]);
      const answer = await strict.command.post("/api/keyboard/type", { text: "a漢" });
      expect(answer.status).toBe(501);
      expect(await answer.text()).toContain("--no-clipboard-typing");
      await using client = await openTextClient(desktop, "zenity", strict.call);
      await strict.call("keyboard/type", { text: "only keys: äß" });
      expect(await client.received("only keys: äß")).toBe("only keys: äß");
    });

    await t.step("a text that no program takes is 409, and never in the answer", async () => {
      const answer = await service.command.post("/api/keyboard/type", { text: "漢字" });
      expect(answer.status).toBe(409);
      expect(await answer.text()).not.toContain("漢");
    });

    await t.step("a stored value never passes through the clipboard", async () => {
      await service.call("keychain/set-item", { service: "site", item: { password: "pä漢ss" } });
      const secret = { service: "site", field: "password" };
      const answer = await service.command.post("/api/keyboard/type", { secret });
      expect([answer.status, await answer.text()]).toEqual([
        501,
        expect.stringContaining("is not used for secrets"),
      ]);
      await service.call("keychain/set-item", { service: "site", item: { password: "päss1!" } });
      await using client = await openTextClient(desktop, "zenity", service.call);
      await service.call("keyboard/type", { secret });
      expect(await client.received("päss1!")).toBe("päss1!");
    });

    await t.step("it is 503 while KWin is gone, and works again when it is back", async () => {
      const picture = async () => {
        const answer = await service.send("/api/display/screenshot");
        await answer.body?.cancel();
        return answer.status;
      };
      const move = async () =>
        (await service.command.post("/api/mouse/move", { x: 5, y: 6 })).status;
      expect([await move(), await picture()]).toEqual([204, 200]);
      await desktop.crash();
      expect([await move(), await picture()]).toEqual([503, 503]);
      await desktop.restart();
      expect([await move(), await picture()]).toEqual([204, 200]);
      expect(await service.get("mouse/position")).toEqual({ x: 5, y: 6 });
      await using client = await openTextClient(desktop, "zenity", service.call);
      await service.call("keyboard/type", { text: "again ä漢" });
      expect(await client.received("again ä漢")).toBe("again ä漢");
    });
  },
);
