/** Defines the operations on windows as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { WindowChange } from "../../platform/types/mod.ts";
import { ScreenshotFields } from "../display/fields.ts";
import { DisplayNumber } from "../fields.ts";
import { PathField } from "../filesystem/paths.ts";
import {
  defineOperation,
  definingWith,
  DISPLAY_ERRORS,
  json,
  type Operation,
} from "../operation.ts";
import { openWithWindow } from "./open_program.ts";
import {
  findActiveWindow,
  listWindows,
  NAMING,
  SEEING,
  WindowEntry,
  WindowIdField,
} from "./window_answer.ts";
import { takeWindowScreenshot, WINDOW_PICTURE } from "./window_screenshot.ts";
import { type ChangeInput, changeWindow } from "./change_window.ts";

const DEFAULT_OPEN_TIMEOUT_MS = 10_000;
const MAX_ARGS = 1_000;
/** The longest argument that Linux passes on, in bytes. */
const MAX_WORD = 128 * 1024 - 1;
const MAX_URL = 8_192;
/** A scheme of two letters or more: one letter is a drive of Windows. */
const URL_PATTERN = "^[A-Za-z][A-Za-z0-9+.-]+:[^\\u0000-\\u0020]+$";
const NO_NUL = "^[^\\u0000]*$";

const Word = z.string().max(MAX_WORD).meta({ pattern: NO_NUL }).refine(
  (word) => !word.includes("\0"),
  "Argument should not contain a NUL character",
);

const PictureFields =
  (({ max_width, max_height, max_edge, enlarge, fit, cursor, format, quality }) => ({
    max_width,
    max_height,
    max_edge,
    enlarge,
    fit,
    cursor,
    format,
    quality,
  }))(ScreenshotFields);

export function windowOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "window", method: "GET", readOnly: true, errors: SEEING });
  return [
    define({
      id: "listWindows",
      path: "/api/window/list",
      summary: "List the windows",
      description:
        "The windows of the window manager on all desktops, topmost first if the order is known; without a window manager, the visible ones. Menus and tooltips are not included. X11 returns at most the topmost 1,000, and the first 1,024 bytes of each title.",
      query: z.object({ display_num: DisplayNumber }),
      answer: json("One entry for each window.", z.array(WindowEntry)),
      run: listWindows,
    }),
    define({
      id: "getActiveWindow",
      path: "/api/window/active",
      summary: "Get the window with the keyboard focus",
      query: z.object({ display_num: DisplayNumber }),
      answer: json("The window; `null` if none has the keyboard focus.", WindowEntry.nullable()),
      run: findActiveWindow,
    }),
    ...changeOperations(limits),
    define({
      id: "takeWindowScreenshot",
      path: "/api/window/screenshot",
      summary: "Take a screenshot of one window",
      description:
        "The picture shows the part of its `frame` that is on the screen, even if other windows cover it (on X11 with the Composite extension; elsewhere a covered window is 409). " +
        "`X-Frame` is the id of the picture, which operations with coordinates accept as `frame`; but what they click may be covered on the screen.",
      large: true,
      query: z.object({ id: WindowIdField, ...PictureFields, display_num: DisplayNumber }),
      answer: WINDOW_PICTURE,
      errors: {
        ...DISPLAY_ERRORS,
        forbidden: "The group display is disabled.",
        not_found: NAMING.not_found,
        conflict:
          "The window is minimized, on another desktop or off the screen, was closed or resized in the meantime, or is covered and the system cannot capture it separately.",
        too_large: "The file cannot be made that small.",
      },
      uses: () => ["display"],
      run: takeWindowScreenshot,
    }),
    define({
      id: "openWindow",
      long: true,
      method: "POST",
      path: "/api/window/open",
      summary: "Start a program, or open a file or a URL",
      description:
        "`program` runs with `args` as they are, without a shell; `path` and `url` are opened by the desktop's default program (`xdg-open`, `open`, or the Windows shell). " +
        "The program is one of the service's managed processes: `bash/process/{pid}/output` has its output, `DELETE bash/process/{pid}` ends it, and it ends with the service. " +
        "The window is the first new one of its processes, or, if the started process has ended because it handed over to a running program, the first new one of any process.",
      readOnly: false,
      body: z.object({
        program: Word.min(1).optional().describe(
          "The program: a name that is searched in PATH, or a path.",
        ),
        args: z.array(Word).max(MAX_ARGS).optional().describe(
          'The arguments of `program`. On Windows, those for a batch file must not contain `"`, `%` or line breaks.',
        ),
        path: PathField("path of the file or folder to open").optional(),
        url: z.string().max(MAX_URL).meta({ pattern: URL_PATTERN }).refine(
          (url) => new RegExp(URL_PATTERN).test(url),
          "URL should begin with a scheme, such as https:, and have no spaces or control characters",
        ).optional().describe("The URL to open, such as `https://example.org/`."),
        wait_for_window: z.boolean().default(true).describe(
          "If false, the call returns as soon as the program has been started.",
        ),
        timeout_ms: z.int().min(0).max(limits.maxDurationMs)
          .default(Math.min(DEFAULT_OPEN_TIMEOUT_MS, limits.maxDurationMs))
          .describe("The maximum time to wait for the window, in milliseconds."),
        display_num: DisplayNumber,
      }).refine(
        ({ program, path, url }) =>
          [program, path, url].filter((one) => one !== undefined).length === 1,
        "Give exactly one of program, path and url",
      ).refine(
        ({ program, args }) => args === undefined || program !== undefined,
        "Arguments require a program",
      ).meta({
        oneOf: ["program", "path", "url"].map((name) => ({ required: [name] })),
        dependentRequired: { args: ["program"] },
      }),
      answer: json(
        "The program was started; its window is open if `window` is not null, and has the keyboard focus if `active` is true.",
        z.object({
          process_id: z.int().describe("The process that was started."),
          window: WindowEntry.nullable().describe(
            "Its window; `null` if none opened in time, for example because a running program opened the file in an existing window, or if the call did not wait.",
          ),
          active: z.boolean().describe(
            "`true` if the window has the keyboard focus, so that it receives what is typed next.",
          ),
          reason: z.string().max(200).optional().describe(
            "Present only if `active` is false: the reason, and what to do.",
          ),
        }),
      ),
      errors: {
        ...SEEING,
        forbidden: "The group bash is disabled, or the group filesystem for a `path`.",
        not_found: "There is no such program or file.",
        not_a_directory: "A component of `path` is a file, not a folder.",
        not_a_file: "The path leads through a loop of symbolic links.",
        permission_denied:
          "The user who runs the service lacks the permission to run the program or read the file.",
        conflict:
          "The program ended with an error before opening a window, or `bash/restart` dropped it.",
        too_large: "The program and its arguments are longer than the system allows.",
        timed_out: "A file system did not respond in time.",
        unavailable:
          "The display is not available now, or too many commands are running or waiting.",
      },
      uses: ({ path, url }) =>
        path !== undefined || url?.toLowerCase().startsWith("file:")
          ? ["bash", "filesystem"]
          : ["bash"],
      run: openWithWindow,
    }),
  ];
}

const WINDOW = {
  id: "0x3a00007",
  title: "report.txt - Mousepad",
  app: "Mousepad",
  pid: 4_711,
  bounds: { x: 101, y: 72, width: 640, height: 480 },
  frame: { x: 100, y: 50, width: 642, height: 507 },
  desktop: 0,
  states: ["active"],
};
const CHANGED = { body: { id: WINDOW.id }, answer: { result: "confirmed", window: WINDOW } };
const MINIMIZED = { ...WINDOW, states: ["minimized"] };
const MAXIMIZED = {
  ...WINDOW,
  bounds: { x: 0, y: 21, width: 1_280, height: 779 },
  frame: { x: 0, y: 0, width: 1_280, height: 800 },
  states: ["active", "maximized"],
};

export const WINDOW_EXAMPLES = {
  listWindows: { query: { display_num: 1 }, answer: [WINDOW] },
  getActiveWindow: { query: { display_num: 1 }, answer: WINDOW },
  focusWindow: CHANGED,
  moveWindow: { ...CHANGED, body: { id: WINDOW.id, x: 100, y: 50 } },
  resizeWindow: { ...CHANGED, body: { id: WINDOW.id, width: 642, height: 507 } },
  minimizeWindow: { ...CHANGED, answer: { result: "confirmed", window: MINIMIZED } },
  maximizeWindow: { ...CHANGED, answer: { result: "confirmed", window: MAXIMIZED } },
  restoreWindow: CHANGED,
  takeWindowScreenshot: { query: { id: WINDOW.id, format: "jpeg", max_width: 800 } },
  openWindow: {
    body: { program: "mousepad", args: ["/home/ada/report.txt"] },
    answer: { process_id: 4_711, window: WINDOW, active: true },
  },
  closeWindow: { ...CHANGED, answer: { result: "confirmed", window: null } },
};

// The operations that change a window.

/** What an X server can place. */
const MAX_COORDINATE = 32_767;
const CHANGE_MS = 2_000;
const CLOSE_TIMEOUT_MS = 5_000;

const Changed = z.object({
  result: z.enum(["confirmed", "adjusted", "unverified"]).describe(
    "`confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened.",
  ),
  window: WindowEntry.nullable().describe("The window as it is now; `null` once it has closed."),
});

type Kind = WindowChange["kind"];

interface ChangeOptions<K extends Kind = Kind> {
  readonly verb: K;
  readonly summary: string;
  readonly description?: string;
  readonly refusal: string;
  readonly timeoutMs?: number;
}

function changeOperations(limits: Limits): readonly Operation[] {
  function changing<B extends z.ZodRawShape>(
    { verb, summary, description, refusal, timeoutMs = CHANGE_MS }: ChangeOptions,
    more: B,
    toChange: (input: z.output<z.ZodObject<B>>) => WindowChange,
  ): Operation {
    return defineOperation({
      group: "window",
      id: `${verb}Window`,
      long: true,
      method: "POST",
      path: `/api/window/${verb}`,
      summary,
      ...(description === undefined ? {} : { description }),
      readOnly: false,
      body: z.object({
        id: WindowIdField,
        timeout_ms: z.int().min(0).max(limits.maxDurationMs)
          .default(Math.min(timeoutMs, limits.maxDurationMs))
          .describe("The maximum time to wait for the effect, in milliseconds."),
        display_num: DisplayNumber,
        ...more,
      }),
      answer: json("The window is open as `window` says, or has been closed.", Changed),
      errors: { ...NAMING, conflict: refusal },
      run: (context, input) =>
        changeWindow(
          context,
          input as unknown as ChangeInput,
          toChange(input as z.output<z.ZodObject<B>>),
        ),
    });
  }

  const plain = (options: ChangeOptions<Exclude<Kind, "move" | "resize">>) =>
    changing(options, {}, () => ({ kind: options.verb }));

  const ended = "or `system/release-all` ended the operation.";
  return [
    plain({
      verb: "focus",
      summary: "Bring a window to the front",
      description:
        "Gives it the keyboard focus, restores it if it was minimized, and switches to its desktop. Is queued with the input operations.",
      refusal: `The window did not get the keyboard focus, ${ended}`,
    }),
    changing(
      {
        verb: "move",
        summary: "Move a window",
        description: "Puts the top left corner of its `frame` at a point.",
        refusal: `The window has not moved, for example because it is maximized, ${ended}`,
      },
      {
        x: Coordinate("The left edge of the `frame`, in pixels of the display."),
        y: Coordinate("The top edge of the `frame`, in pixels of the display."),
      },
      ({ x, y }) => ({ kind: "move", to: { x, y } }),
    ),
    changing(
      {
        verb: "resize",
        summary: "Resize a window",
        description:
          "Sets the size of its `frame`. Programs can refuse it, or choose a similar one: the answer has the actual size.",
        refusal: `The window keeps its size, ${ended}`,
      },
      {
        width: Edge("The width of the `frame`, in pixels."),
        height: Edge("The height of the `frame`, in pixels."),
      },
      ({ width, height }) => ({ kind: "resize", width, height }),
    ),
    plain({
      verb: "minimize",
      summary: "Minimize a window",
      refusal: `The window was not minimized, ${ended}`,
    }),
    plain({
      verb: "maximize",
      summary: "Maximize a window",
      refusal: `The window was not maximized, ${ended}`,
    }),
    plain({
      verb: "restore",
      summary: "Restore a window",
      description:
        "Restores a minimized window to its previous state; any other gets the size that it had before it was maximized or fullscreen.",
      refusal: `The window has not changed, ${ended}`,
    }),
    plain({
      verb: "close",
      summary: "Close a window",
      description:
        "Requests its program to close it, as its close button does; the program may first ask whether to save. No process is killed.",
      refusal:
        "The window is still open; the message names windows that have opened since, such as a dialog.",
      timeoutMs: CLOSE_TIMEOUT_MS,
    }),
  ];
}

function Coordinate(meaning: string) {
  return z.int().min(-MAX_COORDINATE).max(MAX_COORDINATE).describe(meaning);
}

function Edge(meaning: string) {
  return z.int().min(1).max(MAX_COORDINATE).describe(meaning);
}
