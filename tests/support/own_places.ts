/** Folders of its own for a service that a test starts: no file and no keyring of the person who runs the tests is touched. */

import { type TestFolder, testFolder } from "./folder.ts";

export interface OwnPlaces extends TestFolder {
  /** The whole environment of the service. */
  readonly env: Readonly<Record<string, string>>;
}

/** What programs need to run at all. */
const KEPT = ["PATH", "TMPDIR", "LANG", "DISPLAY"];
/** No bus answers there. */
const NO_KEYRING = "unix:path=/nonexistent/bus";

export async function ownPlaces(): Promise<OwnPlaces> {
  const folder = await testFolder();
  const kept = KEPT.flatMap((name) => Deno.env.has(name) ? [[name, Deno.env.get(name)!]] : []);
  const env = {
    ...Object.fromEntries(kept),
    HOME: folder.path,
    DENO_DIR: denoFolder(), // it is below the home folder otherwise
    DBUS_SESSION_BUS_ADDRESS: NO_KEYRING,
    NO_COLOR: "1",
  };
  return { ...folder, env };
}

/** Where Deno keeps modules and compiled code, by its own rules. */
export function denoFolder(): string {
  const given = Deno.env.get("DENO_DIR");
  if (given) return given;
  const home = Deno.env.get("HOME") ?? "";
  const caches = Deno.build.os === "darwin" ? `${home}/Library/Caches` : `${home}/.cache`;
  return `${Deno.env.get("XDG_CACHE_HOME") || caches}/deno`;
}
