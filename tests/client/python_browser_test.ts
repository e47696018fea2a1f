/**
 * The Python drivers of the browser toolset, in the official classes of the packages `openai`
 * and `anthropic`, on a real Chromium. `PYTHON_WITH_SDKS` names a Python that has them, and `httpx`.
 */

import { expect } from "expect";
import { startBrowserDesktop } from "../support/browser/browser_desktop.ts";
import { runPython } from "../support/python_client.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { SHOP_PAGE, textOf } from "./browser_turn.ts";
import { scriptClaude } from "./scripted_models.ts";

const PYTHON = Deno.env.get("PYTHON_WITH_SDKS");
const ignore = unless(
  PYTHON !== undefined,
  "PYTHON_WITH_SDKS names no Python with the vendors' packages",
);

/** Calls of every member, with `await` in front of each for the asynchronous toolset. */
function program(isAsync: boolean): string {
  const [prefix, wait] = isAsync ? ["Async", "await "] : ["", ""];
  return `
import asyncio, json, re, sys
from computer_control import ${prefix}ComputerControl
from computer_control.openai_browser import ${prefix}BrowserDriver
from openai.lib.browser import ${prefix}BrowserToolset
from openai.types.responses import ResponseFunctionToolCall
service, url = sys.argv[1:]
${isAsync ? "async def agree(*_): return True" : "def agree(*_): return True"}
tools = ${prefix}BrowserToolset(
    ${prefix}BrowserDriver(${prefix}ComputerControl(service)), confirm=agree, url_policy=agree,
    additional_members=["click_at", "drag_path", "hold_keys", "hover_at", "set_checked", "run_script", "read_diagnostics"])

${isAsync ? "async " : ""}def call(name, **arguments):
    arguments.setdefault("tab_id", None)
    if name in ("new_tab", "list_tabs"): del arguments["tab_id"]
    item = ResponseFunctionToolCall(type="function_call", id="f", call_id="c" + str(call.count), status="completed",
        name="browser_" + name, arguments=json.dumps(arguments))
    call.count += 1
    output = (${wait}tools.execute(item))["output"]
    first = json.loads(output if isinstance(output, str) else output[0]["text"])
    return name, first["ok"], first.get("state") if name == "list_tabs" else first.get("result"), first.get("error"), output
call.count = 0

${isAsync ? "async " : ""}def main():
    done = [${wait}call("navigate", url=url)]
    page = (${wait}call("read_page", filter="all"))[2]
    ref = lambda text: re.search('"%s" \\\\[ref=(\\\\w+)\\\\]' % text, page).group(1)
    for name, arguments in [
        ("click", dict(target=ref("Buy"))),
        ("click_at", dict(x=200, y=150, button="left", click_count=2, keys=["Control"])),
        ("type", dict(text="Grace", target=ref("Name"))),
        ("key", dict(keys=["Control", "a"])),
        ("type", dict(text="Lin", target=None)),
        ("select_option", dict(target=ref("Size"), values=["M"])),
        ("set_checked", dict(target=ref("Agree"), checked=True)),
        ("hover", dict(target=ref("Buy"))),
        ("hover_at", dict(x=10, y=10)),
        ("scroll", dict(direction="down", amount=2)),
        ("scroll", dict(direction="left", amount=0)),
        ("scroll_to", dict(target=ref("Buy"))),
        ("wait_for", dict(text="Buy", timeout_ms=2000)),
        ("find", dict(query="buy")),
        ("get_page_text", dict()),
        ("drag_path", dict(path=[dict(x=10, y=10), dict(x=20, y=20)], keys=[])),
        ("hold_keys", dict(keys=["Shift"], duration_ms=50)),
        ("run_script", dict(source="1 + 1", timeout_ms=1000)),
        ("read_diagnostics", dict(source="console", limit=10)),
        ("read_diagnostics", dict(source="network", limit=10)),
        ("screenshot", dict()),
        ("zoom", dict(region=[100, 100, 300, 200])),
        ("new_tab", dict(url=None)),
    ]:
        done.append(${wait}call(name, **arguments))
    tabs = (${wait}call("list_tabs"))[2]["tabs"]
    done.append(${wait}call("switch_tab", tab_id=tabs[1]["id"]))
    done.append(${wait}call("close_tab", tab_id=tabs[1]["id"]))
    gone = ${wait}call("click", target="e99999")
    print(json.dumps(dict(done=done, tabs=tabs, gone=gone)))
${isAsync ? "asyncio.run(main())" : "main()"}`;
}

for (const isAsync of [false, true]) {
  Deno.test({
    name: `in Python, ${isAsync ? "AsyncBrowserToolset" : "BrowserToolset"} drives the browser`,
    ignore,
    async fn() {
      await using desktop = await startBrowserDesktop({ evaluate: true });
      const { pages, service } = desktop;
      const url = await desktop.show("/shop", SHOP_PAGE);
      const printed = await runPython(PYTHON!, program(isAsync), [service.listen(), url]);
      const said: Said = JSON.parse(printed);
      const { done, tabs, gone } = said;
      const failed = done.filter(([, isOk]) => !isOk);
      expect(failed).toEqual([]);
      const results = Object.fromEntries(done);
      expect(Object.keys(results)).toContain("zoom");
      const resultOf = (name: string) => done.find(([each]) => each === name)![2];
      expect(resultOf("run_script")).toBe("2");
      expect(resultOf("find")).toMatch(/button "Buy" \[ref=e\d+\]/);
      expect(JSON.stringify(resultOf("read_diagnostics"))).toContain("hello");
      const picture = JSON.stringify(done.find(([name]) => name === "screenshot")![4]);
      expect(picture).toContain("data:image/png;base64,");
      expect(tabs.map(({ title }) => title)).toEqual(["Shop", expect.any(String)]);
      expect([gone[1], gone[3]]).toEqual([false, expect.stringContaining("take a new snapshot")]);
      const expression =
        "[...document.querySelectorAll('input, select')].map((each) => each.checked || each.value).join()";
      const { text } = await service.call("/api/browser/evaluate", { expression }) as {
        text: string;
      };
      expect(text).toBe('"Lin,true,M,"');
      await waitFor(() => pages.reports.includes("click 2 ctrl"), { what: "the double click" });
    },
  });
}

const ENABLED = ["file_upload", "read_console", "read_network", "javascript_exec"];

function claudeProgram(isAsync: boolean): string {
  const [prefix, wait] = isAsync ? ["Async", "await "] : ["", ""];
  return `
import asyncio, json, sys
from anthropic import ${prefix}Anthropic
from computer_control import ${prefix}ComputerControl
from computer_control.anthropic_browser import ${prefix}BrowserToolset
service, api = sys.argv[1:]
${isAsync ? "async def agree(*_): return True" : "def agree(*_): return True"}
${isAsync ? "async " : ""}def main():
    tools = [${prefix}BrowserToolset(${prefix}ComputerControl(service), confirm=agree,
        configs={name: {"enabled": True} for name in ${JSON.stringify(ENABLED)}})]
    client = ${prefix}Anthropic(api_key="none", base_url=api)
    runner = client.beta.messages.tool_runner(tools=tools, model="claude-opus-5-5", max_tokens=100,
        messages=[{"role": "user", "content": "go"}])
    print(json.dumps((${wait}runner.until_done()).content[0].text))
${isAsync ? "asyncio.run(main())" : "main()"}`;
}

for (const isAsync of [false, true]) {
  Deno.test({
    name: `in Python, the tool runner of ${
      isAsync ? "AsyncAnthropic" : "Anthropic"
    } drives the browser`,
    ignore,
    async fn() {
      await using desktop = await startBrowserDesktop({ evaluate: true });
      const { pages, service } = desktop;
      const url = await desktop.show("/shop", SHOP_PAGE);
      const ref = async (text: string) => ({ type: "ref", ref: await desktop.refOf(text) });
      const at = { type: "coordinate", x: 200, y: 150 };
      const model = scriptClaude([
        ["find", { query: "buy" }],
        ["read_page", { filter: "interactive" }],
        ["get_page_text", {}],
        ["left_click", { target: at, modifiers: "ctrl" }],
        ["double_click", { target: await ref('"Buy"') }],
        ["hover", { target: at }],
        ["left_mouse_down", { target: at }],
        ["left_mouse_up", { target: at }],
        ["left_click_drag", { from: at, target: { type: "coordinate", x: 220, y: 160 } }],
        ["scroll", { target: at, scroll_direction: "up" }],
        ["screenshot", {}],
        ["zoom", { region: [100, 100, 300, 200] }],
        ["read_console", {}],
        ["read_network", {}],
        ["javascript_exec", { text: "1 + 1" }],
        ["wait", { duration: 0.05 }],
        ["form_input", { target: await ref('"Agree"'), value: true }],
        ["left_click", { target: await ref('"Name"') }],
        ["type", { text: "Ada" }],
        ["key", { text: "BackSpace", repeat: 2 }],
        ["hold_key", { text: "a", duration: 0.1 }],
        ["scroll_to", { target: await ref('"Low"') }],
        ["left_click", { target: await ref('"Ask"') }],
        ["list_tabs", {}],
        ["new_tab", {}],
        ["navigate", { url }],
        ["left_click", { target: { type: "ref", ref: "e99999" } }],
      ], "browser");
      await using api = Deno.serve({ port: 0, onListen() {} }, (request) => model.answer(request));
      const address = `http://127.0.0.1:${api.addr.port}`;
      const args = [service.listen(), address];
      expect(JSON.parse(await runPython(PYTHON!, claudeProgram(isAsync), args))).toBe("done");
      const results = model.requests[1].messages.at(-1).content;
      const texts = results.map(textOf);
      const failed = texts.filter((_: string, index: number) => results[index].is_error);
      expect(failed).toEqual([expect.stringContaining("take a new snapshot")]);
      expect(texts[0]).toMatch(/button "Buy" \[ref=e\d+\]/);
      expect(texts.slice(3, 5)).toEqual(["Clicked.", "Double-clicked."]);
      expect(texts[12]).toContain("hello");
      expect(texts[14]).toBe("2");
      expect(texts.join("\n")).toContain('A confirm dialog "Sure?" was dismissed.');
      expect(texts[25]).toMatch(/^Navigated to .*Shop.*200/);
      const state = results[24].content.find(({ type }: { type: string }) =>
        type === "browser_state"
      );
      expect(state.tabs.length).toBe(2);
      expect(pages.reports).toEqual(expect.arrayContaining(["click 1 ctrl", "click 2", "key a"]));
    },
  });
}

type Done = readonly [
  name: string,
  isOk: boolean,
  result: unknown,
  error: string | null,
  output: unknown,
];

interface Said {
  readonly done: readonly Done[];
  readonly tabs: readonly { readonly title: string }[];
  readonly gone: Done;
}
