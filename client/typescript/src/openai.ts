/**
 * The driver of `openai/helpers/computer`, performed by the service:
 * `new ComputerToolset(createComputerDriver(computer)).run(client, { model, input })`.
 */

import type { ComputerDriver } from "openai/helpers/computer";
import type { ComputerControl } from "./mod.ts";
import { type Action, OpenAIActions, type PictureOptions } from "./openai_actions.ts";

export type { PictureOptions } from "./openai_actions.ts";

/** Every action is one request; when the run is aborted, what it does stops at once. */
export function createComputerDriver(
  computer: ComputerControl,
  pictures?: PictureOptions,
): ComputerDriver {
  const actions = new OpenAIActions(computer, pictures);
  const perform = (action: Action, options: { readonly signal: AbortSignal | undefined }) =>
    actions.perform(action, options);
  return {
    click: perform,
    double_click: perform,
    drag: perform,
    keypress: perform,
    move: perform,
    scroll: perform,
    type: perform,
    wait: perform,
    screenshot: async (options) => ({
      type: "computer_screenshot",
      image_url: await actions.screenshot(options),
    }),
  };
}
