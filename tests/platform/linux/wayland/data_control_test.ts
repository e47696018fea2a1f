/** The clipboard of compositors, with another connection as the other program. */

import { expect } from "expect";
import { ServiceError } from "../../../../src/core/errors.ts";
import {
  KWIN_OPEN_TIMEOUT_MS,
  WaylandClient,
} from "../../../../src/platform/linux/wayland/client.ts";
import type { TypedContent } from "../../../../src/platform/linux/clipboard/typed_clipboard.ts";
import { ClipboardPasting, readAll } from "../../../../src/platform/linux/clipboard/pasting.ts";
import { joinBytes } from "../../../../src/core/bytes.ts";
import { DataControl } from "../../../../src/platform/linux/wayland/clipboards.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../support/wayland/desktop.ts";

async function connect({ socket }: WaylandDesktop) {
  const client = await WaylandClient.open(socket, { openTimeoutMs: KWIN_OPEN_TIMEOUT_MS });
  const clipboard = await DataControl.open(client, client.bind("wl_seat", 1));
  return { client, clipboard, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

function content(entries: Readonly<Record<string, string>>): TypedContent {
  const encoder = new TextEncoder();
  return new Map(Object.entries(entries).map(([type, text]) => [type, [encoder.encode(text)]]));
}

function texts(all: TypedContent): Record<string, string> {
  const decoder = new TextDecoder();
  return Object.fromEntries(
    [...all].map(([type, parts]) => [type, decoder.decode(joinBytes(parts))]),
  );
}

for (const name of ["kwin", "sway"] as const) {
  const missing = missingFor(name);
  testIf(missing === undefined, missing ?? "")(`the clipboard of ${name}`, async (t) => {
    await using desktop = await startWaylandDesktop(name);
    using ours = await connect(desktop);
    using other = await connect(desktop);
    const seen = (wanted: Record<string, string>) =>
      waitFor(async () => {
        const now = texts(await readAll(other.clipboard));
        return Object.entries(wanted).every(([type, text]) => now[type] === text) &&
          Object.keys(now).length >= Object.keys(wanted).length;
      }, { what: `the clipboard to be ${JSON.stringify(wanted)}` });

    await t.step("is read with all its types, whoever wrote it", async () => {
      const all = { "text/plain": "é漢😀", "text/html": "<b>é</b>", "x-own/type": "" };
      await other.clipboard.offer(content(all));
      await waitFor(async () => (await readAll(ours.clipboard)).size === 3, {
        what: "three types",
      });
      expect(texts(await readAll(ours.clipboard))).toEqual(all);
    });

    await t.step("passes megabytes without holding up this thread", async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(65_536));
      const large = new Uint8Array(8_000_000).map((_, i) => bytes[i % bytes.length]!);
      await other.clipboard.offer(new Map([["application/octet-stream", [large]]]));
      await waitFor(async () => (await readAll(ours.clipboard)).size === 1, { what: "one type" });
      const read = await readAll(ours.clipboard);
      expect(joinBytes(read.get("application/octet-stream")!)).toEqual(large);
    });

    await t.step("is put back after a paste, once the text was read", async () => {
      await other.clipboard.offer(content({ "text/plain": "before", "text/html": "<i>b</i>" }));
      await waitFor(async () => texts(await readAll(ours.clipboard))["text/plain"] === "before");
      let pasted = "";
      {
        await using pasting = new ClipboardPasting(
          () => Promise.resolve(ours.clipboard),
          async () => {
            pasted = texts(await readAll(other.clipboard))["text/plain"]!;
          },
        );
        await pasting.paste("漢字");
        expect(pasted).toBe("漢字");
      }
      await seen({ "text/plain": "before", "text/html": "<i>b</i>" });
    });

    await t.step("keeps what another program copies meanwhile", async () => {
      {
        await using pasting = new ClipboardPasting(
          () => Promise.resolve(ours.clipboard),
          async () => {
            await readAll(other.clipboard);
          },
        );
        await pasting.paste("漢字");
        await other.clipboard.offer(content({ "text/plain": "copied meanwhile" }));
        await ours.client.roundtrip();
      }
      await seen({ "text/plain": "copied meanwhile" });
    });

    await t.step("is put back, too, where the text is read after that was an error", async () => {
      {
        await using pasting = new ClipboardPasting(
          () => Promise.resolve(ours.clipboard),
          async () => {},
        );
        const error = await pasting.paste("漢字").catch((error) => error);
        expect(error).toBeInstanceOf(ServiceError);
        expect(error).toMatchObject({ code: "conflict" });
        expect(error.message).not.toContain("漢字");
      }
      await waitFor(async () => texts(await readAll(other.clipboard))["text/plain"] === "漢字");
      await seen({ "text/plain": "copied meanwhile" });
    });

    await t.step("is empty when its owner has gone", async () => {
      const owner = await connect(desktop);
      await owner.clipboard.offer(content({ "text/plain": "of one who leaves" }));
      await seen({ "text/plain": "of one who leaves" });
      owner.client[Symbol.dispose]();
      await waitFor(() => readAll(ours.clipboard).then(({ size }) => size === 0));
    });
  });
}
