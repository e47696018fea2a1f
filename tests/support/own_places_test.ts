/** The services that tests start keep their hands off the files of the person who runs the tests. */

import { expect } from "expect";
import { keychainPath } from "../../src/platform/keychain/file_keychain.ts";
import { findUserFolders } from "../../src/config/environment.ts";
import { startCommand } from "./command.ts";
import { startXvfb } from "./xvfb.ts";

const { stateDir } = findUserFolders(Deno.build.os, Deno.env.toObject(), undefined);
const theirs = keychainPath(stateDir);

Deno.test("startCommand() starts a service with folders of its own", async () => {
  await using xvfb = await startXvfb();
  const before = look();
  await using service = await startCommand(["--display", xvfb.display]);
  const stored = await service.post("/api/keychain/set-item", {
    service: "own places",
    item: { note: "a" },
  });
  expect(stored.status).toBe(204);
  const info = await (await fetch(`${service.address}/api/system/info`)).json();
  expect(JSON.stringify(info.backends)).toContain('"chosen":"file"');
  expect(look()).toEqual(before);
});

/** What is in the place that the service takes by default, by name and time. */
function look(): string[] {
  try {
    const folder = theirs.slice(0, theirs.lastIndexOf("/"));
    return [...Deno.readDirSync(folder)]
      .map(({ name }) => `${name} ${Deno.statSync(`${folder}/${name}`).mtime?.getTime()}`).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
