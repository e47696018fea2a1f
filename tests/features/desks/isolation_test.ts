/** What is on one desk is out of reach from every other place, by whatever number or name it is called. */

import { expect } from "expect";
import { createApp } from "../../../src/http/app.ts";
import { addToken } from "../../../src/http/tokens/token_store.ts";
import { Tokens } from "../../../src/http/tokens/tokens.ts";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { decodePng } from "../../support/png.ts";
import { succeeds, testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { missingFor } from "../../support/wayland/desktop.ts";

interface DeskEntry {
  readonly name: string;
  readonly display: string;
  readonly folder: string;
  readonly ready: boolean;
}

Deno.test("no number of a display leads off a desk, or onto one", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const alice = await create(desktop, { name: "alice" });
  const bob = await create(desktop, { name: "bob" });
  const numberOf = (display: string) => Number(display.slice(1));
  for (const display of [bob.display, desktop.display]) {
    const display_num = numberOf(display);
    const said = await service.refused(503, "/api/mouse/move", {
      ...{ desk: "alice", display_num, x: 1, y: 1 },
    });
    expect(said).toContain("a desk has display 1 only");
    await service.refused(503, `/api/display/screenshot?desk=alice&display_num=${display_num}`);
  }
  for (const { display } of [alice, bob]) {
    const display_num = numberOf(display);
    const said = await service.refused(503, "/api/mouse/move", { display_num, x: 1, y: 1 });
    expect(said).toContain("it is that of a desk");
    await service.refused(503, `/api/window/list?display_num=${display_num}`);
    await service.refused(503, "/api/recording/start", { display_num });
  }
  await service.call("/api/desk/delete", { name: "bob" });
});

const mayRun = Deno.uid() !== 0 || await succeeds("unshare", ["--user", "true"]);
const missing = missingFor("sway") ?? (mayRun ? undefined : "root may not make a user namespace");
const swayTest = testIf(missing === undefined, missing ?? "");

swayTest("two desks of Wayland have a compositor each", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const size = { width: 640, height: 480 };
  const alice = await create(desktop, { name: "alice", wayland: true, size });
  const bob = await create(desktop, { name: "bob", wayland: true });
  expect(alice.display).not.toBe(bob.display);
  const seen = async (desk: string) => {
    const answer = await service.send(`/api/display/screenshot?desk=${desk}&format=png`);
    const { width, height } = decodePng(new Uint8Array(await answer.arrayBuffer()));
    return [width, height];
  };
  expect(await seen("bob")).toEqual([1280, 800]);
  expect(await seen("alice")).toEqual([640, 480]);
  await service.call("/api/mouse/move", { desk: "alice", x: 5, y: 6 });
  expect(await service.call("/api/mouse/position?desk=alice")).toEqual({ x: 5, y: 6 });
  await service.call("/api/desk/delete", { name: "bob" });
  expect(await seen("alice")).toEqual([640, 480]);
  const { pictures } = await service.call("/api/system/info") as {
    pictures: { display: string }[];
  };
  expect(pictures.filter(({ display }) => display.includes(bob.display))).toEqual([]);
  await service.call("/api/desk/delete", { name: "alice" });
});

swayTest("a desk of Wayland whose elements were read leaves no socket open", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const round = async () => {
    await create(desktop, { name: "alice", wayland: true });
    await service.call("/api/accessibility/snapshot", { desk: "alice" });
    await service.call("/api/desk/delete", { name: "alice" });
  };
  await round(); // what is loaded by it stays
  const before = countSockets();
  for (let number = 0; number < 4; number++) await round();
  await waitFor(() => countSockets() <= before, { what: "the sockets" });
});

Deno.test("what the window manager of a desk starts is on that desk, and has no secret of the service", async () => {
  await using desktop = await startDesktop();
  const { display, folder } = await create(desktop, { name: "alice" });
  const [manager] = processesOf("openbox", { DISPLAY: display });
  expect(manager).toMatchObject({ HOME: folder, COMPUTER_CONTROL_DESK: folder });
  expect(manager!["DBUS_SESSION_BUS_ADDRESS"]).not.toBe(Deno.env.get("DBUS_SESSION_BUS_ADDRESS"));
});

Deno.test("what a token of one desk tries elsewhere is noted on its own desk", async () => {
  await using desktop = await startDesktop();
  const { service: { call, session } } = desktop;
  await create(desktop, { name: "bob" });
  const send = await asTokenOf(desktop, "alice");
  await call("/api/trail");
  const noted: string[] = [];
  session.noteOperation = ({ id, readOnly }) => { // as a recording of the service hears of it
    if (!readOnly) noted.push(id);
  };
  expect((await send("/api/mouse/left-click", { ref: "e1" })).status).toBe(404);
  await create(desktop, { name: "alice" });
  expect((await send("/api/mouse/move", { desk: "bob", x: 1, y: 1 })).status).toBe(403);
  const desks = await waitFor(async () => {
    const { entries } = await call("/api/trail?who=agent") as { entries: { desk?: string }[] };
    return entries.length === 2 && entries.map(({ desk }) => desk);
  });
  expect(desks).toEqual(["alice", "alice"]);
  expect(noted).toEqual(["createDesk"]);
});

Deno.test("a token of one desk hears of no display of another, and makes nobody a person", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const { display } = await create(desktop, { name: "alice" });
  await create(desktop, { name: "bob" });
  const send = await asTokenOf(desktop, "alice");
  for (const desk of ["alice", "bob"]) await service.send(`/api/display/screenshot?desk=${desk}`);
  await service.send("/api/display/screenshot");
  const { pictures } = await (await send("/api/system/info")).json();
  expect(pictures.map((each: { display: string }) => each.display)).toEqual([display]);
  const tokens = await Tokens.open(service.config);
  expect([tokens.hasOtherPerson("another"), tokens.hasProgram]).toEqual([false, true]);
});

Deno.test("who reads the events of a desk hears nothing of a later one of its name", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await create(desktop, { name: "alice" });
  const read = async () => {
    const response = await service.send("/api/events?desk=alice&types=window");
    expect(response.status).toBe(200);
    return response.body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const first = await read();
  await service.call("/api/desk/delete", { name: "alice" });
  const isOver = async () => (await first.read()).done;
  expect(await waitFor(isOver, { what: "the end of the first reader" })).toBe(true);
  await service.refused(404, "/api/events?desk=alice");
  await create(desktop, { name: "alice" });
  const second = await read();
  let text = "";
  // windows that are there when it begins to watch are no news
  const opening = setInterval(() => {
    service.send("/api/window/open", {
      ...{ desk: "alice", program: "xterm", args: ["-T", "news"], wait_for_window: false },
    });
  }, 500);
  while (!text.includes('"opened"')) text += (await second.read()).value ?? "";
  clearInterval(opening);
  expect(text).not.toContain("No windows");
  await second.cancel();
});

async function create({ service }: Desktop, body: object): Promise<DeskEntry> {
  return await service.call("/api/desk/create", body) as DeskEntry;
}

/** Sends requests with a token that is for one desk. */
async function asTokenOf({ service }: Desktop, desk: string) {
  const { platform, session, config } = service;
  const token = await addToken(config.stateDir, { name: "agent", scopes: ["all"], desk });
  const app = createApp({ platform, session, config, tokens: await Tokens.open(config) });
  return async (path: string, body?: unknown) =>
    await app.fetch(
      new Request(`http://127.0.0.1:4242${path}`, {
        headers: {
          ...{ host: "127.0.0.1:4242", "content-type": "application/json" },
          authorization: `Bearer ${token}`,
        },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
    );
}

/** The variables of the processes of a program that have these ones. */
function processesOf(
  program: string,
  wanted: Readonly<Record<string, string>>,
): Record<string, string>[] {
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    try {
      if (Deno.readTextFileSync(`/proc/${name}/comm`).trim() !== program) return [];
      const lines = Deno.readTextFileSync(`/proc/${name}/environ`).split("\0");
      const all = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
      return Object.entries(wanted).every(([key, value]) => all[key] === value) ? [all] : [];
    } catch {
      return [];
    }
  });
}

/** Those of this process. */
function countSockets(): number {
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith("socket:");
    } catch {
      return false; // that of the folder itself
    }
  }).length;
}
