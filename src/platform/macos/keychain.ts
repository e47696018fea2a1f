/**
 * The Keychain of macOS through `security`: secrets go in by its standard input, because every user
 * can see arguments.
 */

import { ServiceError } from "../../core/errors.ts";
import { KeyedLock } from "../../core/locks.ts";
import type { Host } from "../host.ts";
import type { SystemKeychain } from "../keychain/open_keychain.ts";
import { type PrivateResult, runPrivately } from "../keychain/private_file.ts";
import type { Keychain, Readiness } from "../types/mod.ts";

/** Time limit for the check that the keychain exists and is unlocked. */
const PROBE_MS = 2_000;
const PROGRAM = "security";
/** The `service` attribute of all our items; the account is the service name of the interface. */
const SERVICE = "computer-control";
/** The exit code for errSecItemNotFound. */
const NOT_FOUND = 44;

export function macosKeychain(
  host: Host,
  { timeoutMs }: { readonly timeoutMs: number },
): SystemKeychain {
  return {
    kind: "macos",
    title: "the Keychain",
    open: () => Promise.resolve(new MacosKeychain(host, timeoutMs)),
  };
}

class MacosKeychain implements Keychain {
  readonly #changes = new KeyedLock<string>();

  constructor(private readonly host: Host, private readonly timeoutMs: number) {}

  async read(service: string): Promise<string | undefined> {
    const { code, stdout } = await this.#run([
      "find-generic-password",
      ...["-s", SERVICE, "-a", service, "-w"],
    ]);
    if (code === NOT_FOUND) return undefined;
    if (code !== 0) throw failed("read an item", code);
    return decode(stdout.trim());
  }

  write(service: string, secret: string): Promise<void> {
    return this.#changes.run([service], async () => {
      const encoded = new TextEncoder().encode(secret).toBase64();
      const line = commandLine([
        ...["add-generic-password", "-U", "-s", SERVICE, "-a", service],
        ...["-l", `Computer Control: ${service}`, "-w", encoded],
      ]);
      if (new TextEncoder().encode(line).byteLength >= MAX_LINE_BYTES) throw tooLarge(service);
      const { code } = await this.#run(["-i"], { stdin: line });
      // its interactive mode does not report every failure
      if (code !== 0 || await this.read(service) !== secret) throw failed("store an item", code);
    });
  }

  remove(service: string): Promise<void> {
    return this.#changes.run([service], async () => {
      const { code } = await this.#run(["delete-generic-password", "-s", SERVICE, "-a", service]);
      if (code !== 0 && code !== NOT_FOUND) throw failed("delete an item", code);
    });
  }

  async names(): Promise<string[]> {
    const { code, stdout } = await this.#run(["dump-keychain"]);
    if (code !== 0) throw failed("list the items", code);
    return accountsIn(stdout, SERVICE);
  }

  async readiness(): Promise<Readiness> {
    if (this.host.which(PROGRAM) === undefined) {
      return { ready: false, reason: `"${PROGRAM}" is not installed` };
    }
    try {
      const timeoutMs = Math.min(PROBE_MS, this.timeoutMs);
      const { code } = await this.#run(["show-keychain-info"], { timeoutMs });
      if (code === 0) return { ready: true, reason: "the user's keychain is there and unlocked" };
      return { ready: false, reason: "it is locked: unlock it with security unlock-keychain" };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #run(
    args: readonly string[],
    more: { readonly stdin?: string; readonly timeoutMs?: number } = {},
  ): Promise<PrivateResult> {
    const program = this.host.which(PROGRAM) ?? PROGRAM;
    return runPrivately({ program, args, timeoutMs: this.timeoutMs, ...more });
  }
}

function decode(stored: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(stored));
  } catch {
    throw new ServiceError(
      "unavailable",
      "Cannot use the Keychain: an item was changed by another program",
    );
  }
}

function failed(what: string, code: number): ServiceError {
  return new ServiceError(
    "unavailable",
    `Cannot use the Keychain: "${PROGRAM}" could not ${what} (it ended with ${code}): check that the keychain is unlocked`,
  );
}

function tooLarge(service: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot store "${service}": the Keychain takes about 2,800 bytes for an item through "${PROGRAM}": use --keychain file`,
  );
}

// Writes lines for the interactive mode of `security`, and parses the listing that it prints.

/** The longest line that `security` reads, in bytes, including the line break. */
const MAX_LINE_BYTES = 4_096;

/**
 * One line: a command and its arguments, quoted where needed.
 * @throws Error for a word that would end the line and begin another command.
 */
export function commandLine(words: readonly string[]): string {
  if (words.some((word) => /[\0\r\n]/.test(word))) {
    throw new Error("A line of security takes no line break");
  }
  return `${words.map(quote).join(" ")}\n`;
}

/** The accounts of all generic passwords of one service, from the output of `dump-keychain`. */
function accountsIn(dump: string, service: string): string[] {
  const blocks = dump.split(/^(?=keychain: )/m);
  return blocks.flatMap((block) => {
    if (!/^class: "?genp"?/m.test(block) || attribute(block, "svce") !== service) return [];
    const account = attribute(block, "acct");
    return account === undefined ? [] : [account];
  });
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

/** `"acct"<blob>="text"`, or `"acct"<blob>=0x62C3BC  "b\303\274"` where the text is not all ASCII. */
function attribute(block: string, name: string): string | undefined {
  const match = new RegExp(`^\\s*"${name}"<blob>=(?:0x([0-9A-F]+)|"(.*)"$)`, "m").exec(block);
  if (match === null) return undefined;
  const [, hex, text] = match;
  if (hex === undefined) return text;
  return new TextDecoder().decode(Uint8Array.fromHex(hex));
}
