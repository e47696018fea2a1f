/** What nobody asks for is not loaded: the modules and threads of a service that has moved the mouse. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { startXvfb } from "../support/xvfb.ts";

/** What a module has in its path that belongs to something nobody asked for. */
const LATE = [
  /\/src\/features\/(?!call|input|keychain|keyboard|mouse|secrets|targets|window)(?!filesystem\/)\w+\//,
  /\/src\/(mcp|imaging\/match|http\/openapi)\//,
  /\/src\/platform\/linux\/(pipewire|wayland\/(?!backend\.ts))/,
  /\/src\/platform\/linux\/atspi\/(?!accessibility|client|element_id|find_bus|own_buses)/,
  /\/src\/platform\/browser\/(?!browser_records|open_browser)/,
  /\/src\/platform\/(macos|windows)\//,
  /_worker\.ts$/,
];

Deno.test("a service that moves the mouse has loaded nothing of what nobody asked for", async () => {
  await using xvfb = await startXvfb();
  await using folder = await testFolder();
  const env = { DENO_COVERAGE_DIR: folder.path }; // it gets a file for each module that ran
  await using service = await startCommand(["--display", xvfb.display], env);
  const answer = await fetch(`${service.address}/api/mouse/move`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ x: 5, y: 5 }),
  });
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);

  const loaded: string[] = [];
  for await (const { name } of Deno.readDir(folder.path)) {
    loaded.push(JSON.parse(await Deno.readTextFile(`${folder.path}/${name}`)).url);
  }
  const has = (end: string) => loaded.some((url) => url.endsWith(end));
  expect(["/main.ts", "/src/features/input/mouse/move.ts"].filter((end) => !has(end))).toEqual([]);
  expect(loaded.filter((url) => LATE.some((late) => late.test(url)))).toEqual([]);
});
