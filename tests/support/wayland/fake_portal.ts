/** A desktop portal on a bus of its own, at which the test is the person. */

import { fileURLToPath } from "node:url";
import type { MessageBus } from "../../../src/platform/linux/bus/types.ts";
import { openBus } from "../../../src/platform/linux/bus/message_bus.ts";
import { startBus } from "../bus.ts";
import { lineReader } from "../lines.ts";
import { waitFor } from "../wait.ts";
import type { WaylandDesktop } from "./desktop.ts";

const PROGRAM = fileURLToPath(new URL("../programs/portal.py", import.meta.url));

export interface Versions {
  readonly RemoteDesktop: number;
  readonly ScreenCast: number;
  readonly Clipboard: number;
}

export interface Decisions {
  /** What the next dialogues are answered with; `wait` leaves them open. */
  readonly decision?: "grant" | "refuse" | "fail" | "wait";
  /** 1: keyboard, 2: mouse. */
  readonly devices?: number;
  /** Whether the permission is to be kept. */
  readonly remember?: boolean;
  /** The text on the clipboard. */
  readonly text?: string;
}

/** What the person at the desktop does, and sees. */
export interface Asked {
  decide(decisions: Decisions): Promise<void>;
  /** Forgets every permission. */
  revoke(): Promise<void>;
  /** Ends the sessions, as the desktop's "stop" does. */
  stop(): Promise<void>;
  /** A program asks for the text that we offer on the clipboard. */
  paste(type: string): Promise<void>;
  /** What the portal was asked for, and did. */
  log(): Promise<readonly string[]>;
}

export interface FakePortal extends Asked, AsyncDisposable {
  readonly address: string;
  /** Ends the portal as a crash would, or starts it again. */
  crash(): Promise<void>;
  restart(): Promise<void>;
}

export async function startFakePortal(versions: Versions): Promise<FakePortal> {
  await using opening = new AsyncDisposableStack();
  const bus = opening.use(await startBus());
  const { address } = bus;
  let portal: Deno.ChildProcess | undefined;
  const end = async () => {
    if (portal === undefined) return;
    try {
      portal.kill("SIGKILL");
    } catch {
      // it has ended already
    }
    await portal.status;
    portal = undefined;
  };
  const restart = async () => {
    await end();
    const child = portal = new Deno.Command("/usr/bin/python3", {
      args: [PROGRAM, JSON.stringify(versions)],
      env: { DBUS_SESSION_BUS_ADDRESS: address },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const lines = lineReader(child.stdout);
    await lines.until(/^ready$/);
    lines.rest();
  };
  opening.defer(end);
  await restart();
  const person = opening.use(await openBus(address));
  const open = opening.move();
  return {
    ...askedAs(person),
    address,
    crash: end,
    restart,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Runs the portal on a GNOME desktop: what the person allows is real. */
export async function runPortalOn(
  desktop: WaylandDesktop,
  versions: Versions,
): Promise<Asked & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const output = `${desktop.home}/portal.out`;
  const args = [PROGRAM, JSON.stringify(versions), "mutter"];
  const portal = opening.use(desktop.start("/usr/bin/python3", args, { output }));
  await waitFor(async () => {
    if (!portal.running()) throw new Error(await portal.errors());
    return (await Deno.readTextFile(output)).includes("ready");
  }, { what: "the portal" });
  const person = opening.use(await openBus(desktop.env["DBUS_SESSION_BUS_ADDRESS"]!));
  const open = opening.move();
  return { ...askedAs(person), [Symbol.asyncDispose]: () => open.disposeAsync() };
}

function askedAs(person: MessageBus): Asked {
  const tell = async (member: string, ...body: readonly string[]) =>
    (await person.call({
      destination: "org.freedesktop.portal.Desktop",
      path: "/person",
      interface: "org.example.Person",
      member,
      signature: "s".repeat(body.length),
      body,
    })).body;
  return {
    decide: async (decisions) => void await tell("Decide", JSON.stringify(decisions)),
    revoke: async () => void await tell("Revoke"),
    stop: async () => void await tell("Stop"),
    paste: async (type) => void await tell("Paste", type),
    log: async () => (await tell("Log"))[0] as string[],
  };
}
