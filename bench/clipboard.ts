/** 1 MiB put on the clipboard and read from there, beside xclip; every content is checked. */

import { copyWith, pasteWith, XCLIP } from "../tests/support/x_clipboard.ts";
import { waitFor } from "../tests/support/wait.ts";
import { startServer } from "./process.ts";
import { row, section } from "./report.ts";

const ROUNDS = 15;
const LINE = "0123456789 é漢😀 abcdefghijklmnopqrstuvwxyz\n";
const encoder = new TextEncoder();
const TEXT = LINE.repeat(Math.ceil(1024 * 1024 / encoder.encode(LINE).length));
/** What each is given, ready to be sent. */
const BYTES = encoder.encode(TEXT);
const SET_BODY = encoder.encode(JSON.stringify({ text: TEXT }));
const NO_FIELDS = encoder.encode("{}");

export async function benchClipboard(xDisplay: string): Promise<void> {
  const args = ["--port", "0", "--display", `1=${xDisplay}`];
  await using service = await startServer("../main.ts", args);
  const post = async (path: string, body = NO_FIELDS) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/clipboard/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === "" ? undefined : JSON.parse(text);
  };
  const check = (isRight: boolean) => {
    if (!isRight) throw new Error("The content is another one");
  };
  const copyByXclip = () => copyWith(XCLIP.copy(), xDisplay, BYTES);
  const times = {
    set: [] as number[],
    copy: [] as number[],
    get: [] as number[],
    paste: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    times.set.push(await time(() => post("set", SET_BODY)));
    check((await pasteWith(XCLIP.paste(), xDisplay)).length === BYTES.length);
    await post("clear");
    times.copy.push(await time(copyByXclip));
    await waitFor(async () => (await post("get")).available.length > 0, { everyMs: 1 });
    times.get.push(await time(async () => check((await post("get")).text === TEXT)));
    times.paste.push(
      await time(async () =>
        check((await pasteWith(XCLIP.paste(), xDisplay)).length === BYTES.length)
      ),
    );
  }
  section("Clipboard, 1 MiB of text (median ms; share of xclip)");
  const rows: readonly [string, number, number][] = [
    ["POST /api/clipboard/set", middle(times.set), middle(times.copy)],
    ["POST /api/clipboard/get", middle(times.get), middle(times.paste)],
  ];
  for (const [label, ours, theirs] of rows) {
    row(label, [ours.toFixed(1), (ours / theirs).toFixed(2)]);
  }
  row("xclip -i", [middle(times.copy).toFixed(1)]);
  row("xclip -o", [middle(times.paste).toFixed(1)]);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
