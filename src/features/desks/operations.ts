/** Defines the operations on desks as data. */

import { z } from "zod";
import { IN_SHELL, splitWords } from "../../core/texts.ts";
import { FieldError, InputError, tryTo } from "../../core/errors.ts";
import { addMember } from "../../core/shared_run.ts";
import type { Context } from "../context.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import { Desks, type DeskState, type OpenDesk } from "./desks.ts";
import { DeskName, meantDesk } from "../on_desk.ts";

const MIN_SIDE = 64;
const MAX_SIDE = 8_192;
const MAX_OPEN = 4_096;
const MIB = 1_024 * 1_024;

const Size = z.object({
  width: z.int().min(MIN_SIDE).max(MAX_SIDE),
  height: z.int().min(MIN_SIDE).max(MAX_SIDE),
});

const DeskEntry = z.object({
  name: DeskName.describe("The name by which operations take it, as `desk`."),
  display: z.string().describe("The system's name of its display: `:100`."),
  size: Size.describe("The size of its display, in pixels."),
  wayland: z.boolean().describe("`true` if its display is one of Wayland, `false` if of X11."),
  folder: z.string().describe(
    "The home of its programs, and the folder in which its commands start. It is removed with the desk.",
  ),
  downloads: z.string().describe("The folder for downloads of its browser."),
  ready: z.boolean().describe("`true` if its display can be used now."),
  reason: z.string().describe("The reason, in one sentence."),
  programs: z.int().describe("The number of programs that run on it."),
  memory_mib: z.int().describe(
    "The memory that these programs have for themselves, without that of the display, in MiB.",
  ),
  by: z.string().describe("The name of the token that made it."),
  created: z.string().describe("When it was made, in ISO 8601."),
});

const CreateBody = z.object({
  name: DeskName.describe("A new name for it."),
  size: Size.default({ width: 1280, height: 800 }).describe("The size of its display, in pixels."),
  wayland: z.boolean().default(false).describe(
    "If true, its display is one of Wayland (sway), where programs of X do not run; if false, of X11.",
  ),
  login: DeskName.optional().describe(
    "A login that `browser/state/save` has saved: its browser is started and signed in by it.",
  ),
  open: z.string().min(1).max(MAX_OPEN).optional().describe(
    "A program to start there, with its arguments, as in `xterm -e top`; the answer comes when its window is open.",
  ),
});

export function deskOperations(): readonly Operation[] {
  const define = definingWith({ group: "desk", method: "POST", readOnly: false });
  return [
    define({
      id: "createDesk",
      long: true,
      path: "/api/desk/create",
      summary: "Make a desk",
      description:
        "A desk is a desktop of its own: a virtual display with a window manager, buses for its programs, a clipboard, a browser with its own profile, and a home for its programs. " +
        "Operations that take `desk` run there; commands have the variables of the desk. It ends with `desk/delete` or with the service. Programs on it have the rights of the service's user: it keeps desks apart, and is no sandbox.",
      body: CreateBody,
      answer: json("The desk is ready.", DeskEntry),
      errors: {
        conflict:
          "There is already a desk of this name, it was deleted meanwhile, or the program to open has ended without a window.",
        forbidden: "The program may not be opened, or a person has refused it.",
        unsupported: "This system cannot have desks.",
        unavailable: "There are too many desks, or the display does not start.",
        not_found: "There is no such program to open, or no such login.",
        timed_out: "The browser did not take the login in time.",
        permission_denied: "The program to open cannot be started, or no folder can be made.",
      },
      run: createDesk,
    }),
    define({
      id: "listDesks",
      method: "GET",
      readOnly: true,
      path: "/api/desk/list",
      summary: "List the desks",
      description: "A token of one desk gets that one only.",
      answer: json("The desks, the oldest first.", z.array(DeskEntry)),
      run: async ({ session, actor }) =>
        (await session.use(Desks).list(meantDesk(actor, undefined))).map(describe),
    }),
    define({
      id: "deleteDesk",
      long: true,
      path: "/api/desk/delete",
      summary: "Delete a desk",
      description:
        "Ends what runs there, its programs and its display, and removes its folder with the recordings of the desk. What others were doing there is answered with 409.",
      body: z.object({ name: DeskName.describe("The name of the desk.") }),
      answer: noContent("Nothing of the desk is left."),
      errors: { not_found: "There is no such desk." },
      run: ({ session }, { name }) => session.use(Desks).delete(name),
    }),
  ];
}

async function createDesk(
  context: Context,
  { open, login, ...wanted }: z.output<typeof CreateBody>,
): Promise<z.output<typeof DeskEntry>> {
  const program = open === undefined ? undefined : readProgram(context, open);
  const desks = context.session.use(Desks);
  const desk = await desks.create(context, wanted);
  const { signal, passage } = context;
  using running = passage && addMember(desk.running, passage); // who deletes the desk ends this, too
  try {
    if (login !== undefined) await callOn(desk, context, "browser.state.load", { name: login });
    if (program !== undefined) await callOn(desk, context, "window.open", program);
    const state = await desks.stateOf(desk);
    signal.throwIfAborted(); // nobody knows of it
    return describe(state);
  } catch (error) {
    running?.[Symbol.dispose]();
    await desks.remove(desk);
    throw error;
  }
}

/** By the operation for that, which is checked, noted and waits for approval by itself. */
async function callOn(
  desk: OpenDesk,
  { calls, actor, signal, requestId }: Context,
  name: string,
  fields: object,
): Promise<void> {
  const prepared = calls.within(desk).prepare(name, { ...fields, desk: desk.name });
  await prepared.run({ actor, signal, requestId, isPart: true });
}

/**
 * The fields of `window/open`, which checks them.
 * @throws FieldError for a quote that is not closed, and for what no program can get; ServiceError `forbidden`
 */
function readProgram({ calls }: Context, open: string): object {
  const [program, ...args] = tryTo(() => splitWords(open, IN_SHELL)) ?? [];
  try {
    calls.prepare("window.open", { program, args });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new FieldError(
      "open",
      "Input should be a program with its arguments, as a shell reads them",
    );
  }
  return { program, args };
}

function describe({ desk, ready, reason, programs }: DeskState): z.output<typeof DeskEntry> {
  const { name, wanted: { size, wayland }, folder: { path }, by, created, platform } = desk;
  return {
    name,
    display: platform.virtual.display,
    size: { ...size },
    wayland,
    folder: path,
    downloads: `${path}/Downloads`,
    ready,
    reason,
    programs: programs.count,
    memory_mib: Math.round(programs.bytes / MIB),
    by,
    created: created.toISOString(),
  };
}

const DESK = {
  name: "alice",
  display: ":100",
  size: { width: 1280, height: 800 },
  wayland: false,
  folder: "/home/ada/.local/state/computer-control/desks/desk-1a2b3c4d",
  downloads: "/home/ada/.local/state/computer-control/desks/desk-1a2b3c4d/Downloads",
  ready: true,
  reason: 'Display 1 is ":100", 1280x800',
  programs: 1,
  memory_mib: 9,
  by: "main",
  created: "2026-03-09T14:05:11.123Z",
};

export const DESK_EXAMPLES = {
  createDesk: { body: { name: "alice", open: "xterm" }, answer: DESK },
  listDesks: { answer: [DESK] },
  deleteDesk: { body: { name: "alice" } },
};
