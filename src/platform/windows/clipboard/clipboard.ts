/** The clipboard of Windows, used by a thread of its own. */

import { TimedPasting } from "../../timed_pasting.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardReading,
  Pasting,
  ReadClipboard,
} from "../../types/mod.ts";
import { CallThread, listBuffers } from "../call_thread.ts";
import type { ClipboardCalls } from "./clipboard_calls.ts";

export class WindowsClipboard implements Clipboard, Disposable {
  readonly #thread = new CallThread<ClipboardCalls>({
    kind: "clipboard",
    callMs: 10_000, // of a write, in which programs may look at what was there
    late: "The program that owns the clipboard did not respond",
    stopMs: 100, // it ends when the program answers
    idleMs: 60_000,
  });

  read({ formats, maxBytes, idleMs, signal }: ClipboardReading): Promise<ReadClipboard> {
    return this.#thread.call("read", [formats, maxBytes], signal, { ms: idleMs });
  }

  async write(content: ClipboardContent, signal: AbortSignal): Promise<void> {
    await this.#write(content, false, signal);
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.write({}, signal);
  }

  beginPasting(press: () => Promise<void>): Pasting {
    const never = new AbortController().signal;
    return new TimedPasting({
      press,
      read: (reading) => this.read(reading),
      replace: (content, isPassing) => this.#write(content, isPassing, never),
      version: () => this.#thread.call("sequence", [], never),
    });
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }

  #write(content: ClipboardContent, isPassing: boolean, signal: AbortSignal): Promise<number> {
    const transfer = listBuffers(content);
    return this.#thread.call("write", [content, isPassing], signal, { transfer });
  }
}
