/** AT-SPI in trouble: programs that hang, have no end or start again, and buses that are missing or end. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { thisHost } from "../../../../src/platform/host.ts";
import { findSessionAccessibilityBus } from "../../../../src/platform/linux/atspi/find_bus.ts";
import { openBus } from "../../../../src/platform/linux/bus/message_bus.ts";
import { lineReader } from "../../../support/lines.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";
import {
  type AccessibleSession,
  startAccessibleSession,
} from "../../../real_programs/support/accessible_session.ts";
import { openEditor } from "../../../real_programs/support/editor.ts";
import { openZenityForm } from "../../../real_programs/support/zenity.ts";
import { flatten, NEVER, openElements } from "./support/elements.ts";
import { startHostileProgram } from "./support/hostile_program.ts";

const PROGRAM = fileURLToPath(
  new URL("../../../support/programs/accessible_program.py", import.meta.url),
);

Deno.test("a program that hangs is named, and keeps nobody from reading the others", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _form = await openZenityForm(session.place);
  await using _editor = await openEditor(session.place, "mousepad");
  const ok = await elements.find("button", "OK");
  const { roots } = await elements.read();
  const top = roots.find(({ children }) => flatten(children).some(({ id }) => id === ok.id))!;
  Deno.kill(top.pid!, "SIGSTOP");
  try {
    const others = await elements.read();
    expect(others.unresponsive).toEqual([`process ${top.pid}`]);
    expect(others.roots.map(({ pid }) => pid)).toEqual(
      roots.map(({ pid }) => pid).filter((pid) => pid !== top.pid),
    );
    const scope = { window: top.window! };
    await expect(elements.read({ scope })).rejects.toMatchObject({ code: "timed_out" });
    await expect(elements.refresh(ok)).rejects.toMatchObject({ code: "timed_out" });
    const signal = AbortSignal.timeout(50);
    await expect(elements.read({ signal })).rejects.toMatchObject({ name: "TimeoutError" });
  } finally {
    Deno.kill(top.pid!, "SIGCONT");
  }
  await waitFor(async () => (await elements.read()).unresponsive.length === 0, {
    what: "its answer",
  });
  expect((await elements.refresh(ok))!.name).toBe("OK");
});

Deno.test("a bus that does not respond is unavailable, and connected to anew when it does again", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _form = await openZenityForm(session.place);
  const ok = await elements.find("button", "OK");
  const daemon = await findProcess(session, "org.freedesktop.DBus");
  Deno.kill(daemon, "SIGSTOP");
  try {
    const message = expect.stringContaining("accessibility bus");
    const reason = expect.objectContaining({ code: "unavailable", message });
    const { port } = elements;
    expect(
      await Promise.allSettled([elements.refresh(ok), elements.read(), port.changed(NEVER)]),
    ).toEqual(Array(3).fill({ status: "rejected", reason }));
    await expect(elements.read()).rejects.toMatchObject({ code: "unavailable", message });
  } finally {
    Deno.kill(daemon, "SIGCONT");
  }
  expect((await elements.refresh(ok))!.name).toBe("OK");
  expect(flatten((await elements.read()).roots).some(({ id }) => id === ok.id)).toBe(true);
});

Deno.test("a registry that does not respond is named, and elements are read when it does again", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _form = await openZenityForm(session.place);
  const ok = await elements.find("button", "OK");
  const registry = await findProcess(session, "org.a11y.atspi.Registry");
  Deno.kill(registry, "SIGSTOP");
  try {
    await expect(elements.read()).rejects.toMatchObject({
      code: "timed_out",
      message: "The registry of the accessibility bus does not respond",
    });
    expect((await elements.refresh(ok))!.name).toBe("OK"); // which does not need it
  } finally {
    Deno.kill(registry, "SIGCONT");
  }
  expect(flatten((await elements.read()).roots).some(({ id }) => id === ok.id)).toBe(true);
});

/** The process that has a name on the accessibility bus. */
async function findProcess(
  { env }: Pick<AccessibleSession, "env">,
  name: string,
): Promise<number> {
  using bus = await openBus(await findSessionAccessibilityBus({ ...thisHost(), env }));
  const daemon = "org.freedesktop.DBus";
  const { body: [pid] } = await bus.call({
    destination: daemon,
    path: "/org/freedesktop/DBus",
    interface: daemon,
    member: "GetConnectionUnixProcessID",
    signature: "s",
    body: [name],
  });
  return Number(pid);
}

Deno.test("a window with 2^31 children and a cache of 20 MB is read in part, and asked for no list of them", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  using bus = await openBus(session.env["DBUS_SESSION_BUS_ADDRESS"]!);
  const { body: [address] } = await bus.call({
    destination: "org.a11y.Bus",
    path: "/org/a11y/bus",
    interface: "org.a11y.Bus",
    member: "GetAddress",
  });
  const program = new Deno.Command("/usr/bin/python3", {
    args: [PROGRAM, String(address)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lineReader(program.stdout);
  try {
    await lines.until(/^ready$/);
    const { roots: [frame], truncated } = await elements.read({ maxElements: 50 });
    expect(frame).toMatchObject({ name: "endless", childCount: 2 ** 31 - 1 });
    expect(frame!.children).toHaveLength(49);
    expect(truncated).toContain("elements");
    expect(frame!.children.every(({ name }) => name.length <= 4_096)).toBe(true);
  } finally {
    program.kill("SIGKILL");
    await program.status;
  }
  expect((await lines.rest()).join("\n")).not.toContain("asked for all");
});

Deno.test("elements of a program that was started again are gone, and no others take their place", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  const first = await openZenityForm(session.place);
  const old = await elements.find("button", "OK");
  await first[Symbol.asyncDispose]();
  await using _second = await openZenityForm(session.place);
  const now = await elements.find("button", "OK");
  expect(now.id).not.toBe(old.id);
  expect(await elements.refresh(old)).toBe(undefined);
  await expect(elements.port.perform(old.id, { kind: "click" }, NEVER)).rejects
    .toMatchObject({ code: "conflict" });
  const scope = { element: old.id };
  await expect(elements.read({ scope })).rejects.toMatchObject({ code: "conflict" });
  expect(await elements.port.contains(old.id, now.id, NEVER)).toBe(false);
});

Deno.test("an element that its program still has, and says to be defunct, is gone for whoever reads or uses it", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _program = await startHostileProgram(session, "gone when clicked");
  const { id } = await elements.find("button", "button /b/0");
  const scope = { element: id };
  expect((await elements.read({ scope })).roots.map((root) => root.id)).toEqual([id]);
  expect(await elements.port.perform(id, { kind: "click" }, NEVER)).toBe(true);
  await expect(elements.read({ scope })).rejects.toMatchObject({ code: "conflict" });
  await expect(elements.port.perform(id, { kind: "click" }, NEVER)).rejects
    .toMatchObject({ code: "conflict" });
});

Deno.test("a display without an accessibility bus says so", async () => {
  await using xvfb = await startXvfb();
  await using elements = await openElements(xvfb.display);
  await expect(elements.read()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("at-spi2-core"),
  });
});

Deno.test("after the accessibility bus has ended, elements are unavailable", async () => {
  const session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  const form = await openZenityForm(session.place);
  const ok = await elements.find("button", "OK");
  const change = elements.port.changed(NEVER).then(() => elements.port.changed(NEVER));
  change.catch(() => {}); // looked at below
  await form[Symbol.asyncDispose]();
  await session[Symbol.asyncDispose]();
  await expect(elements.read()).rejects.toMatchObject({ code: "unavailable" });
  await expect(elements.refresh(ok)).rejects.toMatchObject({ code: "unavailable" });
});
