/** Real text editors, checked by the file that they save. */

import { waitFor } from "../../support/wait.ts";
import { displayOf, inSession, openHome, type Place } from "./home.ts";
import { startProcess } from "./processes.ts";
import { savedFile } from "./saved_file.ts";
import { findXWindow, xdotool, type XWindow } from "./xwindow.ts";

export type EditorName = "mousepad" | "gnome-text-editor" | "featherpad";

export interface EditorOptions {
  /** What the file contains at first. Default: nothing. */
  readonly text?: string;
  /** The background of the text, as `#rrggbb`; in featherpad, which colours its text itself, of the tab. */
  readonly background?: string;
}

export interface Editor extends AsyncDisposable {
  readonly window: XWindow;
  /**
   * Saves by Ctrl+S (pressed by keycode, not by the service) and gives what the file then holds,
   * but for the line break that GNOME's editor ends every file with.
   */
  savedText(): Promise<string>;
}

interface EditorKind {
  /** The class of its windows. */
  readonly className: string;
  /** How it is started in a session; the file follows. */
  readonly command: readonly string[];
  /** What it ends every text with when it saves, but for an empty one. */
  readonly added?: string;
  /** Settings of GSettings that differ from what it comes with, as its keyfile has them. */
  readonly settings?: string;
}

const EDITORS: Readonly<Record<EditorName, EditorKind>> = {
  "mousepad": {
    className: "mousepad",
    command: ["mousepad", "--disable-server"],
    // kept from running after a save, it takes that for a change by another program, and asks in a
    // dialog that gets the next keys
    settings: "[org/xfce/mousepad/preferences/file]\nmonitor-changes=false\n",
  },
  "gnome-text-editor": {
    className: "text-editor",
    command: ["gnome-text-editor", "--standalone"],
    added: "\n",
  },
  "featherpad": { className: "featherpad", command: ["featherpad", "--standalone"] },
};

/** What a set-up that did not work is tried: programs that still load drop keys or put them elsewhere. */
const TRIES = 3;

/** Opens it with a file of its own, with the focus and the cursor at the start. */
export async function openEditor(
  place: Place,
  name: EditorName,
  options: EditorOptions = {},
): Promise<Editor> {
  for (let left = TRIES - 1;; left--) {
    try {
      return await openOnce(place, name, options);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function openOnce(
  place: Place,
  name: EditorName,
  { text = "", background }: EditorOptions,
): Promise<Editor> {
  const display = displayOf(place);
  const { className, command, added = "", settings } = EDITORS[name];
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const file = `${home.path}/document.txt`;
  await Deno.writeTextFile(file, text);
  const styled = background === undefined ? [] : await paint(home.path, background);
  const configured = settings === undefined ? {} : await configure(home.path, settings);
  const isQt = name === "featherpad";
  const [program, ...args] = inSession(place, [...command, ...(isQt ? styled : [])]);
  const started = opening.use(startProcess(program!, {
    args: [...args, file],
    env: { ...home.env(place), ...configured },
    log: `${home.path}/errors`,
  }));
  const window = await findXWindow(display, className).catch(async (cause) => {
    throw new Error(`${name} shows no window: ${await started.errors()}`, { cause });
  });
  await waitFor(async () => (await window.title()).includes("document.txt"), {
    what: `${name} to show the file`,
  });
  await window.focus();
  const savedText = async (timeoutMs = 20_000) => {
    const saved = await savedFile(display, file, { timeoutMs });
    if (saved === "") return saved;
    if (saved.endsWith(added)) return saved.slice(0, saved.length - added.length);
    throw new Error(`${name} saved ${JSON.stringify(saved)}`);
  };
  await waitUntilEditable(display, text, savedText);
  const open = opening.move();
  return {
    window,
    savedText: () => savedText(),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Writes the settings into a home; gives the variables by which GTK uses them. */
async function configure(home: string, settings: string): Promise<Record<string, string>> {
  const folder = `${home}/.config/glib-2.0/settings`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/keyfile`, settings);
  return { GSETTINGS_BACKEND: "keyfile" };
}

/** Writes the style sheets of a home; gives the arguments by which Qt uses one. */
async function paint(home: string, background: string): Promise<string[]> {
  const rule = `{ background: ${background}; }`;
  for (const folder of ["gtk-3.0", "gtk-4.0"]) {
    await Deno.mkdir(`${home}/.config/${folder}`, { recursive: true });
    const css = `textview, textview text ${rule}`;
    await Deno.writeTextFile(`${home}/.config/${folder}/gtk.css`, css);
  }
  await Deno.writeTextFile(`${home}/style.qss`, `QTabBar::tab ${rule}`);
  return ["-stylesheet", `${home}/style.qss`];
}

/**
 * Programs show a window before they have loaded the file, and then put the cursor where they want: a
 * space that they saved proves that they have. It is taken away again, wherever it is.
 */
async function waitUntilEditable(
  display: string,
  text: string,
  savedText: (timeoutMs: number) => Promise<string>,
): Promise<void> {
  const withSpaces = await waitFor(async () => {
    await xdotool(display, ["key", "ctrl+Home", "space"]);
    return await savedText(3_000);
  }, { what: "the editor to take input" });
  const before = withSpaces.length - withSpaces.trimStart().length;
  const after = Math.max(0, withSpaces.length - text.length - before);
  const deletions = [
    ...["ctrl+End", ...new Array(after).fill("BackSpace")],
    ...["ctrl+Home", ...new Array(before).fill("Delete")],
  ];
  await xdotool(display, ["key", ...deletions]);
  const now = await savedText(20_000);
  if (now !== text) throw new Error(`The editor holds ${JSON.stringify(now)} before the test`);
}
