/** What tests with real programs need: an X server, a window manager, a layout, the service as its users have it, and programs. */

import { run } from "../../support/desktop.ts";
import { type RunningCommand, startCommand } from "../../support/command.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { type Browser, openBrowser, type PageOptions } from "./browser.ts";
import { type Calc, openCalc } from "./calc.ts";
import { type Editor, type EditorName, type EditorOptions, openEditor } from "./editor.ts";
import { startWindowManager, type WindowManager } from "./window_manager.ts";
import { openXterm, type Xterm } from "./xterm.ts";

export interface RealDesktopOptions {
  /** Default: `openbox`. */
  readonly windowManager?: WindowManager;
  /** Arguments of `setxkbmap`: `["de"]`, `["us", "intl"]`, `["us,ru"]`. */
  readonly layout?: readonly string[];
  /** The active group, counted from 0. */
  readonly group?: number;
  readonly capsLock?: boolean;
  readonly numLock?: boolean;
  /** `1280x800`. */
  readonly size?: string;
  /** More arguments of the service. */
  readonly serviceArgs?: readonly string[];
}

export interface RealDesktop extends AsyncDisposable {
  readonly display: string;
  readonly service: RunningCommand;
  /** A client of the tests' own. */
  readonly x: TestX;
  /** Calls an operation that must succeed: `call("mouse/left-click", { x: 1, y: 2 })`; gives its JSON. */
  call(operation: string, body?: Record<string, unknown>): Promise<unknown>;
  /** Types a text as fast as it goes. */
  type(text: string, more?: Record<string, unknown>): Promise<void>;
  /** Starts a browser with a page that fills its window; `page.show` loads another one into it. */
  chromium(page?: PageOptions): Promise<Browser>;
  firefox(page?: PageOptions): Promise<Browser>;
  editor(name: EditorName, options?: EditorOptions): Promise<Editor>;
  mousepad(options?: EditorOptions): Promise<Editor>;
  gnomeTextEditor(options?: EditorOptions): Promise<Editor>;
  featherpad(options?: EditorOptions): Promise<Editor>;
  xterm(): Promise<Xterm>;
  calc(): Promise<Calc>;
}

/** Everything that was opened on it is ended with it, programs first. */
export async function openDesktop(options: RealDesktopOptions = {}): Promise<RealDesktop> {
  const { windowManager = "openbox", serviceArgs = [], size = "1280x800" } = options;
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb({ size }));
  const x = opening.use(await TestX.open(display));
  await setKeyboard(x, display, options);
  opening.use(await startWindowManager(display, windowManager));
  const service = opening.use(await startCommand(["--display", `1=${display}`, ...serviceArgs]));
  const open = opening.move();

  const call = async (operation: string, body: Record<string, unknown> = {}) => {
    const response = await service.post(`/api/${operation}`, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const editor = async (name: EditorName, options?: EditorOptions) =>
    open.use(await openEditor(display, name, options));
  const browser = async (name: "chromium" | "firefox", page?: PageOptions) =>
    open.use(await openBrowser(display, name, page));
  return {
    display,
    service,
    x,
    call,
    async type(text, more = {}) {
      await call("keyboard/type", { text, typing_delay: 0, ...more });
    },
    chromium: (page) => browser("chromium", page),
    firefox: (page) => browser("firefox", page),
    editor,
    mousepad: (options) => editor("mousepad", options),
    gnomeTextEditor: (options) => editor("gnome-text-editor", options),
    featherpad: (options) => editor("featherpad", options),
    xterm: async () => open.use(await openXterm(display)),
    calc: async () => open.use(await openCalc(display)),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Before any program starts: it reads the layout once. */
async function setKeyboard(x: TestX, display: string, options: RealDesktopOptions): Promise<void> {
  const { layout = ["us"], group = 0, capsLock = false, numLock = false } = options;
  await run("setxkbmap", ["-display", display, ...layout]);
  if (group !== 0) await x.lockGroup(group);
  if (capsLock) await x.setCapsLock(true);
  if (numLock) await run("xdotool", ["key", "Num_Lock"], { DISPLAY: display });
}
