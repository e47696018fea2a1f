/**
 * The `Computer` of `@openai/agents`, performed by the service:
 * `new Agent({ tools: [computerTool({ computer: new AgentsComputer(computer) })], ... })`.
 */

import type { Computer } from "@openai/agents-core";
import type { ComputerControl } from "./mod.ts";
import { type Action, OpenAIActions, type PictureOptions } from "./openai_actions.ts";

export type { PictureOptions } from "./openai_actions.ts";

type Button = Parameters<Computer["click"]>[2];

export class AgentsComputer implements Computer {
  readonly #actions: OpenAIActions;

  constructor(computer: ComputerControl, pictures?: PictureOptions) {
    this.#actions = new OpenAIActions(computer, pictures);
  }

  /** Gives Base64. */
  async screenshot(): Promise<string> {
    const url = await this.#actions.screenshot();
    return url.slice(url.indexOf(",") + 1);
  }

  click(x: number, y: number, button: Button): Promise<void> {
    return this.#perform({ type: "click", x, y, button });
  }

  doubleClick(x: number, y: number): Promise<void> {
    return this.#perform({ type: "double_click", x, y });
  }

  scroll(x: number, y: number, scroll_x: number, scroll_y: number): Promise<void> {
    return this.#perform({ type: "scroll", x, y, scroll_x, scroll_y });
  }

  type(text: string): Promise<void> {
    return this.#perform({ type: "type", text });
  }

  wait(): Promise<void> {
    return this.#perform({ type: "wait" });
  }

  move(x: number, y: number): Promise<void> {
    return this.#perform({ type: "move", x, y });
  }

  keypress(keys: string[]): Promise<void> {
    return this.#perform({ type: "keypress", keys });
  }

  drag(path: [number, number][]): Promise<void> {
    return this.#perform({ type: "drag", path: path.map(([x, y]) => ({ x, y })) });
  }

  #perform(action: Action & Readonly<Record<string, unknown>>): Promise<void> {
    return this.#actions.perform(action);
  }
}
