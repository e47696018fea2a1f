/** The encrypted file under SIGKILL: what was acknowledged is there, and nothing is half written. */

import { expect } from "expect";
import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { pick } from "../../support/extent.ts";
import { testFolder } from "../../support/folder.ts";
import { serviceOf, textOf } from "../../support/keychain_writer.ts";
import { lineReader } from "../../support/lines.ts";

const KILLS = pick({ short: 30, full: 150 });
const LANES = 3;
const WRITER = new URL("../../support/keychain_writer.ts", import.meta.url).href;

Deno.test(`FileKeychain loses nothing acknowledged when its process is killed ${KILLS} times`, async () => {
  await using folder = await testFolder();
  const lanes = Array.from({ length: LANES }, (_, lane) => `${folder.path}/${lane}/items`);
  const acknowledged = await Promise.all(lanes.map(killAgainAndAgain));
  expect(Math.min(...acknowledged)).toBeGreaterThan(KILLS);
});

/** Returns how many writes were acknowledged. */
async function killAgainAndAgain(path: string): Promise<number> {
  const last = new Map<string, number>();
  let next = 0;
  let count = 0;
  for (let kill = 0; kill < KILLS / LANES; kill++) {
    const done = await writeUntilKilled(path, { start: next, acknowledgements: kill % 23 });
    for (const number of done) last.set(serviceOf(number), number);
    count += done.length;
    next = 4 + Math.max(next, ...done);
    next += 4 - next % 4;
    await expectAll(path, last);
  }
  return count;
}

async function writeUntilKilled(
  path: string,
  { start, acknowledgements }: { start: number; acknowledgements: number },
): Promise<number[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", WRITER, path, String(start)],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const lines = lineReader(child.stdout);
  for (let line = 0; line <= acknowledgements; line++) await lines.next();
  child.kill("SIGKILL");
  const seen = await lines.rest();
  await child.status;
  return seen.map(Number);
}

/** A write that was under way may be there or not; what is there is whole. */
async function expectAll(path: string, last: ReadonlyMap<string, number>): Promise<void> {
  await using keychain = new FileKeychain({ path });
  for (const service of await keychain.names()) {
    const text = await keychain.read(service);
    const number = parseInt(text!);
    expect(text).toBe(textOf(number));
    expect(serviceOf(number)).toBe(service);
    expect(number).toBeGreaterThanOrEqual(last.get(service) ?? 0);
  }
  const names = new Set(await keychain.names());
  expect([...last.keys()].filter((service) => !names.has(service))).toEqual([]);
}
