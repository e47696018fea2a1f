/**
 * Many clients that read OSWorld's tree of elements again and again, while another one types into the program that they
 * read: OSWorld's own server ends by SIGSEGV under that.
 */

import { waitFor } from "../../support/wait.ts";
import { openOwnComputer } from "./computer.ts";

export interface TreeLoad {
  /** Of each read, in milliseconds. */
  readonly times: readonly number[];
  /** What was not answered as it should be. */
  readonly faults: readonly string[];
  /** What was typed meanwhile. */
  readonly typed: string;
  /** What the program has saved of that. */
  readonly saved: string;
}

/** As many environments as a run of OSWorld has at once, each of which reads. */
const READERS = 98;
/** A read that takes longer is a fault. */
const LONGEST_READ_MS = 60_000;
const SAVE_MS = 120_000;
const OPEN_SECONDS = 120;

export async function loadTree(seconds: number): Promise<TreeLoad> {
  await using own = await openOwnComputer();
  const { computer, address, service } = own;
  const file = `${own.home}/typed.txt`;
  await Deno.writeTextFile(file, "");
  await computer.launch(["mousepad", "--disable-server", file]);
  await computer.waitForWindow("typed.txt", OPEN_SECONDS);
  await computer.activate("typed.txt");
  const faults: string[] = [];
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];

  async function read(): Promise<void> {
    while (performance.now() < end) {
      const began = performance.now();
      const fault = await faultOf(address);
      times.push(performance.now() - began);
      if (fault === undefined) continue;
      faults.push(fault);
      return;
    }
  }

  let typed = "";
  async function type(): Promise<void> {
    for (let line = 1; performance.now() < end; line++) {
      const text = `Line ${line} of what is typed.\n`;
      const response = await service.post("/api/keyboard/type", { text });
      await response.body?.cancel();
      if (!response.ok) faults.push(`Typing was answered ${response.status}`);
      typed += text;
    }
  }

  await Promise.all([type(), ...Array.from({ length: READERS }, read)]);
  const saving = await service.post("/api/keyboard/key", { key: "ctrl+s" });
  await saving.body?.cancel();
  let saved = "";
  await waitFor(async () => {
    saved = await Deno.readTextFile(file);
    return saved.length >= typed.length; // it is written in parts
  }, { what: "the text to be saved", timeoutMs: SAVE_MS }).catch(() => {}); // what is there is compared
  return { times, faults, typed, saved };
}

/** `undefined` for a whole tree. */
async function faultOf(address: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(LONGEST_READ_MS);
    const response = await fetch(`${address}/accessibility`, { signal });
    const text = await response.text();
    if (!response.ok) return `A read was answered ${response.status}: ${text}`;
    const { AT } = JSON.parse(text);
    return AT.endsWith("</desktop-frame>") ? undefined : `Half a tree: ${AT.slice(-100)}`;
  } catch (error) {
    return String(error);
  }
}
