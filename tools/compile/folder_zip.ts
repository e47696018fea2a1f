/** Makes the folder for Windows: deno.exe, the bundle, and a command file that starts them. */

import type { Bundle } from "./bundle.ts";
import { RUN_FLAGS } from "./run_flags.ts";
import type { Runtime } from "./runtimes.ts";
import { zip } from "./zip.ts";

const FOLDER = "computer-control";

/** The lines of `computer-control.cmd`; its variables stay its own. */
const COMMAND = [
  "@echo off",
  "setlocal DisableDelayedExpansion",
  'set "COMPUTER_CONTROL_KIND=folder"',
  'set "COMPUTER_CONTROL_EXECUTABLE=%~f0"',
  'set "COMPUTER_CONTROL_DENO_DIR=%DENO_DIR%"',
  'set "DENO_NO_UPDATE_CHECK=1"',
  `"%~dp0deno.exe" run ${RUN_FLAGS.join(" ")} "%~dp0program\\main.js" %*`,
];

/** The bytes of `computer-control-windows-x86_64-folder.zip`. */
export function folderZip(
  { runtime, bundle }: { readonly runtime: Runtime; readonly bundle: Bundle },
): Uint8Array<ArrayBuffer> {
  const command = COMMAND.map((line) => `${line}\r\n`).join("");
  return zip(
    new Map([
      [`${FOLDER}/computer-control.cmd`, new TextEncoder().encode(command)],
      [`${FOLDER}/deno.exe`, runtime.program],
      ...[...bundle].map(([name, bytes]) => [`${FOLDER}/program/${name}`, bytes] as const),
    ]),
  );
}
