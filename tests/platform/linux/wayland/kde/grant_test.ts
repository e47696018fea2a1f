/** What KWin gives to whom: its permissions are asked for here, in contrast to the other tests. */

import { expect } from "expect";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../../support/wayland/desktop.ts";
import { runUserCommand, startUserService } from "../../../../support/wayland/user_service.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { copyProgram } from "../../../../support/written_program.ts";

const missing = missingFor("kwin", ["kbuildsycoca5", "zenity"]);

/** An executable that nothing but the service runs by. */
async function copyDeno({ home }: WaylandDesktop): Promise<string> {
  const path = `${home}/computer-control`;
  await copyProgram(Deno.execPath(), path);
  return path;
}

testIf(missing === undefined, missing ?? "")(
  "KWin obeys the executable that grant kde names, no other, and none after --remove",
  async () => {
    await using desktop = await startWaylandDesktop("kwin", { asksPermission: true });
    const own = await copyDeno(desktop);
    const refusal = async (deno: string) => {
      await using service = await startUserService(desktop, [], deno);
      const answer = await service.command.post("/api/mouse/move", { x: 1, y: 1 });
      return { status: answer.status, text: await answer.text() };
    };
    const refused = { status: 501, text: expect.stringContaining("computer-control grant kde") };
    expect(await refusal(own)).toMatchObject(refused);

    const granted = await runUserCommand(desktop, ["grant", "kde", "--executable", own], own);
    expect(granted).toMatchObject({ code: 0, stderr: "" });
    expect(granted.stdout).toContain(own);
    await waitFor(async () => (await refusal(own)).status === 204, {
      what: "KWin to notice the file",
      timeoutMs: 20_000,
    });
    {
      await using service = await startUserService(desktop, [], own);
      const picture = await service.send("/api/display/screenshot");
      expect(picture.status).toBe(200);
      await picture.body?.cancel();
      const { backends } = await service.get("system/info");
      expect(backends).toMatchObject([{ chosen: "kde" }, { chosen: "kde" }, {}]);
      await using client = await openTextClient(desktop, "zenity", service.call);
      await service.call("keyboard/type", { text: "granted é漢" });
      expect(await client.received("granted é漢")).toBe("granted é漢");
    }
    expect(await refusal(Deno.execPath())).toMatchObject(refused);

    expect(await runUserCommand(desktop, ["grant", "kde", "--remove"], own))
      .toMatchObject({ code: 0, stdout: expect.stringContaining("Removed") });
    await waitFor(async () => (await refusal(own)).status === 501, {
      what: "KWin to notice that the file is gone",
      timeoutMs: 20_000,
    });
  },
);
