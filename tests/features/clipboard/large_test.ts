/** Large contents of the clipboard hold up no other request; stored values do not come back from there. */

import { expect } from "expect";
import { startWatched } from "../../support/command.ts";
import { startDesktop } from "../../support/desktop.ts";
import { secretOf } from "../../support/secrets.ts";
import { openSelectionOwner } from "../../support/selection_owner.ts";
import { stallsOf } from "../../support/watchdog.ts";
import { waitFor } from "../../support/wait.ts";
import { copyWith, pasteWith, XCLIP } from "../../support/x_clipboard.ts";
import { startXvfb } from "../../support/xvfb.ts";

const MIB = 1024 * 1024;
const encoder = new TextEncoder();

Deno.test("the largest body on the clipboard, and 50 MiB from there, hold up no other request", async () => {
  await using xvfb = await startXvfb();
  const service = await startWatched(["--display", `1=${xvfb.display}`]);
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

Deno.test("many copied files, and an owner that offers 16,000 types, hold up no other request", async (t) => {
  await using xvfb = await startXvfb();
  const service = await startWatched(["--display", `1=${xvfb.display}`]);
  const copy = (list: string) =>
    copyWith(XCLIP.copy("text/uri-list"), xvfb.display, encoder.encode(list));
  const get = (body: Record<string, unknown>) => service.post("/api/clipboard/get", body);
  try {
    await t.step("62 MiB of files: 413", async () => {
      await copy("file:///tmp/a%20b\r\n".repeat(62 * MIB / 19));
      const refused = await waitFor(async () => {
        const response = await get({ formats: ["files"] });
        const body = await response.json();
        return response.status === 200 && body.available.length === 0
          ? undefined
          : { status: response.status, detail: body.detail };
      });
      expect(refused.status).toBe(413);
      expect(refused.detail).toContain("copied files");
    });
    await t.step("a list of 50,000 files is read", async () => {
      await copy("file:///tmp/a%20b\r\n".repeat(50_000));
      await waitFor(async () => {
        const response = await get({ formats: ["files"] });
        return (await response.json()).files?.length === 50_000;
      });
    });
    await t.step("16,000 types", async () => {
      using owner = await openSelectionOwner(xvfb.display, (request) => {
        if (request.target !== "TARGETS") return owner.refuse(request);
        const atoms = Array.from({ length: 16_000 }, (_, index) => 1_000_000 + index);
        owner.answerAtoms(request, [owner.atom("UTF8_STRING"), ...atoms]);
      });
      const response = await get({});
      expect(await response.json()).toEqual({ available: ["text"], types: ["UTF8_STRING"] });
    });
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
  const files = ["/etc/hosts", `/tmp/of ${secret}`];
  await copyWith(
    XCLIP.copy("text/uri-list"),
    display,
    new TextEncoder().encode(files.map((file) => `file://${encodeURI(file)}\r\n`).join("")),
  );
  await waitFor(async () => {
    const got = await service.call("/api/clipboard/get", { formats: ["files"] });
    const shown = (got as { files?: readonly string[] }).files;
    return JSON.stringify(shown) === '["/etc/hosts","/tmp/of [redacted:bank/password]"]';
  }, { what: "the paths of the files without the stored value" });
  const typed = { secret: { service: "bank", field: "password" }, method: "paste" };
  expect(await service.refused(422, "/api/keyboard/type", typed)).toContain("never copied to");
});
