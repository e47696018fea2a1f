/**
 * Secrets of one family: all tests on the keychain use them, so that any of them can be recognised
 * anywhere. Each process has a family of its own, so that other runs of the tests do not matter.
 */

import { expect } from "expect";

const BEGINNING = `zq${Deno.pid}.secret.`;
const END = ".9qz";
const FAMILY = new RegExp(`zq${Deno.pid}\\.secret\\.[^\\0]{1,80}?\\.9qz`);
/** How much of the beginning stands in Base64, by the place in a group of three bytes. */
const ENCODED = [0, 1, 2].map((before) => {
  const encoded = new TextEncoder().encode(" ".repeat(before) + BEGINNING).toBase64();
  return encoded.slice(before === 0 ? 0 : before + 1, -4);
});
/** A command that asks for a secret has it in variables of these names, and nobody else has. */
const ASKED = /(?<=^|\0)ASKED\w*=[^\0]*/g;

/** `zq1234.secret.bank.9qz` */
export function secretOf(name: string): string {
  return BEGINNING + name + END;
}

/** The secret in a shell command that prints it: the command itself does not have it. */
export function spelled(secret: string): string {
  return secret.replace("secret", 'sec""ret');
}

/** Whether one of the family is in a text, also as Base64. */
export function hasSecret(text: string): boolean {
  return FAMILY.test(text) || ENCODED.some((encoded) => text.includes(encoded));
}

/** An environment without what a command has asked for. */
export function withoutAsked(environment: string): string {
  return environment.replace(ASKED, "");
}

/** What the watcher tells at its end. */
export interface Sightings {
  /** Where: `cmdline of 123: name`. */
  readonly seen: readonly string[];
  readonly rounds: number;
}

/** For a whole test file: no secret may appear in the log, nor in the arguments or environment of any process. */
export function keepSecretsHidden(): void {
  const methods = ["debug", "log", "info", "warn", "error"] as const;
  const originals = methods.map((method) => console[method]);
  const logged: string[] = [];
  let watcher: Worker;

  Deno.test.beforeAll(async () => {
    for (const [index, method] of methods.entries()) {
      console[method] = (...said: unknown[]) => {
        if (hasSecret(Deno.inspect(said))) logged.push(`console.${method}`);
        originals[index]!(...said);
      };
    }
    watcher = new Worker(new URL("./secret_watcher.ts", import.meta.url), { type: "module" });
    await messageOf(watcher);
  });

  Deno.test.afterAll(async () => {
    for (const [index, method] of methods.entries()) console[method] = originals[index]!;
    watcher.postMessage("end");
    const { seen, rounds } = await messageOf(watcher) as Sightings;
    watcher.terminate();
    expect(rounds).toBeGreaterThan(0);
    expect({ logged, seen }).toEqual({ logged: [], seen: [] });
  });
}

function messageOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
}
