/** Actions of OpenAI's models, performed by the service one at a time. */

import type { AnswerOpenaiRequest, CallOptions, ComputerControl } from "./mod.ts";

/** How pictures are made, and of which display. */
export type PictureOptions = Omit<
  AnswerOpenaiRequest,
  "output" | "acknowledged_safety_checks" | "then_screenshot" | "after_action" | "workspace"
>;

/** Its other fields are those that the vendor gives it. */
export interface Action {
  readonly type: string;
}

interface Item {
  readonly type: string;
  readonly content?: readonly { readonly text: string }[];
  readonly output?: { readonly image_url: string };
}

export class OpenAIActions {
  /** Whether the display may have changed since the last picture. */
  #acted = false;

  constructor(
    private readonly computer: ComputerControl,
    private readonly pictures: PictureOptions = {},
  ) {}

  /** @throws Error with the text that the model is answered. */
  async perform(action: Action, options?: CallOptions): Promise<void> {
    this.#acted = true;
    await this.#call(action, { ...this.pictures, then_screenshot: false }, options);
  }

  /** Gives a data URL. */
  async screenshot(options?: CallOptions): Promise<string> {
    const input = { ...this.pictures, after_action: this.#acted };
    const items = await this.#call({ type: "screenshot" }, input, options);
    this.#acted = false;
    const url = items.find(({ type }) => type === "computer_call_output")?.output?.image_url;
    if (url === undefined) throw new Error("The service answered without a picture");
    return url;
  }

  async #call(
    action: Action,
    input: PictureOptions & { readonly then_screenshot?: boolean },
    options?: CallOptions,
  ): Promise<readonly Item[]> {
    const call = { type: "computer_call", call_id: "call", status: "completed", actions: [action] };
    const answer = await this.computer.agents.openai({ ...input, output: [call] }, options);
    const items = answer.input as readonly Item[];
    const failure = items.find(({ type }) => type === "message");
    if (failure) throw new Error(failure.content?.map(({ text }) => text).join("\n"));
    return items;
  }
}
