/**
 * An agent in ten lines: Claude works on this computer until it is done.
 *
 *     (cd client/typescript && npm install && npm pack)
 *     npm install --no-save ./client/typescript/computer-control-client-*.tgz @anthropic-ai/sdk
 *     node examples/claude_agent.ts "Which windows are open?"        (from 22.18)
 *
 * ANTHROPIC_API_KEY is your key; COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the
 * service is. Everything that the model asks for is done: run it on a computer that you can lose.
 */

import Anthropic from "@anthropic-ai/sdk";
import { ComputerControl } from "computer-control-client";
import { ComputerToolset } from "computer-control-client/anthropic";
import process from "node:process";

const answer = await new Anthropic().beta.messages.toolRunner({
  model: "claude-opus-5-5",
  max_tokens: 4096,
  tools: [new ComputerToolset(new ComputerControl(), { confirm: () => true })],
  messages: [{ role: "user", content: process.argv[2] ?? "Which windows are open?" }],
});
for (const block of answer.content) if (block.type === "text") console.log(block.text);
