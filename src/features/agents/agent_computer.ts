/**
 * The computer as a model's actions see it: a display with a mouse and a keyboard, whose keys have
 * any vendor's names. Each call is one of our operations.
 */

import { ServiceError } from "../../core/errors.ts";
import { AgentDisplay, type Spot } from "./agent_display.ts";
import { domKeyNames, keyName } from "./key_names.ts";

export type ButtonName = "left" | "middle" | "right" | "back" | "forward";

export interface ClickOptions {
  readonly button: ButtonName;
  /** 1 to 3. */
  readonly count?: number;
  /** Without it, at the cursor. */
  readonly at?: Spot | undefined;
  readonly modifiers?: readonly string[];
}

export interface DragOptions {
  /** Without it, at the cursor. */
  readonly from?: Spot | undefined;
  readonly path?: readonly Spot[];
  readonly to: Spot;
  readonly button?: ButtonName;
  readonly modifiers?: readonly string[];
}

export interface ScrollOptions {
  readonly at?: Spot | undefined;
  /** Notches to the right; negative is left. */
  readonly right?: number;
  /** Notches down; negative is up. */
  readonly down?: number;
  readonly modifiers?: readonly string[];
}

export class AgentComputer extends AgentDisplay implements AsyncDisposable {
  readonly #keys = new Set<string>();
  readonly #buttons = new Set<ButtonName>();

  async click({ button, count = 1, at, modifiers = [] }: ClickOptions): Promise<void> {
    const keys = modifiers.map(keyName);
    if (button !== "back" && button !== "forward") {
      const input = { ...await this.locate(at), modifiers: keys, click_count: count };
      await this.call(`${button}Click`, input);
      this.#buttons.delete(button);
      return;
    }
    await this.withKeys(keys, async () => {
      const found = await this.locate(at);
      for (let time = 0; time < count; time++) {
        await this.call("mouseDown", { button, ...found });
        await this.call("mouseUp", { button });
      }
    });
  }

  async move(to: Spot): Promise<void> {
    await this.call("moveMouse", await this.locate(to));
  }

  async drag({ from, path = [], to, button = "left", modifiers = [] }: DragOptions): Promise<void> {
    const coordinates = await this.coordinates();
    const map = (spot: Spot) => "ref" in spot ? spot : coordinates.toScreen(spot.point, spot.field);
    await this.call("dragMouse", {
      ...(from === undefined ? {} : { from: map(from) }),
      path: path.map(map),
      ...map(to),
      button,
      modifiers: modifiers.map(keyName),
    });
    this.#buttons.delete(button);
  }

  async scroll({ at, right = 0, down = 0, modifiers = [] }: ScrollOptions): Promise<void> {
    await this.call("scrollMouse", {
      ...await this.locate(at),
      clicks: down === 0 ? 0 : -down,
      horizontal_clicks: right,
      modifiers: modifiers.map(keyName),
    });
  }

  /** Presses a button; it stays pressed after the turn, unless the client leaves. */
  async pressButton(button: ButtonName, at?: Spot): Promise<void> {
    this.#buttons.add(button);
    await this.call("mouseDown", { button, ...await this.locate(at) });
  }

  async releaseButton(button: ButtonName, at?: Spot): Promise<void> {
    await this.call("mouseUp", { button, ...await this.locate(at) });
    this.#buttons.delete(button);
  }

  /** Presses keys together, `repeat` times; see {@link keyName} for the names. */
  async pressKeys(
    keys: readonly string[],
    { repeat = 1, durationMs = 0 }: { readonly repeat?: number; readonly durationMs?: number } = {},
  ): Promise<void> {
    const key = keys.map(keyName).join("+");
    await this.call("pressKey", { key, repeat, duration_ms: durationMs });
  }

  /** Presses keys together; see {@link domKeyNames} for the names. */
  async hotkey(keys: readonly string[]): Promise<void> {
    await this.call("pressHotkey", { keys: domKeyNames(keys) });
  }

  /** Presses a key; it stays pressed after the turn, unless the client leaves. */
  async holdKey(key: string): Promise<void> {
    this.#keys.add(keyName(key));
    await this.call("holdKey", { key: keyName(key) });
  }

  async releaseKey(key: string): Promise<void> {
    await this.call("releaseKey", { key: keyName(key) });
    this.#keys.delete(keyName(key));
  }

  /** Holds keys while `act` runs, also one that cannot take modifiers itself. */
  async withKeys(keys: readonly string[], act: () => Promise<void>): Promise<void> {
    const held: string[] = [];
    try {
      for (const key of keys) {
        held.push(key);
        await this.holdKey(key);
      }
      await act();
    } finally {
      await this.#release(held.reverse(), []);
    }
  }

  /** @param ref the element that gets the keyboard first */
  async type(text: string, ref?: string): Promise<void> {
    await this.call("typeText", { text, ...(ref === undefined ? {} : { ref }) });
  }

  /** Releases what the turn has pressed when its client has left. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.context.signal.aborted) await this.#release([...this.#keys], [...this.#buttons]);
  }

  /** Runs even when the client has left. */
  async #release(keys: readonly string[], buttons: readonly ButtonName[]): Promise<void> {
    const { calls } = this.context;
    const { display_num } = this.options;
    const { signal } = new AbortController();
    for (const button of buttons) {
      await calls.prepare("mouseUp", { button, display_num }).run({ signal });
      this.#buttons.delete(button);
    }
    for (const key of keys) {
      try {
        await calls.prepare("releaseKey", { key, display_num }).run({ signal });
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === "invalid")) throw error; // no such key
      }
      this.#keys.delete(key);
    }
  }
}
