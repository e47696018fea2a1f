/** A real window manager on the display of a test. */

import { X11Connection } from "../../../src/platform/linux/x11/connection.ts";
import { WindowManager as Asked } from "../../../src/platform/linux/x11/window_queries.ts";
import { waitFor } from "../../support/wait.ts";
import { openHome } from "./home.ts";
import { startProcess } from "./processes.ts";

export const WINDOW_MANAGERS = ["openbox", "xfwm4", "none"] as const;

export type WindowManager = typeof WINDOW_MANAGERS[number];

const COMMANDS: Readonly<Record<Exclude<WindowManager, "none">, readonly string[]>> = {
  openbox: ["openbox"],
  xfwm4: ["dbus-run-session", "xfwm4", "--compositor=off"],
};

export interface RunningManager extends AsyncDisposable {
  /** Resolves when it has handled everything so far, such as a window that has opened. */
  settled(): Promise<void>;
}

/** Resolves when it manages windows. */
export async function startWindowManager(
  display: string,
  name: WindowManager,
): Promise<RunningManager> {
  if (name === "none") {
    return { settled: () => Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await openHome());
  const [program, ...args] = COMMANDS[name];
  const env = home.env(display);
  stack.use(startProcess(program!, { args, env, log: `${home.path}/errors` }));
  // it says that it is there before it handles events: a window that opens then gets lost
  const connection = stack.use(await X11Connection.open(display));
  const asked = await Asked.open(connection);
  const settled = async () => void await waitFor(() => asked.caughtUp(), { what: name });
  await settled();
  const started = stack.move();
  return { settled, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
