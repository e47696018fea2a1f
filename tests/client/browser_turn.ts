/** A page to act on, and one turn of a scripted model on it. */

import Anthropic from "@anthropic-ai/sdk";
import type { BrowserToolset } from "../../client/typescript/src/anthropic_browser.ts";
import { CLAUDE, scriptClaude } from "./scripted_models.ts";

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

export const SHOP_PAGE = `<title>Shop</title><body style="margin:0">
<button style="position:absolute;left:100px;top:100px;width:200px;height:100px"
  onclick="report('click ' + event.detail + (event.ctrlKey ? ' ctrl' : ''))"
  onmousedown="report('down')" onmouseup="report('up')">Buy</button>
<input aria-label="Name" style="position:absolute;top:300px" onkeydown="report('key ' + event.key)">
<input type="checkbox" aria-label="Agree" style="position:absolute;top:350px">
<select aria-label="Size" style="position:absolute;top:400px"><option>S<option>M</select>
<button style="position:absolute;top:450px" onclick="confirm('Sure?'); report('asked')">Ask</button>
<form aria-label="Order" style="position:absolute;top:500px"><input aria-label="Street"></form>
<a style="position:absolute;top:3000px" href="#x">Low</a><script>console.log("hello")</script>`;

/** What the toolset answers to calls of the model. */
export async function runTurn(
  toolset: BrowserToolset,
  calls: readonly (readonly [name: string, input: object])[],
): Promise<readonly Json[]> {
  const named = calls.map(([name, input]) => [name, input as Record<string, unknown>] as const);
  const model = scriptClaude(named, "browser");
  const client = new Anthropic({
    apiKey: "none",
    fetch: (url, init) => model.answer(new Request(url, init)),
  });
  await client.beta.messages.toolRunner({
    ...{ model: CLAUDE, max_tokens: 100, tools: [toolset] },
    messages: [{ role: "user" as const, content: "go" }],
  }).runUntilDone();
  return model.requests[1].messages.at(-1).content;
}

export function textOf({ content }: Json): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text }: Json) => type === "text" ? [text] : []).join("\n");
}
