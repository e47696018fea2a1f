/** Makes a program save its file and waits until it has been written to the end. */

import { waitFor } from "../../support/wait.ts";
import { processIds } from "./processes.ts";
import { openFiles } from "../../support/processes.ts";
import { pressSave } from "./xwindow.ts";

export interface SaveOptions {
  /** The text is whole when it ends with this; without it, when no process has the file open. */
  readonly end?: string;
  readonly timeoutMs?: number;
}

/** The program must have something to save: an unchanged document is not written. */
export async function savedFile(
  display: string,
  file: string,
  { end, timeoutMs = 20_000 }: SaveOptions = {},
): Promise<string> {
  const before = await versionOf(file);
  const read = async () =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Deno.readFile(file));
  const isComplete = async () => end === undefined ? !isOpen(file) : (await read()).endsWith(end);
  const isSaved = async () => await versionOf(file) !== before && await isComplete();
  const what = "the program to save its file (was there a change to save?)";
  let way: "keycode" | "letter" = "keycode";
  await waitFor(async () => {
    await pressSave(display, way);
    way = "letter";
    return await waitFor(isSaved, { what: "a save", timeoutMs: 1_000 });
  }, { what, timeoutMs });
  return await read();
}

async function versionOf(file: string): Promise<string> {
  const { ino, mtime, size } = await Deno.stat(file);
  return `${ino} ${mtime?.getTime()} ${size}`;
}

function isOpen(file: string): boolean {
  return processIds().some((pid) => openFiles(pid).includes(file));
}
