/** Stores items in an encrypted file, four at a time, and prints the number of each that is acknowledged, until it is killed. */

import { FileKeychain } from "../../src/platform/keychain/file_keychain.ts";

const [path, start] = Deno.args;
const keychain = new FileKeychain({ path: path! });
const out = new TextEncoder();
const SERVICES = 50;

/** Every text tells its number, so that a mixture would show. */
export function textOf(number: number): string {
  return `${number} `.repeat(1 + number % 200);
}

export function serviceOf(number: number): string {
  return `service ${number % SERVICES}`;
}

async function store(number: number): Promise<void> {
  await keychain.write(serviceOf(number), textOf(number));
  Deno.stdout.writeSync(out.encode(`${number}\n`));
}

if (import.meta.main) {
  for (let number = Number(start);; number += 4) {
    await Promise.all([0, 1, 2, 3].map((more) => store(number + more)));
  }
}
