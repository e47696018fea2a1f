/** Large contents of the clipboard hold up no other request; stored values do not come back from there. */

import { expect } from "expect";
import { startCommand } from "../../support/command.ts";
import { startDesktop } from "../../support/desktop.ts";
import { secretOf } from "../../support/secrets.ts";
import { stallsOf } from "../../support/stalls.ts";
import { waitFor } from "../../support/wait.ts";
import { copyWith, pasteWith, XCLIP } from "../../support/x_clipboard.ts";
import { startXvfb } from "../../support/xvfb.ts";

const MIB = 1024 * 1024;
const encoder = new TextEncoder();

Deno.test("the largest body on the clipboard, and 50 MiB from there, hold up no other request", async () => {
  await using xvfb = await startXvfb();
  const service = await startCommand(["--watchdog", "--display", `1=${xvfb.display}`]);
  const line = "0123456789 é漢😀\n";
  const text = line.repeat(15 * MIB / 22);
  const larger = line.repeat(50 * MIB / 22);
  const read = async () => {
    const response = await service.post("/api/clipboard/get", { timeout_ms: 60_000 });
    return (await response.json()).text as string | undefined;
  };
  try {
    const response = await service.post("/api/clipboard/set", { text });
    expect(response.status).toBe(204);
    expect((await pasteWith(XCLIP.paste(), xvfb.display)).length).toBe(encoder.encode(text).length);
    expect(await read() === text).toBe(true);
    await copyWith(XCLIP.copy(), xvfb.display, encoder.encode(larger));
    await waitFor(async () => await read() === larger);
  } finally {
    await service[Symbol.asyncDispose](); // by then it has logged all
  }
  expect(stallsOf(service.errors.seen)).toEqual([]);
});

Deno.test("a stored value on the clipboard is not read, and not pasted by keyboard/type", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  const secret = secretOf("clipboard");
  await service.call("/api/keychain/set-item", { service: "bank", item: { password: secret } });
  const html = `<b>${secret}</b>`;
  await service.call("/api/clipboard/set", { text: `before ${secret} after`, html });
  const read = await service.call("/api/clipboard/get", { formats: ["text", "html"] });
  expect(JSON.stringify(read)).not.toContain(secret);
  expect((read as { text: string }).text).toMatch(/^before .+ after$/);
  const pasted = await pasteWith(XCLIP.paste(), display);
  expect(new TextDecoder().decode(pasted)).toBe(`before ${secret} after`);
  const typed = { secret: { service: "bank", field: "password" }, method: "paste" };
  expect(await service.refused(422, "/api/keyboard/type", typed)).toContain("never put on");
});
