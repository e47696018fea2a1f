/** Checks the session, the X server that would be display 1, pictures of it, and input. */

import type { Config } from "../../../config/config.ts";
import { createLog } from "../../../core/log.ts";
import { examineDisplayPort } from "../../diagnosis/display_port.ts";
import { takeTestPicture } from "../../diagnosis/screen.ts";
import { type Examine, ok } from "../../diagnosis/verdict.ts";
import { findWanted } from "../../diagnosis/wanted.ts";
import type { Host } from "../../host.ts";
import { chooseBackend, type ChosenBackend } from "../backends.ts";
import { findCompositor } from "../wayland/session.ts";
import type { OpenDisplay } from "../displays.ts";
import { openX11Display } from "../x11/display.ts";
import { readAccessibilityBus } from "../x11/accessibility_bus.ts";
import { X11ScreenReader } from "../x11/screen_reader.ts";
import { checkOther, FIND_MS, findServer, hangingServer, type Session } from "./find_server.ts";
import { checkElements, checkOwnElements } from "./elements.ts";
import { installCommand } from "./install.ts";
import { examineVirtualWayland } from "./virtual_wayland.ts";
import { adviceFor, checkCompositor, checkProtocols } from "./wayland.ts";
import { checkPortals, checkSession, isWaylandSession } from "./session.ts";
import {
  checkInputExtensions,
  checkKeymap,
  checkRoundTrip,
  checkWindowManager,
} from "./x_server.ts";

/** The report says what is found. */
const SILENT = createLog(() => {});

export async function examineDisplay(examine: Examine, host: Host, config: Config): Promise<void> {
  const wanted = findWanted(config);
  if (!wanted.screen) {
    await examine("display", () => ok("not looked at: --disable switches it off"));
    return;
  }
  await examine("session", () => checkSession(host));
  const compositor = findCompositor(host);
  if (compositor !== undefined) {
    await examine("compositor", () => checkCompositor(host, compositor), { asked: false });
    await examine("protocols", () => checkProtocols(host, compositor), { asked: false });
  }
  if (isWaylandSession(host)) {
    await examine("portals", () => checkPortals(host, config), { asked: false });
  }
  if (config.virtualDisplay?.server === "wayland") {
    return await examineVirtualWayland(examine, { host, config }, config.virtualDisplay);
  }
  await using backend = chooseBackend({ host, config, log: SILENT, openX11: openX11With(config) });
  if (backend.ownDisplay !== undefined) {
    return await examineOwn(examine, { host, config }, backend);
  }
  await examineX11(examine, { host, config, refusal: backend.refusal() });
}

async function examineX11(examine: Examine, session: Session): Promise<void> {
  const { host, config } = session;
  const wanted = findWanted(config);
  await using atEnd = new AsyncDisposableStack();
  const named = config.displays.get(1) ?? host.env["DISPLAY"];
  let found: Awaited<ReturnType<typeof findServer>> | undefined;
  const { status } = await examine("display", async () => {
    found = await findServer(session, atEnd);
    return found.verdict;
  }, { late: hangingServer(named), ...named === undefined && { limitMs: FIND_MS } });
  await examineOthers(examine, config);
  const connection = found?.connection;
  if (status !== "ok" || connection === undefined) return;
  atEnd.use(connection);
  const late = hangingServer(connection.name);
  await examine("XTEST", () => checkInputExtensions(connection), { asked: wanted.input, late });
  await examine("keymap", () => checkKeymap(connection), { asked: wanted.keyboard, late });
  const start = {
    isOwn: found?.isOwn ?? false,
    hasOpenbox: host.which("openbox") !== undefined,
    install: installCommand(host, ["openbox"]),
  };
  await examine("window manager", () => checkWindowManager(connection, start), { late });
  await examine("elements", async () => {
    if (start.isOwn) return checkOwnElements(host);
    return await checkElements(host, await readAccessibilityBus(connection));
  }, { asked: false });
  await examine("test picture", async () => {
    const screen = await X11ScreenReader.open(connection.name);
    atEnd.defer(() => screen.close());
    return await takeTestPicture(screen, connection.size);
  }, {
    asked: wanted.pictures,
    late,
    mend: "start the X server with depth 24, or --virtual-display",
  });
  await examine("test input", () => checkRoundTrip(connection), { asked: wanted.input, late });
}

/** The display of a backend that needs no X server. */
async function examineOwn(
  examine: Examine,
  { host, config }: Pick<Session, "host" | "config">,
  backend: ChosenBackend,
): Promise<void> {
  const { ownDisplay, open } = backend;
  let opened: ReturnType<OpenDisplay> | undefined;
  const first = () => opened ??= open(1, ownDisplay!.name);
  const readiness = async () => {
    const { size } = await first();
    const { name, reason } = backend; // known once it is open
    const what = `"${ownDisplay!.name}", ${size.width}x${size.height}`;
    return { ready: true, reason: `${what}, by ${name}: ${reason}` };
  };
  const mend = adviceFor(host);
  await examineDisplayPort(examine, { open: first, readiness }, {
    ...{ config, mend, limitMs: FIND_MS },
  });
  await examine("elements", () => checkElements(host), { asked: false });
}

function openX11With({ limits: { keymapSettleMs } }: Config): OpenDisplay {
  return (displayNum, xDisplay) => openX11Display({ displayNum, xDisplay, keymapSettleMs });
}

async function examineOthers(examine: Examine, config: Config): Promise<void> {
  for (const [number, xDisplay] of config.displays) {
    if (number === 1) continue;
    await examine(`display ${number}`, () => checkOther(xDisplay), {
      late: hangingServer(xDisplay),
    });
  }
}
