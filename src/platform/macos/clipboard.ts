/** The clipboard of macOS: the general pasteboard, by a script for osascript. */

import { z } from "zod";
import { countBytes } from "../../core/bytes.ts";
import { ServiceError } from "../../core/errors.ts";
import { tooLarge } from "../linux/clipboard/typed_clipboard.ts";
import { TimedPasting } from "../timed_pasting.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardReading,
  Parts,
  Pasting,
  ReadClipboard,
} from "../types/mod.ts";
import { type Programs, runProgram } from "./programs.ts";

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
      ...parts("text"),
      ...parts("html"),
      ...parts("png"),
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
    if (head.refused) throw unusable("macOS refused the content");
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
        `The program that owns the clipboard did not respond within ${timeoutMs} ms`,
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
    throw unusable(`"osascript" returned an unexpected answer`, cause);
  }
}

function unusable(why: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `The clipboard cannot be used: ${why}`, { cause });
}

// The script for `osascript -l JavaScript` that reads and writes the general pasteboard. Contents pass
// through its standard input and output, never through arguments, which every user can see.

/**
 * `read <formats, JSON> <most bytes of each>` prints one line of JSON, and behind it the bytes of what
 * it lists under `sizes`, in that order. `write <isPassing>` takes the same from standard input.
 * `version` prints the line alone.
 * - `stringForType` converts every encoding; a screenshot is TIFF, which is converted to PNG (type 4).
 * - `org.nspasteboard.ConcealedType` keeps a content out of the history of clipboard managers.
 */
export const CLIPBOARD_SCRIPT = `
ObjC.import("AppKit");
const UTF8 = 4;
const PNG = 4;
const TYPES = { text: "public.utf8-plain-text", html: "public.html", png: "public.png" };
const board = $.NSPasteboard.generalPasteboard;

function utf8(text) {
  return $.NSString.stringWithString(text).dataUsingEncoding(UTF8);
}

function absent(value) {
  return value === undefined || value === null || (value.isNil && value.isNil());
}

function files() {
  const classes = $.NSArray.arrayWithObject($.NSURL);
  const options = $.NSDictionary.dictionaryWithObjectForKey(
    $.NSNumber.numberWithBool(true),
    "NSPasteboardURLReadingFileURLsOnlyKey",
  );
  const urls = board.readObjectsForClassesOptions(classes, options);
  if (absent(urls)) return [];
  const count = Number(urls.count);
  return Array.from({ length: count }, (_, i) => ObjC.unwrap(urls.objectAtIndex(i).path));
}

function dataOf(format) {
  if (format === "text") {
    const text = board.stringForType(TYPES.text);
    return absent(text) ? undefined : text.dataUsingEncoding(UTF8);
  }
  if (format === "files") {
    const paths = files();
    return paths.length === 0 ? undefined : utf8(JSON.stringify(paths));
  }
  const data = board.dataForType(TYPES[format]);
  if (!absent(data)) return data;
  if (format !== "png") return undefined;
  const tiff = board.dataForType("public.tiff");
  if (absent(tiff)) return undefined;
  const image = $.NSBitmapImageRep.imageRepWithData(tiff);
  if (absent(image)) return undefined;
  return image.representationUsingTypeProperties(PNG, $.NSDictionary.dictionary);
}

function read(formats, maxBytes) {
  const types = (ObjC.deepUnwrap(board.types) || []).map(String);
  const has = (...names) => names.some((name) => types.includes(name));
  const available = [
    ...(has(TYPES.text, "NSStringPboardType") ? ["text"] : []),
    ...(has(TYPES.html) ? ["html"] : []),
    ...(has(TYPES.png, "public.tiff") ? ["png"] : []),
    ...(has("public.file-url", "NSFilenamesPboardType") ? ["files"] : []),
  ];
  const sizes = {};
  const all = [];
  for (const format of formats.filter((each) => available.includes(each))) {
    const data = dataOf(format);
    if (absent(data)) continue;
    const size = Number(data.length);
    if (size > maxBytes) return print({ tooLarge: format });
    sizes[format] = size;
    all.push(data);
  }
  print({ types, available, sizes, version: Number(board.changeCount) }, all);
}

function write(isPassing) {
  const input = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
  const head = Number(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(
    input.subdataWithRange($.NSMakeRange(0, 10)), UTF8)));
  const line = ObjC.unwrap($.NSString.alloc.initWithDataEncoding(
    input.subdataWithRange($.NSMakeRange(10, head)), UTF8));
  const { sizes, files } = JSON.parse(line);
  const item = $.NSPasteboardItem.alloc.init;
  let at = 10 + head;
  for (const [format, size] of Object.entries(sizes)) {
    item.setDataForType(input.subdataWithRange($.NSMakeRange(at, size)), TYPES[format]);
    at += size;
  }
  if (isPassing) item.setDataForType(utf8("1"), "org.nspasteboard.ConcealedType");
  const objects = $.NSMutableArray.array;
  if (Object.keys(sizes).length > 0) objects.addObject(item);
  for (const path of files) objects.addObject($.NSURL.fileURLWithPath(path));
  board.clearContents;
  if (Number(objects.count) > 0 && !board.writeObjects(objects)) return print({ refused: true });
  print({ version: Number(board.changeCount) });
}

function print(head, all = []) {
  const out = $.NSFileHandle.fileHandleWithStandardOutput;
  out.writeData(utf8(JSON.stringify(head) + "\\n"));
  for (const data of all) out.writeData(data);
}

function run([what, ...rest]) {
  if (what === "read") read(JSON.parse(rest[0]), Number(rest[1]));
  else if (what === "write") write(rest[0] === "true");
  else print({ version: Number(board.changeCount) });
}
`;
