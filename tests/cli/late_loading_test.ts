/** What nobody asks for is not loaded, and the main thread loads nothing that only workers need. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { startXvfb } from "../support/xvfb.ts";

/** What a module has in its path that belongs to something nobody asked for. */
const LATE = [
  /\/src\/features\/(?!call|control|input|keychain|keyboard|mouse|secrets|targets|window)(?!filesystem\/)\w+\//,
  /\/src\/features\/control\/(operations|yield_to_person)\.ts/,
  /\/src\/platform\/linux\/x11\/real_input\.ts/,
  /\/src\/(mcp|compat|console|imaging\/match|http\/openapi)\//,
  /\/src\/http\/connections\/server_socket\.ts/,
  /\/src\/platform\/linux\/(pipewire|wayland\/(?!backend\.ts))/,
  /\/src\/platform\/linux\/atspi\/(?!accessibility|client|element_id|find_bus|own_buses)/,
  /\/src\/platform\/browser\/(?!browser_records|open_browser)/,
  /\/src\/platform\/(macos|windows)\//,
  /_worker\.ts$/,
];

/** What only threads of their own need: it would hold up requests while it is loaded. */
const WORKERS_OWN = [/_worker\.ts$/, /\/src\/imaging\/(encode|decode|jpeg|png|webp|match)\b/];

Deno.test("a service that moves the mouse has loaded nothing of what nobody asked for", async () => {
  const loaded = await loadedBy((address) =>
    fetch(`${address}/api/mouse/move`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x: 5, y: 5 }),
    })
  );
  const has = (end: string) => loaded.some((url) => url.endsWith(end));
  expect(["/main.ts", "/src/features/input/mouse/move.ts"].filter((end) => !has(end))).toEqual([]);
  expect(loaded.filter((url) => LATE.some((late) => late.test(url)))).toEqual([]);
});

Deno.test("a service that has loaded all operations has loaded nothing that only workers need", async () => {
  const loaded = await loadedBy((address) => fetch(`${address}/openapi.json`));
  const screenshot = "/src/features/display/screenshot.ts";
  expect(loaded.filter((url) => url.endsWith(screenshot))).toHaveLength(1);
  expect(loaded.filter((url) => WORKERS_OWN.some((own) => own.test(url)))).toEqual([]);
});

/** The modules of a service that has answered one request. */
async function loadedBy(request: (address: string) => Promise<Response>): Promise<string[]> {
  await using xvfb = await startXvfb();
  await using folder = await testFolder();
  const env = { DENO_COVERAGE_DIR: folder.path }; // it gets a file for each module that ran
  await using service = await startCommand(
    ["--display", xvfb.display, "--compat", "osworld:0"],
    env,
  );
  const answer = await request(service.address);
  await answer.body?.cancel();
  expect(answer.ok).toBe(true);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  const loaded: string[] = [];
  for await (const { name } of Deno.readDir(folder.path)) {
    loaded.push(JSON.parse(await Deno.readTextFile(`${folder.path}/${name}`)).url);
  }
  return loaded;
}
