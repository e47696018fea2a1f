/** How the programs of local tasks are started, and ended so that they write their settings. */

import { join } from "node:path";
import { officeSettings } from "../../real_programs/support/office_settings.ts";
import { isOnPath } from "../../support/test_if.ts";
import { writeProgram } from "../../support/written_program.ts";
import type { LocalApp } from "./local_task.ts";
import { FOLDER } from "./packages.ts";

/** What is free on this computer. */
export interface Ports {
  /** Of the browser, for `browser/*`. */
  readonly browser: number;
  /** Of VLC, by which OSWorld's evaluators ask what it plays. */
  readonly player: number;
}

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  /** A part of the title of its window. */
  readonly title: string;
  /** Path in the home folder -> text of files that it reads. */
  readonly files?: Readonly<Record<string, string>>;
  /** The keys that end it; without them it ends by a signal. */
  readonly endKeys?: string;
}

type Start = (home: string, ports: Ports) => ProgramStart | Promise<ProgramStart>;

/** Where OSWorld's evaluators look for Chromium's settings: in the home folder. */
export const BROWSER_PROFILE = "snap/chromium/common/chromium";
const SLIDES = "Desktop/slides.fodp";
const OFFICE_SETTINGS = ".config/libreoffice/4/user/registrymodifications.xcu";

export const PROGRAMS: Readonly<Record<LocalApp, Start>> = {
  browser: (home, { browser }) => ({
    program: "chromium",
    args: [
      ...[`--user-data-dir=${home}/${BROWSER_PROFILE}`, `--remote-debugging-port=${browser}`],
      ...["--no-first-run", "--no-default-browser-check", "--password-store=basic", "--lang=en"],
      ...["--disable-dev-shm-usage", "--disable-gpu", "--force-renderer-accessibility"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-quic"],
      ...(isRoot() ? ["--no-sandbox", "--test-type"] : []), // Chromium refuses to start otherwise
      "about:blank", // the page of new tabs may come only when the next address is typed already
    ],
    title: "Chromium",
  }),
  impress: (home) => ({
    program: "loimpress",
    args: ["--norestore", "--nologo", "--nofirststartwizard", `${home}/${SLIDES}`],
    title: "LibreOffice Impress",
    files: { [OFFICE_SETTINGS]: officeSettings(OFFICE), [SLIDES]: EMPTY_SLIDES },
  }),
  player: async (_, { player }) => ({
    program: await playerProgram(),
    args: [
      ...["--no-qt-privacy-ask", "--no-metadata-network-access"],
      ...["--extraintf", "http", "--http-host", "127.0.0.1", "--http-port", `${player}`],
      ...["--http-password", "password"],
    ],
    title: "VLC media player",
  }),
  pictures: () => ({
    program: "gimp",
    args: ["--no-splash"],
    title: "GNU Image Manipulation Program",
    endKeys: "ctrl+q",
  }),
  terminal: () => ({
    program: "xfce4-terminal",
    args: ["--disable-server"],
    title: "Terminal",
  }),
};

const OFFICE = [
  // the panel of the slides is closed: a task is to open it
  ["org.openoffice.Office.Impress/MultiPaneGUI/SlideSorterBar/Visible", "ImpressView", "false"],
] as const;

/** A presentation of one slide: a new one would have a choice of templates in front of it. */
const EMPTY_SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"
  xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0">
<office:body><office:presentation><draw:page draw:name="One"/></office:presentation></office:body>
</office:document>`;

/** Keeps the settings of Xfce's programs. */
const XFCONFD = [
  "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd",
  "/usr/lib/aarch64-linux-gnu/xfce4/xfconf/xfconfd",
];
/** What programs need without starting it: each by one of its paths. */
const NEEDED = [
  XFCONFD,
  ["/usr/share/glib-2.0/schemas/org.gnome.shell.gschema.xml"],
  ["/usr/share/glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml"],
  [ // by which GIMP tells assistive technology what it shows
    "/usr/lib/x86_64-linux-gnu/gtk-2.0/modules/libatk-bridge.so",
    "/usr/lib/aarch64-linux-gnu/gtk-2.0/modules/libatk-bridge.so",
  ],
];

/** What the tasks start, beside the browser. */
const STARTED = [
  "vlc",
  "gimp",
  "xfce4-terminal",
  "xterm",
  "loimpress",
  "ffmpeg",
  "gsettings",
  "gio",
];

/** What is not on this computer, of what programs do not name themselves, and of the programs. */
export function missingPrograms(): readonly string[] {
  return [...NEEDED.filter((paths) => !paths.some(isOnPath)).map(([path]) => path!), ...STARTED]
    .filter((path) => !isOnPath(path));
}

/** @throws Error when something is missing */
export function checkNeeded(): void {
  const missing = missingPrograms();
  if (missing.length === 0) return;
  throw new Error(`Missing: ${missing.join(", ")} (deno task setup --for strangers)`);
}

/** The program that is there. */
export function settingsKeeper(): string {
  return XFCONFD.find(isOnPath)!;
}

function isRoot(): boolean {
  return Deno.uid() === 0;
}

/** VLC refuses to run as root; a copy of it asks for another id than the user's, as in containers. */
async function playerProgram(): Promise<string> {
  if (!isRoot()) return "vlc";
  const path = join(FOLDER, "vlc");
  const program = await Deno.readFile("/usr/bin/vlc");
  await Deno.mkdir(FOLDER, { recursive: true });
  const made = `${path}.new`; // one that runs cannot be written to
  await writeProgram(made, replaceText(program, "geteuid", "getppid"));
  await Deno.rename(made, path);
  return path;
}

/** @param to as long as what it replaces */
function replaceText(bytes: Uint8Array, from: string, to: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder("latin1").decode(bytes);
  const replaced = Uint8Array.from(bytes);
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
    replaced.set(new TextEncoder().encode(to), at);
  }
  return replaced;
}
