/** The keyboard, through cliclick, which finds characters on the active layout itself. */

import { ServiceError } from "../../core/errors.ts";
import { missing } from "../open_port.ts";
import type { Key, Keyboard, PlanOptions, TextPlan } from "../types/mod.ts";
import type { Desktop } from "./desktop.ts";
import { findMacKey } from "./mac_keys.ts";
import type { Pasteboard } from "./pasteboard.ts";
import type { StepQueue } from "./queue.ts";
import { planText } from "./text_plan.ts";

export class MacosKeyboard implements Keyboard {
  readonly heldByOthers = missing("cliclick cannot tell who holds a modifier down");

  constructor(
    private readonly queue: StepQueue,
    private readonly pasteboard: Pasteboard,
    private readonly desktop: Desktop,
  ) {}

  prepare(keys: readonly Key[]): void {
    for (const key of keys) {
      if (findMacKey(key) !== undefined) continue;
      throw new ServiceError(
        "unsupported",
        `Cannot press "${key.name}": cliclick has no such key; characters can be typed with keyboard/type`,
      );
    }
  }

  press(key: Key): void {
    this.#add(key, true);
  }

  release(key: Key): void {
    this.#add(key, false);
  }

  async plan(text: string, options: PlanOptions = { delayMs: 0 }): Promise<TextPlan> {
    const { queue, pasteboard } = this;
    const { layout } = await this.desktop.lookForInput();
    return planText(text, { queue, pasteboard, layout, options });
  }

  #add(key: Key, down: boolean): void {
    const found = findMacKey(key);
    if (found !== undefined) this.queue.add({ kind: "key", key: found, name: key.name, down });
  }
}
