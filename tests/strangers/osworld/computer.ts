/**
 * A computer as OSWorld's own client uses it: the routes of `desktop_env/controllers/*.py` of desktop-env 1.0.2, answered
 * by this service (`--compat osworld`) or by OSWorld's own server.
 */

import { startAccessibleSession } from "../../real_programs/support/accessible_session.ts";
import { startProcess } from "../../real_programs/support/processes.ts";
import { type RunningCommand, startCommand } from "../../support/command.ts";
import { isOnPath, succeeds } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { serverEnv } from "./packages.ts";

export interface OsworldComputer {
  /** Where the files of tasks are put on it. */
  readonly folder: string;
  upload(path: string, content: Uint8Array<ArrayBuffer>): Promise<void>;
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Starts a program, and does not wait for its end. */
  launch(command: readonly string[]): Promise<void>;
  /** Runs a program to its end. */
  execute(command: readonly string[]): Promise<Executed>;
  /**
   * Runs lines of Python with `pyautogui`; they must end well.
   * @param window a part of the title of a window that is to be there afterwards
   */
  perform(lines: readonly string[], window?: string): Promise<void>;
  /** Waits until there is a window with that in its title. */
  waitForWindow(title: string, seconds: number): Promise<void>;
  /** Brings it to the front. */
  activate(title: string): Promise<void>;
  /** A PNG file. */
  screenshot(): Promise<Uint8Array<ArrayBuffer>>;
  /** What all programs tell assistive technology, as XML. */
  tree(): Promise<string>;
  screenSize(): Promise<Size>;
  /** @param app the class of the window's program */
  windowSize(app: string): Promise<Size>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Executed {
  readonly output: string;
  readonly error: string;
  readonly returncode: number;
}

/** As `PythonController` begins what it sends. */
const PREFIX = "import pyautogui; import time; pyautogui.FAILSAFE = False; ";
/** How long a window that keys have opened may take to come, in seconds. */
const WINDOW_SECONDS = 30;
const LOOK_SECONDS = 0.2;
/** Above the time limit of the server's commands, in milliseconds. */
const REQUEST_MS = 150_000;
/** Characters of what an answer or a script says. */
const MOST_SHOWN = 500;

/** @param folder where the files of tasks are put, which is made with the first one */
export function osworldAt(address: string, folder: string): OsworldComputer {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(address + path, {
      ...init,
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    if (response.ok) return response;
    const text = (await response.text()).slice(0, MOST_SHOWN);
    throw new Error(`${path} answered ${response.status}: ${text}`);
  }

  async function sendJson(path: string, body: object): Promise<string> {
    const headers = { "content-type": "application/json" };
    return await (await send(path, { method: "POST", headers, body: JSON.stringify(body) })).text();
  }

  async function execute(command: readonly string[]): Promise<Executed> {
    return JSON.parse(await sendJson("/execute", { command, shell: false }));
  }

  async function executeUntil(
    command: readonly string[],
    window: string,
    seconds: number,
  ): Promise<Executed> {
    const text = await sendJson("/setup/execute_with_verification", {
      command,
      shell: false,
      verification: { window_exists: window },
      max_wait_time: seconds,
      check_interval: LOOK_SECONDS,
    });
    return JSON.parse(text);
  }

  return {
    folder,
    async upload(path, content) {
      const form = new FormData();
      form.set("file_path", path);
      form.set("file_data", new Blob([content]), path.split("/").at(-1)!);
      await (await send("/setup/upload", { method: "POST", body: form })).body?.cancel();
    },
    async read(path) {
      const body = new URLSearchParams({ file_path: path });
      return await (await send("/file", { method: "POST", body })).bytes();
    },
    async launch(command) {
      await sendJson("/setup/launch", { command, shell: false });
    },
    execute,
    async perform(lines, window) {
      const command = ["python3", "-c", PREFIX + lines.join("\n")];
      const { returncode, error } = window === undefined
        ? await execute(command)
        : await executeUntil(command, window, WINDOW_SECONDS);
      if (returncode === 0) return;
      throw new Error(`The script ended with ${returncode}: ${error.slice(-MOST_SHOWN)}`);
    },
    async waitForWindow(title, seconds) {
      await executeUntil(["true"], title, seconds);
    },
    async activate(title) {
      await sendJson("/setup/activate_window", { window_name: title });
    },
    async screenshot() {
      return await (await send("/screenshot")).bytes();
    },
    async tree() {
      return (await (await send("/accessibility")).json()).AT;
    },
    async screenSize() {
      return await (await send("/screen_size", { method: "POST" })).json();
    },
    async windowSize(app_class_name) {
      const body = new URLSearchParams({ app_class_name });
      return await (await send("/window_size", { method: "POST", body })).json();
    },
  };
}

export interface OpenComputer extends AsyncDisposable {
  readonly computer: OsworldComputer;
  /** Where the routes of OSWorld's server are, `http://127.0.0.1:34567`. */
  readonly address: string;
  /** The home folder of all its programs. */
  readonly home: string;
}

export interface OwnComputer extends OpenComputer {
  /** The service itself. */
  readonly service: RunningCommand;
}

/** As large as OSWorld's. */
const DESKTOP = { size: "1920x1080" };
const ENV = {
  SAL_USE_VCLPLUGIN: "gtk3", // by which LibreOffice looks as it does on OSWorld's desktop
  PATH: `/usr/bin:${Deno.env.get("PATH")}`, // of more than one Python that of Debian
};

export interface OwnComputerOptions {
  /** Of the service and of all programs, beside those of the session. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of the service. */
  readonly flags?: readonly string[];
}

/** A desktop without a screen, and this service on it. */
export async function openOwnComputer(
  { env = {}, flags = [] }: OwnComputerOptions = {},
): Promise<OwnComputer> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await startAccessibleSession(DESKTOP));
  const { display, home, place } = session;
  const service = opening.use(
    await startCommand(["--display", `1=${display}`, "--compat", "osworld:0", ...flags], {
      ...home.env(place),
      ...ENV,
      ...env,
    }),
  );
  const banner = /^Compat\b.*\bosworld\b.*?(http:\/\/[^/\s]+)/;
  const found = service.output.seen.map((line) => line.match(banner)).find((match) => match);
  const [, address] = found ?? await service.output.until(banner);
  const open = opening.move();
  return {
    computer: osworldAt(address!, `${home.path}/tasks`),
    address: address!,
    service,
    home: home.path,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Of Debian: what OSWorld's server runs and imports. */
const PACKAGES = ["wmctrl", "gnome-screenshot", "python3-pyatspi", "python3-tk"];
/** Its file ends with a port of its own choice: this starts it on another. */
const START = "import sys; sys.path.insert(0, sys.argv[1]); import main; " +
  "main.app.run(host='127.0.0.1', port=int(sys.argv[2]))";

/**
 * The same with OSWorld's own server in place of this service, unchanged.
 * @param folder `desktop_env/server` of OSWorld's repository, which no package has
 */
export async function openOriginalComputer(
  folder: string,
  { env = {} }: Pick<OwnComputerOptions, "env"> = {},
): Promise<OpenComputer> {
  const isInstalled = ["wmctrl", "gnome-screenshot"].every(isOnPath) &&
    await succeeds("/usr/bin/python3", ["-c", "import pyatspi, tkinter"]);
  if (!isInstalled) throw new Error(`OSWorld's server needs ${PACKAGES.join(", ")}`);
  await using opening = new AsyncDisposableStack();
  const { home, place } = opening.use(await startAccessibleSession(DESKTOP));
  const server = `${home.path}/server`; // it writes its pictures beside itself
  await Deno.mkdir(server);
  for (const name of ["main.py", "pyxcursor.py"]) {
    await Deno.copyFile(`${folder}/${name}`, `${server}/${name}`);
  }
  const port = freePort();
  const started = opening.use(startProcess("/usr/bin/python3", {
    args: ["-c", START, server, `${port}`],
    env: {
      ...home.env(place),
      ...ENV,
      ...env,
      ...await serverEnv(),
    },
    log: `${home.path}/server.log`,
  }));
  const address = `http://127.0.0.1:${port}`;
  await waitFor(async () => await (await fetch(`${address}/platform`)).text(), {
    what: "OSWorld's server",
    everyMs: LOOK_SECONDS * 1_000,
  }).catch(async (cause) => {
    throw new Error(`OSWorld's server did not start: ${await started.errors()}`, { cause });
  });
  const open = opening.move();
  return {
    computer: osworldAt(address, `${home.path}/tasks`),
    address,
    home: home.path,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** One of this computer that nobody listens on. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
