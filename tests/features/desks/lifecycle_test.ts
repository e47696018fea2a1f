/** However a desk ends, or does not come to be, nothing of it is left. */

import { dirname } from "node:path";
import { expect } from "expect";
import { DeskFolders } from "../../../src/features/desks/desk_folders.ts";
import { thisHost } from "../../../src/platform/host.ts";
import { OpenDesks } from "../../../src/platform/linux/virtual/desk.ts";
import { EVENT_MASK, PREDEFINED, REPLACE } from "../../../src/platform/linux/x11/client.ts";
import { X11Connection } from "../../../src/platform/linux/x11/connection.ts";
import { internAtoms } from "../../../src/platform/linux/x11/window_queries.ts";
import type { Platform } from "../../../src/platform/types/mod.ts";
import { readConfig } from "../../../src/config/config.ts";
import { startCommand } from "../../support/command.ts";
import { startDesktop } from "../../support/desktop.ts";
import { FakePlatform } from "../../support/fake_platform.ts";
import { testFolder } from "../../support/folder.ts";
import { isRunning } from "../../support/processes.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";

interface DeskEntry {
  readonly name: string;
  readonly display: string;
  readonly folder: string;
}

Deno.test("a desk whose display is gone before it is open leaves nothing open", async () => {
  await using folder = await testFolder();
  const platform = new FakePlatform();
  const virtual = { display: ":64999", variables: {} };
  const open = () => Promise.resolve(Object.assign(platform, { virtual }) as Platform);
  const config = readConfig({}, {}, noFile, "linux");
  const host = { ...thisHost(), which: () => "/usr/bin/openbox" };
  const desks = new OpenDesks();
  const size = { width: 100, height: 100 };
  await expect(desks.open(host, config, { folder: folder.path, size, wayland: false, open }))
    .rejects.toMatchObject({ code: "unavailable" });
  expect(platform.disposed).toBe(true);
  expect(desks.has(virtual.display)).toBe(false);
});

Deno.test("a desk is open once its window manager answers, which loses what it is sent before", async () => {
  await using folder = await testFolder();
  await using server = await startXvfb();
  await using platform = new FakePlatform();
  using manager = await X11Connection.open(server.display);
  const atoms = await internAtoms(manager, [
    ...["_NET_SUPPORTED", "_NET_ACTIVE_WINDOW"] as const,
    ...["_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"] as const,
  ]);
  const { client, root } = manager;
  const supported = [atoms._NET_ACTIVE_WINDOW, atoms._NET_REQUEST_FRAME_EXTENTS];
  client.ChangeProperty(REPLACE, root, atoms._NET_SUPPORTED, PREDEFINED.ATOM, 32, supported);
  client.ChangeWindowAttributes(root, { eventMask: EVENT_MASK.substructureRedirect });
  let asked = 0;
  manager.onEvent(({ name, wid }) => {
    if (name === "ClientMessage" && ++asked > 2) {
      client.ChangeProperty(REPLACE, wid, atoms._NET_FRAME_EXTENTS, PREDEFINED.CARDINAL, 32, [0]);
      client.pack_stream.flush();
    }
  });
  await manager.confirm();
  const virtual = { display: server.display, variables: {} };
  const open = () => Promise.resolve(Object.assign(platform, { virtual }) as Platform);
  const host = { ...thisHost(), which: () => "/usr/bin/openbox" };
  const size = { width: 100, height: 100 };
  await using _desk = await new OpenDesks()
    .open(host, readConfig({}, {}, noFile, "linux"), {
      folder: folder.path,
      size,
      wayland: false,
      open,
    });
  expect(asked).toBeGreaterThan(2);
});

Deno.test("a desk for which the disk has no room for folders is refused", async () => {
  await using folder = await testFolder();
  await Deno.writeTextFile(`${folder.path}/run`, ""); // in its place
  const open = () => Promise.reject(new Error("it was opened all the same"));
  const size = { width: 100, height: 100 };
  const config = readConfig({}, {}, noFile, "linux");
  const opening = new OpenDesks()
    .open(thisHost(), config, { folder: folder.path, size, wayland: false, open });
  await expect(opening).rejects.toMatchObject({ code: "unavailable" });
});

Deno.test("a client that waits for its desk gets 409 when that is deleted, and does not end the next one", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const waiting = service.send("/api/desk/create", { name: "alice", open: "sleep 1000" });
  await waitFor(async () => (await list(service)).length === 1, { what: "the desk" });
  await service.call("/api/desk/delete", { name: "alice" });
  const next = await service.call("/api/desk/create", { name: "alice" }) as DeskEntry;
  expect((await waiting).status).toBe(409);
  expect(await list(service)).toMatchObject([{ name: "alice", folder: next.folder }]);
  await service.call("/api/mouse/move", { desk: "alice", x: 1, y: 1 });
});

for (const more of [{}, { open: "sleep 1000" }]) {
  Deno.test(`a client that leaves gets no desk (${JSON.stringify(more)})`, async () => {
    await using desktop = await startDesktop();
    const { service } = desktop;
    const before = serversOf(service).length;
    const leaving = new AbortController();
    const sent = service.send("/api/desk/create", { name: "alice", ...more }, leaving.signal);
    await waitFor(() => serversOf(service).length > before, { what: "its server" });
    leaving.abort();
    await sent;
    await waitFor(() => serversOf(service).length === before, { what: "its end" });
    await waitFor(() => foldersOf(service).length === 0, { what: "its folder" });
    expect(await list(service)).toEqual([]);
    await service.call("/api/desk/create", { name: "alice" });
  });
}

Deno.test("a desk whose X server and browser hang is deleted with both", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const alice = await service.call("/api/desk/create", { name: "alice" }) as DeskEntry;
  await service.call("/api/browser/tabs?desk=alice");
  await service.call("/api/mouse/down", { desk: "alice", button: "left" });
  const servers = serversOf(service, alice.display);
  const browsers = programsOf(alice.folder, /chrom/);
  expect(servers).toHaveLength(1);
  expect(browsers.length).toBeGreaterThan(0);
  for (const pid of [...servers, ...browsers]) Deno.kill(pid, "SIGSTOP");
  await service.call("/api/desk/delete", { name: "alice" });
  for (const pid of [...servers, ...browsers]) {
    await waitFor(() => !isRunning(pid), { what: `the end of ${pid}` });
  }
  expect(foldersOf(service)).toEqual([]);
});

Deno.test("programs that hide where they come from end with their desk, and are counted", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await service.call("/api/desk/create", { name: "alice" });
  await service.call("/api/browser/tabs?desk=alice"); // Chromium writes over its variables
  const command = "env -i setsid -f sleep 4714 </dev/null >/dev/null 2>&1; " +
    "setsid -f chromium --headless --no-sandbox --user-data-dir=$HOME/hidden about:blank " +
    "</dev/null >/dev/null 2>&1";
  await service.call("/api/bash/command", { desk: "alice", command });
  const hidden = await waitFor(() => {
    const found = commandsWith(["4714"]).concat(commandsWith([`--user-data-dir=`, "/hidden"]));
    return found.length >= 3 && found;
  }, { what: "the programs" });
  const [{ programs, memory_mib }] = await service.call("/api/desk/list") as [
    { programs: number; memory_mib: number },
  ];
  expect(programs).toBeGreaterThan(hidden.length);
  expect(memory_mib).toBeGreaterThan(20);
  await service.call("/api/desk/delete", { name: "alice" });
  expect(hidden.filter(isRunning)).toEqual([]);
});

Deno.test("the folder of a desk goes that has folders which nobody may change", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await service.call("/api/desk/create", { name: "alice" });
  const command = "mkdir -p go/pkg/mod && touch go/pkg/mod/a && chmod -R a-w go";
  await service.call("/api/bash/command", { desk: "alice", command });
  await service.call("/api/desk/delete", { name: "alice" });
  expect(foldersOf(service)).toEqual([]);
});

Deno.test("temporary files of programs that are killed go with their desk", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await service.call("/api/desk/create", { name: "alice" });
  await service.call("/api/browser/tabs?desk=alice");
  const command = "mktemp; echo $TMPDIR/*romium*/SingletonSocket";
  const { output } = await service.call("/api/bash/command", { desk: "alice", command }) as {
    output: string;
  };
  const paths = output.trim().split("\n");
  for (const path of paths) expect(await Deno.lstat(path)).toBeTruthy();
  await service.call("/api/desk/delete", { name: "alice" });
  for (const path of [...paths, dirname(paths[0]!)]) {
    await expect(Deno.lstat(path)).rejects.toThrow(Deno.errors.NotFound);
  }
});

Deno.test("folders of services that were killed go, with what runs there; others stay", async () => {
  await using folder = await testFolder();
  const ended: string[] = [];
  const endDesk = (path: string) => (ended.push(path), Promise.resolve());
  const session = { stateDir: folder.path, platform: { endDesk } as unknown as Platform };
  const other = new DeskFolders(session);
  const used = await other.make();
  const left = `${folder.path}/desks/desk-00000001`;
  await Deno.mkdir(`${left}/Downloads`, { recursive: true });
  await Deno.writeTextFile(`${left}.lock`, "");
  await Deno.writeTextFile(`${folder.path}/desks/desk-00000002.lock`, "");
  await Deno.mkdir(`${folder.path}/desks/mine`);
  const own = await new DeskFolders(session).make();
  expect(ended).toContain(left);
  expect(ended).not.toContain(used.path);
  const names = () => [...Deno.readDirSync(`${folder.path}/desks`)].map(({ name }) => name).sort();
  const nameOf = ({ path }: { readonly path: string }) => path.slice(path.lastIndexOf("/") + 1);
  const there = [used, own].map(nameOf).flatMap((name) => [name, `${name}.lock`]);
  expect(names()).toEqual([...there, "mine"].sort());
  await own.remove();
  await used.remove();
  expect(names()).toEqual(["mine"]);
});

Deno.test("the next start removes what a service that was killed has left of its desks", async () => {
  await using state = await testFolder();
  const flags = ["--virtual-display", "640x480", "--state-dir", state.path, "--keychain", "file"];
  await using killed = await startCommand([...flags, "--no-setup"]);
  const { folder } = await (await killed.post("/api/desk/create", { name: "alice" })).json();
  const command = "setsid -f sleep 4713 </dev/null >/dev/null 2>&1; printf $TMPDIR";
  const { output } = await (await killed.post("/api/bash/command", { desk: "alice", command }))
    .json();
  expect(await Deno.stat(output)).toBeTruthy();
  const escaped = await waitFor(() => programsOf(folder, /^sleep$/)[0], { what: "the program" });
  await killed.kill();
  expect(isRunning(escaped)).toBe(true);
  await using _next = await startCommand([...flags, "--no-setup"]);
  await waitFor(() => !isRunning(escaped), { what: "the end of the program" });
  await waitFor(() => [...Deno.readDirSync(`${state.path}/desks`)].length === 0, { what: folder });
  await expect(Deno.lstat(output)).rejects.toThrow(Deno.errors.NotFound);
});

function noFile(): never {
  throw new Deno.errors.NotFound();
}

async function list(service: Service): Promise<DeskEntry[]> {
  return await service.call("/api/desk/list") as DeskEntry[];
}

function foldersOf({ config }: Service): string[] {
  return [...Deno.readDirSync(`${config.stateDir}/desks`)].map(({ name }) => name);
}

/** The X servers that the service has recorded, and that run. */
function serversOf({ config }: Service, display?: string): number[] {
  try {
    return [...Deno.readDirSync(`${config.stateDir}/displays`)].flatMap(({ name }) => {
      const record = JSON.parse(Deno.readTextFileSync(`${config.stateDir}/displays/${name}`));
      const isWanted = display === undefined || record.display === display;
      return isWanted && isRunning(record.server.pid) ? [record.server.pid] : [];
    });
  } catch {
    return []; // none was recorded yet, or one is being written
  }
}

/** The processes on a desk whose program has such a name. */
function programsOf(folder: string, name: RegExp): number[] {
  return [...Deno.readDirSync("/proc")].map((entry) => Number(entry.name)).filter((pid) => {
    try {
      const variables = Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`COMPUTER_CONTROL_DESK=${folder}`) &&
        name.test(Deno.readTextFileSync(`/proc/${pid}/comm`).trim());
    } catch {
      return false;
    }
  });
}

/** The processes whose command line has all of these texts. */
function commandsWith(texts: readonly string[]): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      const line = Deno.readTextFileSync(`/proc/${pid}/cmdline`);
      return pid > 0 && line !== "" && texts.every((text) => line.includes(text));
    } catch {
      return false;
    }
  });
}
