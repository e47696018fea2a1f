/**
 * The folder with the module `pyautogui` whose functions call this service: scripts that the client
 * of another project sends find it before any other one.
 */

import { join } from "node:path";
import { openPrivateFolder } from "../platform/private_folder.ts";

const FILE = "pyautogui.py";

/**
 * Writes the module, in place of that of another version, and returns its folder.
 * @throws ServiceError where the state folder cannot be used
 */
export async function openPyautoguiFolder(stateDir: string): Promise<string> {
  const { default: text } = await import(
    "../../client/python/src/computer_control/pyautogui.py",
    { with: { type: "text" } }
  );
  const folder = await openPrivateFolder(join(stateDir, "python"), "folder of Python modules");
  const path = join(folder, FILE);
  if (await Deno.readTextFile(path).catch(() => undefined) === text) return folder;
  const unfinished = join(folder, `.${crypto.randomUUID()}`);
  await Deno.writeTextFile(unfinished, text, { mode: 0o600, createNew: true });
  await Deno.rename(unfinished, path); // a script may be reading the older one
  return folder;
}
