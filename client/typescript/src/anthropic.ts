/**
 * The computer toolset of `@anthropic-ai/sdk`, performed by the service:
 * `client.beta.messages.toolRunner({ tools: [new ComputerToolset(computer, { confirm })], ... })`.
 */

import {
  BetaAbstractComputerToolset20260801,
  type BetaComputerToolsetOptions,
} from "@anthropic-ai/sdk/helpers/beta/toolsets/computer";
import type { AnswerAnthropicRequest, AnswerAnthropicResponse, ComputerControl } from "./mod.ts";

/** How pictures are made, and of which display. */
export type PictureOptions = Omit<
  AnswerAnthropicRequest,
  "content" | "tools" | "then_screenshot" | "after_action" | "shell" | "bash_timeout" | "memory_dir"
>;

export interface ComputerToolsetOptions extends BetaComputerToolsetOptions {
  readonly pictures?: PictureOptions | undefined;
}

type Execute = BetaAbstractComputerToolset20260801["execute"];
type Context = Parameters<Execute>[0];
type Result = Awaited<ReturnType<Execute>>;
type Block = AnswerAnthropicResponse["content"][number];

const MEMBERS_WITH_PICTURES: ReadonlySet<string> = new Set(["screenshot", "zoom"]);

/** Every member is one request; when the run is aborted, what it does stops at once. */
export class ComputerToolset extends BetaAbstractComputerToolset20260801 {
  readonly #computer: ComputerControl;
  readonly #pictures: PictureOptions;
  /** Whether the display may have changed since the last picture. */
  #acted = false;

  constructor(
    computer: ComputerControl,
    { pictures = {}, ...options }: ComputerToolsetOptions = {},
  ) {
    super(options);
    this.#computer = computer;
    this.#pictures = pictures;
  }

  protected override async execute(
    { signal, toolUse }: Context,
    name: Parameters<Execute>[1],
    input: Parameters<Execute>[2],
  ): Promise<Result> {
    const call = {
      type: "tool_use",
      id: toolUse?.id ?? name,
      name,
      toolset_name: "computer",
      input,
    };
    const after_action = this.#acted;
    this.#acted = !MEMBERS_WITH_PICTURES.has(name);
    const { content } = await this.#computer.agents.anthropic(
      { ...this.#pictures, content: [call], then_screenshot: false, after_action },
      { signal },
    );
    return readResult(name, content[0]!);
  }
}

/** @throws Error with the text that the model is answered. */
function readResult(name: string, { content, is_error }: Block): Result {
  const text = content.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
  if (is_error) throw new Error(text);
  if (MEMBERS_WITH_PICTURES.has(name)) {
    const picture = content.find((part) => part.type === "image");
    if (picture === undefined) throw new Error(`The service answered ${name} without a picture`);
    const { data, media_type } = picture.source;
    return { data, mediaType: media_type as "image/png" | "image/jpeg" | "image/webp" };
  }
  if (name !== "cursor_position") return;
  const [x, y] = (text.match(/-?\d+/g) ?? []).map(Number);
  return { x: x!, y: y! };
}
