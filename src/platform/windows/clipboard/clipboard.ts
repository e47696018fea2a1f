/** The clipboard of Windows, used by a thread of its own. */

import { TimedPasting } from "../../timed_pasting.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardReading,
  Pasting,
  ReadClipboard,
} from "../../types/mod.ts";
import { CallThread } from "../call_thread.ts";
import type { ClipboardJob, ClipboardResult } from "./clipboard_job.ts";
import { listBuffers } from "./native_clipboard.ts";

export class WindowsClipboard implements Clipboard, Disposable {
  readonly #thread = new CallThread<ClipboardJob, ClipboardResult>({
    kind: "clipboard",
    jobMs: 10_000, // of a write, in which programs may look at what was there
    late: "The program that owns the clipboard did not respond",
    stopMs: 100, // it ends when the program answers
    idleMs: 60_000,
  });

  async read({ formats, maxBytes, idleMs, signal }: ClipboardReading): Promise<ReadClipboard> {
    const { read } = await this.#thread.run({ do: "read", formats, maxBytes }, signal, {
      ms: idleMs,
    });
    return read!;
  }

  async write(content: ClipboardContent, signal: AbortSignal): Promise<void> {
    await this.#write({ content, isPassing: false }, signal);
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.write({}, signal);
  }

  beginPasting(press: () => Promise<void>): Pasting {
    const never = new AbortController().signal;
    return new TimedPasting({
      press,
      read: (reading) => this.read(reading),
      replace: async (content, isPassing) =>
        (await this.#write({ content, isPassing }, never)).sequence,
      version: async () => (await this.#thread.run({ do: "sequence" }, never)).sequence,
    });
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }

  #write(
    write: { readonly content: ClipboardContent; readonly isPassing: boolean },
    signal: AbortSignal,
  ): Promise<ClipboardResult> {
    const transfer = listBuffers(write.content);
    return this.#thread.run({ do: "write", ...write }, signal, { transfer });
  }
}
