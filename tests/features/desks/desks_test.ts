/** Desks by API: what is on one is on no other one, and nothing is left of it. */

import { dirname } from "node:path";
import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { startDesktop } from "../../support/desktop.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

interface DeskEntry {
  readonly name: string;
  readonly display: string;
  readonly folder: string;
  readonly ready: boolean;
  readonly programs: number;
}

interface WindowEntry {
  readonly title: string;
}

Deno.test("a desk has a display, a shell, a clipboard and a home of its own, and nothing of it is left", async (t) => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const alice = await create(service, { name: "alice", open: xterm("canary of alice") });
  const bob = await create(service, { name: "bob", size: { width: 800, height: 600 } });

  await t.step("it is listed with its display", async () => {
    expect(alice).toMatchObject({ name: "alice", ready: true, size: { width: 1280, height: 800 } });
    expect(new Set([alice.display, bob.display, desktop.display]).size).toBe(3);
    const listed = await service.call("/api/desk/list") as DeskEntry[];
    expect(listed.map(({ name }) => name)).toEqual(["alice", "bob"]);
    expect(listed[0]!.programs).toBeGreaterThan(0);
  });

  await t.step("its windows are on it alone", async () => {
    expect(await titles(service, "alice")).toEqual(["canary of alice"]);
    expect(await titles(service, "bob")).toEqual([]);
    expect(await titles(service)).toEqual([]);
  });

  await t.step("its picture has its size, and its mouse is its own", async () => {
    const info = await service.call("/api/display/list?desk=bob") as { size?: unknown }[];
    expect(JSON.stringify(info)).toContain("800");
    await service.call("/api/mouse/move", { desk: "alice", x: 7, y: 9 });
    await service.call("/api/mouse/move", { desk: "bob", x: 70, y: 90 });
    await service.call("/api/mouse/move", { x: 700, y: 500 });
    const at = (query: string) => service.call(`/api/mouse/position${query}`);
    expect(await at("?desk=alice")).toEqual({ x: 7, y: 9 });
    expect(await at("?desk=bob")).toEqual({ x: 70, y: 90 });
    expect(await at("")).toEqual({ x: 700, y: 500 });
  });

  await t.step("what is typed on it arrives in its terminal", async () => {
    const text = 'echo "$HOME $DISPLAY" >typed\n';
    await service.call("/api/mouse/left-click", { desk: "alice", x: 100, y: 100 });
    await service.call("/api/keyboard/type", { desk: "alice", text });
    const path = `${alice.folder}/typed`;
    const typed = await waitFor(
      () => Deno.readTextFile(path).then((text) => text !== "" && text, () => false),
      { what: path },
    );
    expect(typed).toBe(`${alice.folder} ${alice.display}\n`);
  });

  await t.step("commands have its variables, and start in its home", async () => {
    const command = 'echo "$DISPLAY $HOME $PWD"';
    for (const { name, display, folder } of [alice, bob]) {
      const { output } = await service.call("/api/bash/command", { desk: name, command }) as {
        output: string;
      };
      expect(output).toBe(`${display} ${folder} ${folder}\n`);
    }
  });

  await t.step("its clipboard is its own", async () => {
    for (const desk of ["alice", "bob"]) {
      await service.call("/api/clipboard/set", { desk, text: `canary of ${desk}` });
    }
    await service.call("/api/clipboard/set", { text: "of the service" });
    const text = async (where: object) =>
      (await service.call("/api/clipboard/get", where) as { text: string }).text;
    expect(await text({ desk: "alice" })).toBe("canary of alice");
    expect(await text({ desk: "bob" })).toBe("canary of bob");
    expect(await text({})).toBe("of the service");
  });

  await t.step("the steps of a batch run on it", async () => {
    const steps = [
      { operation: "mouse.move", input: { x: 33, y: 44 } },
      { operation: "mouse.position" },
      { operation: "mouse.position", input: { desk: "bob" } },
    ];
    const { results } = await service.call("/api/batch", { desk: "alice", steps }) as {
      results: { value?: unknown }[];
    };
    expect(results.map(({ value }) => value).slice(1)).toEqual([{ x: 33, y: 44 }, {
      x: 70,
      y: 90,
    }]);
  });

  await t.step(
    "deleted, its programs, folder and display are gone, and the other one is there",
    async () => {
      const started = await service.call("/api/bash/command", {
        desk: "alice",
        command:
          `setsid -f sleep 4711; env -i D="$HOME" setsid -f sh -c '${STARTS_AGAIN}'; echo done`,
      });
      expect(started).toMatchObject({ output: "done\n" });
      const waiting = service.send("/api/bash/command", { desk: "alice", command: "sleep 100" });
      await waitFor(() => processesWith(alice.folder, "100").length > 0, { what: "the command" });
      await service.call("/api/desk/delete", { name: "alice" });
      expect((await waiting).status).toBe(409);
      expect(processesWith(alice.folder)).toEqual([]);
      expect(isThere(alice.folder)).toBe(false);
      expect(isThere(`/tmp/.X11-unix/X${alice.display.slice(1)}`)).toBe(false);
      expect(await titles(service, "bob")).toEqual([]);
      expect(await service.refused(404, "/api/mouse/move", { desk: "alice", x: 1, y: 1 }))
        .toContain('no desk \\"alice\\"');
    },
  );
});

Deno.test("a desk cannot be made twice, nor more than permitted, nor with an impossible name", async () => {
  await using desktop = await startDesktop({ limits: { maxDesks: 1 } });
  const { service } = desktop;
  await service.refused(422, "/api/desk/create", { name: "../etc" });
  await service.refused(422, "/api/desk/create", { name: "a", size: { width: 1, height: 1 } });
  for (const open of ['"', "xterm \0", "qq ".repeat(1_002)]) {
    expect(await service.refused(422, "/api/desk/create", { name: "a", open })).toContain('"open"');
  }
  for (const open of ["no-such-program", "qq ".repeat(1_001)]) { // as many arguments as window/open takes
    await service.refused(404, "/api/desk/create", { name: "a", open });
  }
  const [first, second] = await Promise.all(
    ["a", "b"].map((name) => service.send("/api/desk/create", { name })),
  );
  expect([first!.status, second!.status].sort()).toEqual([200, 503]);
  const [{ name }] = await service.call("/api/desk/list") as [DeskEntry];
  await service.refused(409, "/api/desk/create", { name });
  await service.refused(404, "/api/desk/delete", { name: "c" });
  await service.refused(404, "/api/keyboard/type", { desk: "c", text: "x" });
});

Deno.test("a desk whose X server is killed is there again, and the others see nothing", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const alice = await create(service, { name: "alice" });
  await create(service, { name: "bob", open: xterm("canary of bob") });
  const [server] = serversOf(alice.display);
  Deno.kill(server!, "SIGKILL");
  expect(await titles(service, "bob")).toEqual(["canary of bob"]);
  await service.call("/api/mouse/move", { desk: "bob", x: 5, y: 6 });
  const isReady = async () => {
    const [entry] = await service.call("/api/desk/list") as DeskEntry[];
    const [now] = serversOf(alice.display);
    return entry!.ready && now !== undefined && now !== server;
  };
  await waitFor(isReady, { what: "the desk" });
  await service.call("/api/mouse/move", { desk: "alice", x: 1, y: 2 });
  expect(await service.call("/api/mouse/position?desk=bob")).toEqual({ x: 5, y: 6 });
});

Deno.test("what is done on a desk is in the trail with its name", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await create(service, { name: "alice" });
  await service.call("/api/trail"); // from now on operations are noted
  await service.call("/api/mouse/move", { desk: "alice", x: 1, y: 2 });
  await service.call("/api/mouse/move", { x: 3, y: 4 });
  const of = async (query: string) => {
    const { entries } = await service.call(`/api/trail?operation=mouse.move${query}`) as {
      entries: { desk?: string; fields: object }[];
    };
    return entries.map(({ desk, fields }) => ({ desk, fields }));
  };
  const onDesk = { desk: "alice", fields: { x: 1, y: 2, desk: "alice" } };
  const all = await waitFor(async () => {
    const found = await of("");
    return found.length === 2 && found;
  });
  expect(all[0]).toMatchObject({ fields: { x: 3, y: 4 } });
  expect(all[0]!.desk).toBeUndefined();
  expect(all[1]).toMatchObject(onDesk);
  expect(await of("&desk=alice")).toEqual([all[1]]);
});

Deno.test("the steps that are recorded on a desk name it, those of a batch and of an agent's turn too", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const { folder } = await create(service, { name: "alice" });
  const on = { desk: "alice" };
  await service.call("/api/trail/start", { ...on, pictures: false, trees: false });
  await service.call("/api/mouse/move", { x: 1, y: 2 });
  await service.call("/api/batch", {
    ...on,
    steps: [{ operation: "mouse.move", input: { x: 3, y: 4 } }],
  });
  const input = { action: "mouse_move", coordinate: [5, 6] };
  const content = [{ type: "tool_use", id: "a", name: "computer", input }];
  await service.call("/api/agents/anthropic", { ...on, content, settle_ms: 0 });
  await service.call("/api/trail/export", { ...on, format: "atif", path: "~/export" });
  const { steps } = JSON.parse(await Deno.readTextFile(`${folder}/export/trajectory.json`)) as {
    steps: { tool_calls?: unknown }[];
  };
  const move = { function_name: "mouse.move", arguments: { desk: "alice" } };
  const calls = steps.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls).toMatchObject([move, move]);
  expect(calls).toHaveLength(2);
});

Deno.test("a later desk of the same name sees nothing of what was done on the earlier one", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const xs = async (query: string) => {
    const { entries } = await service.call(`/api/trail?operation=mouse.move${query}`) as {
      entries: { fields: { x: number } }[];
    };
    return entries.map(({ fields }) => fields.x);
  };
  await create(service, { name: "alice" });
  await xs(""); // from now on operations are noted
  await service.call("/api/mouse/move", { desk: "alice", x: 1, y: 2 });
  await waitFor(async () => (await xs("&desk=alice")).length === 1);
  await service.call("/api/desk/delete", { name: "alice" });
  expect(await xs("&desk=alice")).toEqual([1]);
  await create(service, { name: "alice" });
  expect(await xs("&desk=alice")).toEqual([]);
  await service.call("/api/mouse/move", { desk: "alice", x: 3, y: 4 });
  await waitFor(async () => (await xs("&desk=alice")).length === 1);
  expect([await xs("&desk=alice"), await xs("")]).toEqual([[3], [3, 1]]);
});

Deno.test("desks that are made and deleted leave nothing behind", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const rounds = pick({ short: 3, full: 20 });
  const countDescriptors = () => [...Deno.readDirSync("/proc/self/fd")].length;
  const round = async (name: string) => {
    const { folder } = await create(service, { name, open: xterm(name) });
    await service.call("/api/mouse/move", { desk: name, x: 1, y: 1 });
    const command = "echo ${DBUS_SESSION_BUS_ADDRESS#unix:path=}";
    const { output } = await service.call("/api/bash/command", { desk: name, command }) as {
      output: string;
    };
    expect(isThere(output.trim())).toBe(true);
    await service.call("/api/desk/delete", { name });
    expect(processesWith(folder)).toEqual([]);
    expect(isThere(dirname(output.trim()))).toBe(false);
    expect(await Array.fromAsync(Deno.readDir(dirname(folder)))).toEqual([]);
  };
  await round("first"); // what is loaded by it stays
  const before = countDescriptors();
  for (let number = 0; number < rounds; number++) await round(`round-${number}`);
  await waitFor(() => countDescriptors() <= before, { what: "descriptors to be closed" });
});

/** What is started again whenever it is killed, by a shell that is none of the programs of the desk. */
const STARTS_AGAIN =
  "cd /; for i in $(seq 15); do HOME=$D COMPUTER_CONTROL_DESK=$D sleep 4712; done >/dev/null 2>&1";

async function create(service: Service, body: object): Promise<DeskEntry> {
  return await service.call("/api/desk/create", body) as DeskEntry;
}

/** A terminal of this title in whose shell nothing renames it. */
function xterm(title: string): string {
  return `xterm -T '${title}' -geometry 60x20+0+0 -e /bin/sh`;
}

async function titles(service: Service, desk?: string): Promise<string[]> {
  const query = desk === undefined ? "" : `?desk=${desk}`;
  const windows = await service.call(`/api/window/list${query}`) as WindowEntry[];
  return windows.map(({ title }) => title);
}

/** The processes that have the folder as their home, and a word as an argument. */
function processesWith(home: string, word = ""): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      const has = (file: string, text: string) =>
        Deno.readTextFileSync(`/proc/${pid}/${file}`).split("\0").includes(text);
      return pid > 0 && has("environ", `HOME=${home}`) && (word === "" || has("cmdline", word));
    } catch {
      return false;
    }
  });
}

/** The X servers of a display. */
function serversOf(display: string): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      const [program, named] = Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
      return pid > 0 && program!.endsWith("Xvfb") && named === display;
    } catch {
      return false;
    }
  });
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
