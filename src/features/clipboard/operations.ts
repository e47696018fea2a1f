/** Defines the clipboard operations as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { DisplayNumber } from "../fields.ts";
import { PathField } from "../filesystem/paths.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import {
  MAX_FILES,
  PersonsText,
  readClipboard,
  useClipboard,
  writeClipboard,
} from "./clipboard.ts";

const Format = z.enum(["text", "html", "png", "files"]);
/** Base64 has four characters for three bytes. */
const BASE64_LENGTH = (bytes: number) => 4 * Math.ceil(bytes / 3);
const NO_NUL = "^[^\\u0000]*$";

const ERRORS = {
  permission_denied: "The system does not allow the service to use the clipboard.",
  unsupported: "The service cannot use the clipboard of this display; the message says why.",
  unavailable:
    "The display or its clipboard is not available now, or too many clipboard operations are waiting.",
};

export function clipboardOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "clipboard", method: "POST", readOnly: false });
  // NUL is refused when the text is encoded, in pieces
  const Text = z.string().max(limits.maxClipboardBytes).meta({ pattern: NO_NUL }).optional();
  return [
    define({
      id: "getClipboard",
      long: true,
      path: "/api/clipboard/get",
      summary: "Get the content of the clipboard",
      description:
        "Reads the requested formats from the program that owns the content. `available` lists all formats that can be read, `types` the system's own names of the formats. " +
        "Bytes that are not valid UTF-8 become U+FFFD. Values of the keychain in `text`, `html` and `files` are replaced, unless the service runs with `--no-redact`.",
      readOnly: true,
      body: z.object({
        formats: z.array(Format).min(1).max(8).default(["text"]).describe(
          "The formats to read. Those that the content does not have are missing in the answer.",
        ),
        timeout_ms: z.int().min(1).max(limits.maxDurationMs).default(5_000).describe(
          "The maximum time for which the program that owns the content may send no data, in milliseconds.",
        ),
        display_num: DisplayNumber,
      }),
      answer: json(
        "The content of the clipboard; an empty clipboard has no formats.",
        z.object({
          available: z.array(Format).describe("The formats in which the content can be read."),
          types: z.array(z.string()).describe(
            "The system's names of all formats of the content, such as `text/html`; at most 256.",
          ),
          text: z.string().optional().describe("The text, if it was requested and is available."),
          html: z.string().optional().describe("The HTML, if it was requested and is available."),
          png: z.string().optional().describe(
            "The image as PNG in Base64, if it was requested and is available.",
          ),
          files: z.array(z.string()).optional().describe(
            "The paths of copied files, if they were requested and are available.",
          ),
          redaction_gap: z.string().optional().describe(
            "Present only if stored secrets may be in the content, because the keychain could not be read; says why.",
          ),
        }),
      ),
      errors: {
        ...ERRORS,
        conflict: "Another program replaced the content while it was read.",
        too_large:
          "The content is larger than 64 MiB, or on Linux the list of copied files than 1 MiB.",
        timed_out: "The program that owns the content did not respond in time.",
      },
      run: readClipboard,
    }),
    define({
      id: "setClipboard",
      path: "/api/clipboard/set",
      summary: "Set the content of the clipboard",
      description:
        "Replaces the content; a program that pastes chooses the format that suits it best. " +
        "On Linux the content stays there only while the service runs, unless a clipboard manager takes it over. Large content also needs `--max-body`.",
      body: z.object({
        text: Text.describe("The content as plain text."),
        html: Text.describe(
          "The content as HTML. Give `text`, too, for programs that accept only text.",
        ),
        png: z.string().max(BASE64_LENGTH(limits.maxClipboardBytes)).optional().describe(
          "The content as a PNG image, in Base64.",
        ),
        files: z.array(PathField("path of a file or folder")).min(1).max(MAX_FILES).optional()
          .describe(
            "The paths of existing files and folders, as if they had been copied in a file manager.",
          ),
        display_num: DisplayNumber,
      }).refine(
        ({ text, html, png, files }) => (text ?? html ?? png ?? files) !== undefined,
        "Give at least one of text, html, png and files",
      ).meta({ anyOf: ["text", "html", "png", "files"].map((name) => ({ required: [name] })) }),
      answer: noContent("The content is on the clipboard."),
      errors: {
        ...ERRORS,
        conflict: "Another program set the clipboard at the same time.",
        forbidden: "The request has `files`, and the group filesystem is disabled.",
        not_a_directory: "A component of a path in `files` is a file, not a folder.",
        not_found: "A file in `files` does not exist.",
        not_a_file: "A path in `files` leads through a loop of symbolic links.",
        permission_denied:
          "The system does not allow the service to use the clipboard, or the service lacks the permission for a file in `files`.",
        too_large: "The content is larger than 64 MiB.",
        timed_out: "A file system did not respond in time.",
      },
      uses: ({ files }) => files === undefined ? [] : ["filesystem"],
      run: (context, input) => {
        const { actor, session } = context;
        const { text, display_num } = input;
        if (actor.kind === "person" && text !== undefined) {
          session.use(PersonsText).note(session, display_num, text);
        }
        return writeClipboard(context, input);
      },
    }),
    define({
      id: "clearClipboard",
      path: "/api/clipboard/clear",
      summary: "Clear the clipboard",
      description: "Removes the content, whichever program owns it.",
      body: z.object({ display_num: DisplayNumber }),
      answer: noContent("The clipboard is empty."),
      errors: ERRORS,
      run: (context, { display_num }) =>
        useClipboard(
          context,
          display_num,
          "writing",
          (clipboard) => clipboard.clear(context.signal),
        ),
    }),
  ];
}

export const CLIPBOARD_EXAMPLES = {
  getClipboard: {
    body: { formats: ["text", "html"] },
    answer: {
      available: ["text", "html"],
      types: ["text/plain;charset=utf-8", "UTF8_STRING", "text/html"],
      text: "Grüße",
      html: "<b>Grüße</b>",
    },
  },
  setClipboard: { body: { text: "Grüße", html: "<b>Grüße</b>" } },
  clearClipboard: { body: { display_num: 1 } },
};
