/** The clipboard of macOS: the general pasteboard, by a script for osascript. */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { TimedPasting } from "../timed_pasting.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardReading,
  Parts,
  Pasting,
  ReadClipboard,
} from "../types/mod.ts";
import { CLIPBOARD_SCRIPT } from "./clipboard_script.ts";
import { runProgram } from "./program.ts";
import type { Programs } from "./programs.ts";

const LINE_FEED = 10;
/** The length of the first line stands before it, in so many digits. */
const LENGTH_DIGITS = 10;

const Head = z.object({
  types: z.array(z.string()).default([]),
  available: z.array(z.enum(["text", "html", "png", "files"])).default([]),
  sizes: z.record(z.string(), z.int().min(0)).default({}),
  version: z.number().default(0),
  tooLarge: z.string().optional(),
  refused: z.boolean().optional(),
});

interface Answer {
  readonly head: z.output<typeof Head>;
  /** Format -> what was printed of it. */
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

export class MacosClipboard implements Clipboard {
  constructor(private readonly programs: Programs) {}

  async read({ formats, maxBytes, idleMs, signal }: ClipboardReading): Promise<ReadClipboard> {
    const args = ["read", JSON.stringify([...new Set(formats)]), String(maxBytes)];
    const { head, contents } = await this.#run(args, { timeoutMs: idleMs, signal });
    if (head.tooLarge !== undefined) throw tooLarge(maxBytes);
    const parts = (format: string) => {
      const bytes = contents.get(format);
      return bytes && { [format]: [bytes] };
    };
    const files = contents.get("files");
    const content: ClipboardContent = {
      ...{ ...parts("text"), ...parts("html"), ...parts("png") },
      ...(files && { files: JSON.parse(new TextDecoder().decode(files)) }),
    };
    return { content, available: head.available, types: head.types };
  }

  async write(content: ClipboardContent, signal?: AbortSignal): Promise<void> {
    await this.#replace(content, false, signal);
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.write({}, signal);
  }

  beginPasting(press: () => Promise<void>): Pasting {
    return new TimedPasting({
      press,
      read: (reading) => this.read(reading),
      replace: (content, isPassing) => this.#replace(content, isPassing),
      version: async () => (await this.#run(["version"])).head.version,
    });
  }

  async #replace(
    { files = [], ...content }: ClipboardContent,
    isPassing: boolean,
    signal?: AbortSignal,
  ): Promise<number> {
    const formats = Object.entries(content) as [string, Parts][];
    const sizes = Object.fromEntries(formats.map(([format, parts]) => [format, countBytes(parts)]));
    const line = new TextEncoder().encode(JSON.stringify({ sizes, files }));
    const length = new TextEncoder().encode(String(line.length).padStart(LENGTH_DIGITS, "0"));
    const stdin = [length, line, ...formats.flatMap(([, parts]) => parts)];
    const { head } = await this.#run(["write", String(isPassing)], {
      stdin,
      ...(signal && { signal }),
    });
    if (head.refused) throw unusable("macOS refuses the content");
    return head.version;
  }

  async #run(
    args: readonly string[],
    { timeoutMs = this.programs.timeoutMs, ...more }: {
      readonly timeoutMs?: number;
      readonly stdin?: Parts;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Answer> {
    const result = await runProgram({
      program: this.programs.find("osascript") ?? "osascript",
      args: ["-l", "JavaScript", "-e", CLIPBOARD_SCRIPT, ...args],
      timeoutMs,
      late: new ServiceError(
        "timed_out",
        `The program that owns the clipboard has not answered within ${timeoutMs} ms`,
      ),
      ...more,
    });
    if (result.code !== 0) throw unusable(`"osascript" ended with ${result.code}`);
    return readAnswer(result.bytes);
  }
}

function readAnswer(bytes: Uint8Array<ArrayBuffer>): Answer {
  const end = bytes.indexOf(LINE_FEED);
  try {
    const head = Head.parse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))));
    const contents = new Map<string, Uint8Array<ArrayBuffer>>();
    let at = end + 1;
    for (const [format, size] of Object.entries(head.sizes)) {
      contents.set(format, bytes.subarray(at, at + size));
      at += size;
    }
    return { head, contents };
  } catch (cause) {
    throw unusable(`"osascript" gave an answer of another kind`, cause);
  }
}

function countBytes(parts: Parts): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The clipboard has more than ${maxBytes} bytes in one format: --max-clipboard allows more`,
  );
}

function unusable(why: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `The clipboard cannot be used: ${why}`, { cause });
}
