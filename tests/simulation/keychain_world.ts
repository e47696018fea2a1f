/** Secrets that are stored, typed and deleted while programs show them: no answer has one that is stored. */

import { unlessAborted } from "../../src/core/deadline.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { encodeText } from "../../src/core/texts.ts";
import { KnownSecrets } from "../../src/features/secrets/known_secrets.ts";
import { itemToText } from "../../src/features/secrets/stored.ts";
import { available } from "../../src/platform/capability.ts";
import type { Clipboard } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import { FakeWindows } from "../support/fake_windows.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
} from "./callers.ts";
import { type Scenario, World } from "./world.ts";

/** @throws Error as {@link simulate} */
export async function simulateKeychain(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new KeychainRun(world);
    await run.callers.callAll(calls, (number) => run.randomCall(number));
    await run.callers.end();
  });
}

interface Secret {
  readonly service: string;
  readonly value: string;
  /** The call that stores it; none for what was there at the start. */
  readonly stored: Started<Call> | undefined;
}

class KeychainRun {
  readonly callers: Callers<Call>;
  readonly #logged: readonly string[];
  readonly #known: KnownSecrets;

  constructor(private readonly world: World) {
    const app = testApp();
    this.#logged = app.logged;
    this.#known = app.session.use(KnownSecrets);
    this.callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    const { platform } = app;
    const { secrets } = platform;
    secrets.stored.set("old", itemToText(new Map([["password", "old-value-of-a-secret"]])));
    for (const name of ["read", "write", "remove", "names"] as const) {
      const ask = secrets[name].bind(secrets) as (...args: string[]) => Promise<unknown>;
      const slow = async (...args: string[]) => {
        await world.answer("keychain", () => {});
        return await ask(...args);
      };
      Object.assign(secrets, { [name]: slow });
    }
    const windows = new FakeWindows();
    platform.screen().windows = available(windows);
    const list = windows.list.bind(windows);
    windows.list = async () => {
      windows.show({ id: "w1", title: `${this.#anyValue()} - Editor` });
      return await list();
    };
    platform.screen().clipboard = available<Clipboard>({
      read: async ({ signal }) => {
        const content = await unlessAborted(
          world.answer("clipboard", () => this.#anyValue()),
          signal,
        );
        const text = [...encodeText(`before ${content} after`)];
        return { content: { text }, available: ["text"], types: ["UTF8_STRING"] };
      },
      write: () => Promise.resolve(),
      clear: () => Promise.resolve(),
      beginPasting: () => {
        throw new ServiceError("unsupported", "Nobody pastes");
      },
    });
  }

  randomCall(number: number): Call {
    const { world } = this;
    const service = `s${number}`;
    const item = { password: `value-${number}-of-a-secret` };
    const { service: other } = world.pick(this.#secrets());
    const window = { window: { title: "of-a-secret" } };
    return world.pickKind<Call>([
      { path: "keychain/set-item", body: { service, item } },
      { path: "keychain/delete-item", body: { service: other } },
      { path: "keyboard/type", body: { secret: { service: other, field: "password" } } },
      { path: "clipboard/get", body: {} },
      { path: "clipboard/get", body: {} },
      { path: "display/wait", body: { until: window, timeout_ms: 500 } },
      {
        path: "batch",
        body: { steps: [{ operation: "window.list" }, { operation: "clipboard.get" }] },
      },
    ], operationOf);
  }

  #secrets(): readonly Secret[] {
    const stored = this.callers.all.filter(({ call }) => call.path === "keychain/set-item");
    return [
      { service: "old", value: "old-value-of-a-secret", stored: undefined },
      ...stored.map((each) => {
        const { service, item } = each.call.body as { service: string; item: { password: string } };
        return { service, value: item.password, stored: each };
      }),
    ];
  }

  #anyValue(): string {
    return this.world.pick(this.#secrets()).value;
  }

  #checkAnswer(each: Started<Call>): void {
    const { text } = each.answer!;
    const lines = [...this.#logged, ...this.world.logged];
    if (lines.some((line) => line.includes("of-a-secret"))) {
      throw new Error("The log has a secret");
    }
    if (this.#known.gap !== undefined) return; // the keychain could not be read
    for (const { service, value, stored } of this.#secrets()) {
      if (!text.includes(value)) continue;
      const since = stored === undefined ? -1 : isDone(stored) ? stored.answer!.endedMs : Infinity;
      const wasDeleted = this.callers.all.some(({ call }) =>
        call.path === "keychain/delete-item" && (call.body as Secret).service === service
      );
      // what is being stored, or may be deleted, can be shown
      if (since < each.startedMs && !wasDeleted) {
        throw new Error(`${describe(each)} shows ${value}`);
      }
    }
  }
}
