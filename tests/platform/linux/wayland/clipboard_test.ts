/** The clipboard operations on sway, with wl-copy and wl-paste as the other program. */

import { expect } from "expect";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../support/wayland/desktop.ts";
import { giveToDesktopUser } from "../../../support/wayland/user.ts";

const GET = "/api/clipboard/get";
const SET = "/api/clipboard/set";
const MIB = 1024 * 1024;
/** Each look takes seconds on a busy computer. */
const LARGE_MS = 120_000;
const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const missing = missingFor("sway", ["wl-copy", "wl-paste"]);

testIf(missing === undefined, missing ?? "")("clipboard/get, set and clear on sway", async (t) => {
  await using desktop = await startWaylandDesktop("sway");
  const service = await desktop.service({ limits: { maxBodyBytes: 100 * MIB } });
  const paste = (...args: string[]) => desktop.run("wl-paste", ["--no-newline", ...args]);
  const copy = async (bytes: Uint8Array<ArrayBuffer>, ...args: string[]) => {
    const file = `${desktop.home}/content`;
    await Deno.writeFile(file, bytes);
    await giveToDesktopUser(file);
    desktop.start("sh", [
      "-c",
      'file="$1"; shift; exec wl-copy --foreground "$@" < "$file"',
      "sh",
      file,
      ...args,
    ]);
  };
  const waitForRead = (request: Record<string, unknown>, wanted: Record<string, unknown>) =>
    waitFor(async () => {
      expect(await service.call(GET, request)).toMatchObject(wanted);
      return true;
    }, { what: "the content to be on the clipboard" });
  const encoder = new TextEncoder();

  await t.step("all formats at once", async () => {
    const content = {
      ...{ text: "Grüße 漢字 😀", html: "<b>Grüße</b>", png: PIXEL_PNG },
      files: ["/etc/hosts"],
    };
    await service.call(SET, content);
    expect(await paste()).toBe(content.text);
    expect(await paste("--type", "text/html")).toContain('charset=utf-8"><b>Grüße</b>');
    expect(await paste("--type", "text/uri-list")).toBe("file:///etc/hosts\r\n");
    const encoded = await desktop.run("sh", ["-c", "wl-paste --type image/png | base64 -w 0"]);
    expect(encoded).toBe(PIXEL_PNG);
    const formats = ["text", "html", "png", "files"];
    expect(await service.call(GET, { formats })).toMatchObject(content);
  });

  await t.step("what other programs copy", async () => {
    await copy(encoder.encode("é漢😀"));
    await waitForRead({}, { text: "é漢😀" });
    await copy(Uint8Array.fromBase64(PIXEL_PNG), "--type", "image/png");
    await waitForRead({ formats: ["png"] }, { available: ["png"], png: PIXEL_PNG });
    await copy(encoder.encode("file:///tmp/a%20b\r\n"), "--type", "text/uri-list");
    await waitForRead({ formats: ["files"] }, { files: ["/tmp/a b"] });
  });

  await t.step("50 MiB", async () => {
    const text = "0123456789é漢😀\n".repeat(50 * MIB / 20);
    await service.call(SET, { text });
    const sum = await desktop.run("sh", ["-c", "wl-paste --no-newline | sha256sum"]);
    expect(sum.slice(0, 64)).toBe(await sha256(encoder.encode(text)));
    await copy(encoder.encode(`${text}!`));
    await waitFor(async () => {
      const read = await service.call(GET, { timeout_ms: 60_000 }) as { text: string };
      return read.text === `${text}!`;
    }, { what: "50 MiB of another program", timeoutMs: LARGE_MS });
  });

  await t.step("more than the limit: 413", async () => {
    await copy(new Uint8Array(65 * MIB).fill(120));
    await waitFor(async () => {
      const response = await service.send(GET, { timeout_ms: 60_000 });
      await response.body?.cancel();
      return response.status === 413;
    }, { what: "the refusal", timeoutMs: LARGE_MS });
  });

  await t.step("a program that never answers: 504", async () => {
    const owner = desktop.start("wl-copy", ["--foreground", "silent"]);
    await waitForRead({}, { text: "silent" });
    Deno.kill(owner.pid, "SIGSTOP");
    try {
      await service.refused(504, GET, { timeout_ms: 200 });
    } finally {
      Deno.kill(owner.pid, "SIGCONT");
      await owner[Symbol.asyncDispose]();
    }
  });

  await t.step("clear", async () => {
    await service.call("/api/clipboard/clear", {});
    expect(await service.call(GET, {})).toEqual({ available: [], types: [] });
  });
});

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
