/**
 * The Python drivers of the browser toolset, in the official classes of the package `openai`, on a
 * real Chromium. `PYTHON_WITH_SDKS` names a Python that has it, and `httpx`.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { startBrowserDesktop } from "../support/browser/browser_desktop.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { SHOP_PAGE } from "./browser_turn.ts";

const PYTHON = Deno.env.get("PYTHON_WITH_SDKS");
const SOURCE = fileURLToPath(new URL("../../client/python/src", import.meta.url));
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
      const { done, tabs, gone } = await runPython(program(isAsync), [service.listen(), url]);
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

async function runPython(code: string, args: readonly string[]): Promise<Said> {
  const { success, stdout, stderr } = await new Deno.Command(PYTHON!, {
    args: ["-B", "-c", code, ...args],
    env: { PYTHONPATH: SOURCE, PYTHONIOENCODING: "utf-8" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
