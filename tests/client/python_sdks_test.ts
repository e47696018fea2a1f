/**
 * The Python drivers, in the official classes of the packages `anthropic`, `openai` and
 * `openai-agents`: the models are scripted, all else is real. Debian has none of these packages:
 * `PYTHON_WITH_SDKS` names a Python that has them, and `httpx`.
 */

import { expect } from "expect";
import { type RecordedDesktop, startRecordedDesktop } from "../support/desktop.ts";
import { decodePng } from "../support/png.ts";
import { runPython } from "../support/python_client.ts";
import { unless } from "../support/test_if.ts";
import { scriptClaude, type ScriptedModel, scriptGpt } from "./scripted_models.ts";

const PYTHON = Deno.env.get("PYTHON_WITH_SDKS");
const ignore = unless(
  PYTHON !== undefined,
  "PYTHON_WITH_SDKS names no Python with the vendors' packages",
);

const CLAUDE_CALLS = [
  ["left_click", { coordinate: [40, 30], text: "ctrl" }],
  ["type", { text: "Grüße" }],
  ["key", { text: "Tab", repeat: 2 }],
  ["cursor_position", {}],
  ["screenshot", {}],
  ["left_click", { coordinate: [9_999, 1] }],
  ["type", { text: "no" }],
] as const;

const GPT_ACTIONS = [
  { type: "click", button: "left", x: 40, y: 30, keys: ["CTRL"] },
  { type: "type", text: "Grüße" },
  { type: "keypress", keys: ["TAB"] },
  { type: "drag", path: [{ x: 10, y: 10 }, { x: 90, y: 80 }] },
  { type: "screenshot" },
];

const HEAD = "import asyncio, sys\nfrom computer_control import *\nservice, api = sys.argv[1:]\n";
const ANTHROPIC = `
from anthropic import Anthropic, AsyncAnthropic
from computer_control.anthropic import AsyncComputerToolset, ComputerToolset
PARAMS = dict(model="claude-opus-5-5", max_tokens=100, messages=[{"role": "user", "content": "go"}])
`;

const scripts: { name: string; model: () => ScriptedModel; code: string }[] = [
  {
    name: "the tool runner of Anthropic",
    model: () => scriptClaude(CLAUDE_CALLS),
    code: `${ANTHROPIC}
tools = [ComputerToolset(ComputerControl(service), confirm=lambda context: True)]
client = Anthropic(api_key="none", base_url=api)
print(client.beta.messages.tool_runner(tools=tools, **PARAMS).until_done().content[0].text)`,
  },
  {
    name: "the tool runner of AsyncAnthropic",
    model: () => scriptClaude(CLAUDE_CALLS),
    code: `${ANTHROPIC}
async def main():
    tools = [AsyncComputerToolset(AsyncComputerControl(service), confirm=lambda context: True)]
    client = AsyncAnthropic(api_key="none", base_url=api)
    print((await client.beta.messages.tool_runner(tools=tools, **PARAMS).until_done()).content[0].text)
asyncio.run(main())`,
  },
  {
    name: "ComputerToolset of openai",
    model: () => scriptGpt(GPT_ACTIONS),
    code: `
from openai import OpenAI
from openai.lib.computer import ComputerToolset
from computer_control.openai import ComputerDriver
tools = ComputerToolset(ComputerDriver(ComputerControl(service)))
client = OpenAI(api_key="none", base_url=api + "/v1")
print(tools.run(client, {"model": "gpt-5.4", "input": "go"}).output_text)`,
  },
  {
    name: "AsyncComputerToolset of openai",
    model: () => scriptGpt(GPT_ACTIONS),
    code: `
from openai import AsyncOpenAI
from openai.lib.computer import AsyncComputerToolset
from computer_control.openai import AsyncComputerDriver
async def main():
    tools = AsyncComputerToolset(AsyncComputerDriver(AsyncComputerControl(service)))
    client = AsyncOpenAI(api_key="none", base_url=api + "/v1")
    print((await tools.run(client, {"model": "gpt-5.4", "input": "go"})).output_text)
asyncio.run(main())`,
  },
  ...[["AgentsComputer", "ComputerControl"], ["AsyncAgentsComputer", "AsyncComputerControl"]].map((
    [own, control],
  ) => ({
    name: `the runner of openai-agents with ${own}`,
    model: () => scriptGpt(GPT_ACTIONS),
    code: `
from agents import Agent, ComputerTool, OpenAIResponsesModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI
from computer_control.openai_agents import ${own}
set_tracing_disabled(True)
model = OpenAIResponsesModel("gpt-5.4", AsyncOpenAI(api_key="none", base_url=api + "/v1"))
agent = Agent(name="desk", model=model, tools=[ComputerTool(${own}(${control}(service)))])
print(Runner.run_sync(agent, "go").final_output)`,
  })),
];

for (const { name, model: script, code } of scripts) {
  Deno.test({
    name: `in Python, ${name} clicks and types on a real display`,
    ignore,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const model = script();
      await using api = Deno.serve({ port: 0, onListen() {} }, (request) => model.answer(request));
      const address = `http://127.0.0.1:${api.addr.port}`;
      const printed = await runPython(PYTHON!, HEAD + code, [desktop.service.listen(), address]);
      expect(printed).toBe("done\n");
      await desktop.recorder.sync();
      const last = model.requests.at(-1);
      if ("messages" in last) checkClaude(desktop, last.messages.at(-1).content);
      else checkGpt(desktop, last.input.at(-1));
    },
  });
}

// deno-lint-ignore no-explicit-any -- the API's own form
function checkClaude({ recorder }: RecordedDesktop, results: any[]): void {
  expect(results.map(({ is_error = false }) => is_error))
    .toEqual([...Array(5).fill(false), true, true]);
  expect(JSON.stringify(results[3].content)).toMatch(/X=40, ?Y=30/);
  const { source } = results[4].content.find(({ type }: { type: string }) => type === "image");
  checkPicture(source.data);
  expect(JSON.stringify(results[5].content)).toMatch(/outside the picture/);
  expect(JSON.stringify(results[6].content)).toMatch(/Not executed: an earlier computer action/);
  expect(recorder.text).toBe("Grüße\t\t");
  expect(recorder.buttonEvents.map(({ what, x, y }) => [what, x, y]))
    .toEqual([["button down", 40, 30], ["button up", 40, 30]]);
}

// deno-lint-ignore no-explicit-any -- the API's own form
function checkGpt({ recorder }: RecordedDesktop, item: any): void {
  expect([item.type, item.call_id]).toEqual(["computer_call_output", "call_1"]);
  checkPicture(item.output.image_url.replace("data:image/png;base64,", ""));
  expect(recorder.text).toBe("Grüße\t");
  expect(recorder.buttonEvents.map(({ what, x, y }) => [what, x, y])).toEqual([
    ...[["button down", 40, 30], ["button up", 40, 30]],
    ...[["button down", 10, 10], ["button up", 90, 80]],
  ]);
  expect(recorder.strokes).toMatch(/^\+Control_L -Control_L /);
}

function checkPicture(base64: string): void {
  const { width, height } = decodePng(Uint8Array.fromBase64(base64));
  expect([width, height]).toEqual([1280, 800]);
}
