/**
 * The session of programs that tell assistive technology what they show: an X server, a window
 * manager, a session bus and an accessibility bus of its own.
 */

import { startXvfb } from "../../support/xvfb.ts";
import { waitFor } from "../../support/wait.ts";
import { startBus } from "../../support/wayland/bus.ts";
import { type Home, openHome, type Place } from "./home.ts";
import { startProcess } from "./processes.ts";
import { startWindowManager } from "./window_manager.ts";
import { run } from "../../support/desktop.ts";

const BUS_LAUNCHER = "/usr/libexec/at-spi-bus-launcher";

/** What programs need in order to be heard, whether or not they ask the bus. */
const SWITCHED_ON = {
  GNOME_ACCESSIBILITY: "1",
  QT_ACCESSIBILITY: "1",
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
};

export interface AccessibleSession extends AsyncDisposable {
  readonly display: string;
  /** The variables by which the service and programs find the buses. */
  readonly env: Readonly<Record<string, string>>;
  readonly place: Place;
  /** For files of the test. */
  readonly home: Home;
}

export interface AccessibleSessionOptions {
  /** `1280x800`. */
  readonly size?: string;
}

/** Everything that runs in it is to be ended before it. */
export async function startAccessibleSession(
  { size = "1280x800" }: AccessibleSessionOptions = {},
): Promise<AccessibleSession> {
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb({ size }));
  opening.use(await startWindowManager(display, "openbox"));
  const home = opening.use(await openHome());
  const plain = home.env(display);
  const start = (program: string, args: readonly string[], { env = plain } = {}) =>
    opening.use(
      startProcess(program, { args, env, log: `${home.path}/${program.split("/").at(-1)}` }),
    );
  const address = await startBus(start, `${home.path}/bus`, { startsServices: false });
  const env = { ...SWITCHED_ON, DBUS_SESSION_BUS_ADDRESS: address };
  const place = { display, env };
  start(BUS_LAUNCHER, ["--launch-immediately", "--a11y=1"], { env: home.env(place) });
  await waitFor(async () => {
    const said = await run("xprop", ["-display", display, "-root", "AT_SPI_BUS"]);
    return new TextDecoder().decode(said).includes("unix:");
  }, { what: "the accessibility bus" });
  const open = opening.move();
  return { display, env, place, home, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
