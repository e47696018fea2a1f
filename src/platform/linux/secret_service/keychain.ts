/**
 * The Secret Service of a desktop session: secrets pass through `secret-tool`, names and lock state
 * over D-Bus.
 */

import { ServiceError } from "../../../core/errors.ts";
import { KeyedLock } from "../../../core/locks.ts";
import type { Host } from "../../host.ts";
import type { SystemKeychain } from "../../keychain/open_keychain.ts";
import { type PrivateResult, runPrivately } from "../../keychain/private_file.ts";
import type { Keychain, Readiness } from "../../types/mod.ts";
import { APPLICATION, checkUnlocked, storedNames } from "./secret_service.ts";

/** How long the service has to show that it runs and is unlocked. */
const PROBE_MS = 2_000;
const PROGRAM = "secret-tool";
/** The exit code of `secret-tool`, without a message, when there is no such item. */
const NOT_FOUND = 1;
/** `secret-tool` reads this many bytes of a secret and silently drops the rest. */
const MAX_BYTES = 8_192;

export function secretService(
  host: Host,
  { timeoutMs }: { readonly timeoutMs: number },
): SystemKeychain {
  return {
    kind: "secret-service",
    title: "the Secret Service",
    open: () => Promise.resolve(new SecretServiceKeychain(host, timeoutMs)),
  };
}

class SecretServiceKeychain implements Keychain {
  readonly #changes = new KeyedLock<string>();

  constructor(private readonly host: Host, private readonly timeoutMs: number) {}

  async read(service: string): Promise<string | undefined> {
    await this.#checkUnlocked(this.timeoutMs);
    const { code, stdout, complained } = await this.#run(["lookup"], service);
    if (code === 0) return stdout;
    if (code === NOT_FOUND && !complained) return undefined;
    throw failed(`cannot look up an item (it ended with ${code})`);
  }

  write(service: string, secret: string): Promise<void> {
    return this.#changes.run([service], () => this.#store(service, secret));
  }

  remove(service: string): Promise<void> {
    return this.#changes.run([service], () => this.#clear(service));
  }

  async #store(service: string, secret: string): Promise<void> {
    if (new TextEncoder().encode(secret).byteLength > MAX_BYTES) throw tooLarge(service);
    await this.#checkUnlocked(this.timeoutMs);
    const label = `--label=Computer Control: ${service}`;
    const { code } = await this.#run(["store", label], service, secret);
    if (code !== 0) throw failed(`cannot store an item (it ended with ${code})`);
  }

  async #clear(service: string): Promise<void> {
    await this.#checkUnlocked(this.timeoutMs);
    const { code, complained } = await this.#run(["clear"], service);
    if (code === 0 || code === NOT_FOUND && !complained) return;
    throw failed(`cannot delete an item (it ended with ${code})`);
  }

  async names(): Promise<string[]> {
    return await storedNames({ address: this.#address(), timeoutMs: this.timeoutMs });
  }

  async readiness(): Promise<Readiness> {
    try {
      if (this.host.which(PROGRAM) === undefined) {
        throw failed("is not installed: run apt-get install libsecret-tools");
      }
      await this.#checkUnlocked(PROBE_MS);
      return { ready: true, reason: "the session's keyring is available and unlocked" };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #checkUnlocked(timeoutMs: number): Promise<void> {
    return checkUnlocked({ address: this.#address(), timeoutMs });
  }

  #run(command: readonly string[], service: string, stdin?: string): Promise<PrivateResult> {
    return runPrivately({
      program: this.host.which(PROGRAM) ?? PROGRAM,
      // names go after "--", because one that begins with "-" would be parsed as an option
      args: [...command, "--", "application", APPLICATION, "service", service],
      // without a UTF-8 locale it garbles names beyond ASCII
      env: { DBUS_SESSION_BUS_ADDRESS: this.#address(), LC_ALL: "C.UTF-8" },
      ...(stdin === undefined ? {} : { stdin }),
      timeoutMs: this.timeoutMs,
    });
  }

  /** @throws ServiceError `unavailable` when this is no desktop session. */
  #address(): string {
    const { env, uid } = this.host;
    const given = env["DBUS_SESSION_BUS_ADDRESS"];
    if (given) return given;
    const socket = `${env["XDG_RUNTIME_DIR"] ?? `/run/user/${uid}`}/bus`;
    if (this.host.exists(socket)) return `unix:path=${socket}`;
    throw new ServiceError(
      "unavailable",
      "Cannot use the Secret Service: there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)",
    );
  }
}

function failed(state: string): ServiceError {
  return new ServiceError("unavailable", `Cannot use the Secret Service: "${PROGRAM}" ${state}`);
}

function tooLarge(service: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot store "${service}": "${PROGRAM}" stores at most ${MAX_BYTES} bytes per item: use --keychain file`,
  );
}
