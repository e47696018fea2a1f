/** The clipboard of X displays, with xclip and xsel as the other program. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { copyWith, pasteWith, XCLIP, XSEL } from "../../support/x_clipboard.ts";

const MIB = 1024 * 1024;
const GET = "/api/clipboard/get";
const SET = "/api/clipboard/set";
const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const encoder = new TextEncoder();

/** Text of this many bytes in which no part is like another. */
function longText(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    const line = `${i} Zeile é 漢字 😀 ${(i * 2654435761 % 2 ** 32).toString(36)}\n`;
    lines.push(line);
    size += encoder.encode(line).length;
  }
  return lines.join("");
}

Deno.test("clipboard/set gives a text to xclip and xsel, and clipboard/get reads theirs", async (t) => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  for (const [name, tool] of [["xclip", XCLIP], ["xsel", XSEL]] as const) {
    for (const text of ["plain", "Grüße, 漢字 😀\n\ttab\r\n", "x"]) {
      await t.step(`${name}: ${JSON.stringify(text)}`, async () => {
        await service.call(SET, { text });
        expect(new TextDecoder().decode(await pasteWith(tool.paste(), display))).toBe(text);
        await copyWith(tool.copy(), display, encoder.encode(`${name} ${text}`));
        await waitForRead(service, {}, { text: `${name} ${text}` });
      });
    }
  }
});

Deno.test("clipboard/set and get pass 50 MiB to and from xclip and xsel", async (t) => {
  const limits = { maxBodyBytes: 100 * MIB };
  await using desktop = await startDesktop({ limits });
  const { display, service } = desktop;
  const text = longText(50 * MIB);
  const bytes = encoder.encode(text);
  for (const [name, tool] of [["xclip", XCLIP], ["xsel", XSEL]] as const) {
    await t.step(`to ${name}`, async () => {
      await service.call(SET, { text });
      expect(equal(await pasteWith(tool.paste(), display), bytes)).toBe(true);
    });
    await t.step(`from ${name}`, async () => {
      await copyWith(tool.copy(), display, bytes);
      await waitForRead(service, {}, { text });
    });
  }
});

Deno.test("clipboard/get and set know HTML, PNG and files, as other programs have them", async (t) => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  const png = Uint8Array.fromBase64(PIXEL_PNG);

  await t.step("set gives all formats at once", async () => {
    const html = "<b>Grüße</b> 漢字";
    await service.call(SET, { text: "Grüße", html, png: PIXEL_PNG, files: ["/etc/hosts", "/tmp"] });
    const paste = async (type: string) =>
      new TextDecoder().decode(await pasteWith(XCLIP.paste(type), display));
    expect((await paste("TARGETS")).split("\n")).toEqual(expect.arrayContaining([
      ...["TARGETS", "MULTIPLE", "TIMESTAMP", "UTF8_STRING", "text/plain;charset=utf-8"],
      ...["text/html", "image/png", "text/uri-list", "x-special/gnome-copied-files"],
    ]));
    expect(await paste("UTF8_STRING")).toBe("Grüße");
    expect(await paste("text/html")).toMatch(/^<meta [^>]*charset=utf-8"><b>Grüße<\/b> 漢字$/);
    expect(await pasteWith(XCLIP.paste("image/png"), display)).toEqual(png);
    expect(await paste("text/uri-list")).toBe("file:///etc/hosts\r\nfile:///tmp\r\n");
    expect(await paste("x-special/gnome-copied-files")).toBe(
      "copy\nfile:///etc/hosts\nfile:///tmp",
    );
    const formats = ["text", "html", "png", "files"];
    expect(await service.call(GET, { formats })).toMatchObject({
      available: formats,
      ...{ text: "Grüße", html, png: PIXEL_PNG, files: ["/etc/hosts", "/tmp"] },
    });
  });

  await t.step("get reads an image", async () => {
    await copyWith(XCLIP.copy("image/png"), display, png);
    await waitForRead(service, { formats: ["png"] }, { available: ["png"], png: PIXEL_PNG });
  });

  await t.step("get reads files, whose names can have any character", async () => {
    const list = "# comment\r\nfile:///tmp/a%20b\r\nhttps://example.org/\r\nfile://host/%C3%A9\r\n";
    await copyWith(XCLIP.copy("text/uri-list"), display, encoder.encode(list));
    await waitForRead(service, { formats: ["files"] }, { files: ["/tmp/a b", "/é"] });
  });

  await t.step("get reads HTML as UTF-16 with a byte order mark, as Firefox has it", async () => {
    const utf16 = Uint8Array.from([..."\ufeff<i>é漢</i>"].flatMap((character) => {
      const unit = character.charCodeAt(0);
      return [unit & 255, unit >> 8];
    }));
    await copyWith(XCLIP.copy("text/html"), display, utf16);
    await waitForRead(service, { formats: ["html"] }, { html: "<i>é漢</i>" });
  });

  await t.step("get reads a text that is no UTF-8", async () => {
    await copyWith(XCLIP.copy("UTF8_STRING"), display, Uint8Array.of(97, 0xe4, 98));
    await waitForRead(service, {}, { text: "a\ufffdb" });
    await copyWith(XCLIP.copy("STRING"), display, Uint8Array.of(97, 0xe4, 98));
    await waitForRead(service, {}, { text: "aäb" });
  });

  await t.step("clear empties it, whoever has filled it", async () => {
    await service.call("/api/clipboard/clear", {});
    expect(await service.call(GET, {})).toEqual({ available: [], types: [] });
    await service.call(SET, { text: "x" });
    await service.call("/api/clipboard/clear", {});
    expect(await service.call(GET, {})).toEqual({ available: [], types: [] });
    await expect(pasteWith(XCLIP.paste(), display)).rejects.toThrow("not available");
  });
});

/** Programs take the clipboard in a process of their own, a moment after their first one has ended. */
async function waitForRead(
  service: Service,
  request: Record<string, unknown>,
  wanted: Record<string, unknown>,
): Promise<void> {
  await waitFor(async () => {
    const read = await service.call(GET, { timeout_ms: 60_000, ...request });
    expect(read).toMatchObject(wanted);
    return true;
  }, { what: "the content to be on the clipboard" });
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
