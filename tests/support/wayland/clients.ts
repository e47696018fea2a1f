/** Real programs that text is typed into: each says what it has got, by a file or its own output. */

import type { RealProcess } from "../../real_programs/support/processes.ts";
import { waitFor } from "../wait.ts";
import { START_MS } from "./compositors.ts";
import type { WaylandDesktop } from "./desktop.ts";
import { giveToDesktopUser } from "./user.ts";

export const TEXT_CLIENTS = ["zenity", "foot", "gnome-text-editor", "featherpad"] as const;
export type TextClientName = typeof TEXT_CLIENTS[number];

/** By which programs of Qt open their windows on Wayland; without it they look for an X server. */
const QT_PLUGIN = {
  x86_64: "/usr/lib/x86_64-linux-gnu/qt5/plugins/platforms/libqwayland-generic.so",
  aarch64: "/usr/lib/aarch64-linux-gnu/qt5/plugins/platforms/libqwayland-generic.so",
}[Deno.build.arch];

/** What must be installed for them. */
export const NEEDED_BY_CLIENTS: readonly string[] = [...TEXT_CLIENTS, QT_PLUGIN];

/** Calls an operation of the service, which must succeed: `press("keyboard/key", { key: "a" })`. */
export type Press = (operation: string, body: Record<string, unknown>) => Promise<unknown>;

export interface TextClient extends AsyncDisposable {
  readonly pid: number;
  /** Whether its field has one line, which Enter would end. */
  readonly isOneLine: boolean;
  /** What it has got; for `expected` it waits, and then gives what is there. */
  received(expected: string): Promise<string>;
}

/** Resolves when it takes keys; it has the focus and holds no text. */
export async function openTextClient(
  desktop: WaylandDesktop,
  name: TextClientName,
  press: Press,
): Promise<TextClient> {
  const folder = `${desktop.home}/${name}-${crypto.randomUUID()}`;
  await Deno.mkdir(folder);
  await giveToDesktopUser(folder);
  return await CLIENTS[name](desktop, folder, press);
}

type Open = (desktop: WaylandDesktop, folder: string, press: Press) => Promise<TextClient>;

const CLIENTS: Readonly<Record<TextClientName, Open>> = {
  zenity: openEntry,
  foot: openTerminal,
  "gnome-text-editor": (...at) => openEditor(["gnome-text-editor", "--standalone"], ...at),
  featherpad: (...at) => openEditor(["featherpad", "--standalone"], ...at),
};

/** GTK 3: prints its text when Enter is pressed. */
async function openEntry(
  desktop: WaylandDesktop,
  folder: string,
  press: Press,
): Promise<TextClient> {
  const output = `${folder}/output`;
  const program = startVisible(desktop, ["zenity", "--entry", "--text", "under test"], output);
  await program.visible;
  return {
    pid: program.pid,
    isOneLine: true,
    async received() {
      if (!program.running()) {
        throw new Error(`zenity has ended: ${(await program.errors()).slice(-2_000)}`);
      }
      await press("keyboard/key", { key: "enter" });
      await waitFor(() => !program.running(), { what: "zenity to end at Enter" });
      return (await Deno.readTextFile(output)).replace(/\n$/, "");
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Its program writes every byte that it gets into a file. */
async function openTerminal(desktop: WaylandDesktop, folder: string): Promise<TextClient> {
  const file = `${folder}/received`;
  const script = `stty -echo -icanon -isig -ixon -icrnl min 1; exec cat > '${file}'`;
  const program = startVisible(desktop, ["foot", "sh", "-c", script]);
  await program.visible;
  await waitFor(() => Deno.statSync(file).isFile, {
    ...{ what: "the program in the terminal", timeoutMs: START_MS },
  });
  return {
    pid: program.pid,
    isOneLine: false,
    async received(expected) {
      const read = async () => (await Deno.readTextFile(file)).replaceAll("\r", "\n"); // of Enter
      await waitFor(async () => await read() === expected).catch(() => {});
      return await read(); // the comparison says more than a time limit
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Checked by the file that it saves, but for the line break that GNOME's editor ends each with. */
async function openEditor(
  command: readonly string[],
  desktop: WaylandDesktop,
  folder: string,
  press: Press,
): Promise<TextClient> {
  const file = `${folder}/document.txt`;
  await Deno.writeTextFile(file, "");
  await giveToDesktopUser(file);
  const program = startVisible(desktop, [...command, file]);
  await program.visible;
  const read = async () => (await Deno.readTextFile(file)).replace(/\n$/, "");
  const save = () => press("keyboard/key", { key: "ctrl+s" });
  // it shows a window before it takes input: a space that it saved proves that it does
  await waitFor(async () => {
    await press("keyboard/key", { key: "space" });
    await save();
    return await waitFor(async () => (await read()) !== "", { timeoutMs: 1_000 });
  }, { what: `${command[0]} to take input`, timeoutMs: START_MS });
  await press("keyboard/key", { key: "ctrl+a" });
  await press("keyboard/key", { key: "delete" });
  return {
    pid: program.pid,
    isOneLine: false,
    async received(expected) {
      const isSaved = async () => {
        await save();
        return await waitFor(async () => await read() === expected, { timeoutMs: 1_000 });
      };
      await waitFor(isSaved).catch(() => {});
      return await read(); // the comparison says more than a time limit
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Starts a program that reports what the compositor tells it. */
function startVisible(
  desktop: WaylandDesktop,
  [program, ...args]: readonly string[],
  output?: string,
): RealProcess & { readonly visible: Promise<unknown> } {
  const started = desktop.start(program!, args, {
    env: { WAYLAND_DEBUG: "client" },
    ...(output === undefined ? {} : { output }),
  });
  const isVisible = async () => {
    if (!started.running()) throw new Error(`${program} has ended: ${await started.errors()}`);
    return /wl_surface@\d+\.enter\(wl_output/.test(await started.errors());
  };
  const visible = waitFor(isVisible, {
    ...{ what: `the window of ${program}`, timeoutMs: START_MS, everyMs: 30 },
  });
  visible.catch(() => {}); // reported to those who wait for it
  return { ...started, visible };
}
