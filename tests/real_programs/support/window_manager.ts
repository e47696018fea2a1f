/** A real window manager on the display of a test. */

import { run } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";
import { openHome } from "./home.ts";
import { startProcess } from "./processes.ts";

export const WINDOW_MANAGERS = ["openbox", "xfwm4", "none"] as const;

export type WindowManager = typeof WINDOW_MANAGERS[number];

const COMMANDS: Readonly<Record<Exclude<WindowManager, "none">, readonly string[]>> = {
  openbox: ["openbox"],
  xfwm4: ["dbus-run-session", "xfwm4", "--compositor=off"],
};

/** Resolves when it manages windows. */
export async function startWindowManager(
  display: string,
  name: WindowManager,
): Promise<AsyncDisposable> {
  if (name === "none") return { [Symbol.asyncDispose]: () => Promise.resolve() };
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await openHome());
  const [program, ...args] = COMMANDS[name];
  const env = home.env(display);
  stack.use(startProcess(program!, { args, env, log: `${home.path}/errors` }));
  await waitFor(async () => {
    const said = await run("xprop", ["-display", display, "-root", "_NET_SUPPORTING_WM_CHECK"]);
    return new TextDecoder().decode(said).includes("window id");
  }, { what: name });
  const started = stack.move();
  return { [Symbol.asyncDispose]: () => started.disposeAsync() };
}
