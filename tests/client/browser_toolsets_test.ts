/** The vendors' browser toolsets in their official classes, on a real Chromium: only the model is scripted. */

import { expect } from "expect";
import { BrowserToolset as OpenAIBrowserToolset } from "openai/helpers/browser";
import { BrowserToolset } from "../../client/typescript/src/anthropic_browser.ts";
import { ComputerControl } from "../../client/typescript/src/mod.ts";
import { createBrowserDriver } from "../../client/typescript/src/openai_browser.ts";
import { startBrowserDesktop } from "../support/browser/browser_desktop.ts";
import { decodePng } from "../support/png.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { runTurn, SHOP_PAGE, textOf } from "./browser_turn.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

Deno.test({
  name: "the browser toolsets of Anthropic and OpenAI drive the browser unchanged",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { pages } = desktop;
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const url = await desktop.show("/shop", SHOP_PAGE);

    await test.step("the tool runner of @anthropic-ai/sdk performs every member", async () => {
      const enabled = Object.fromEntries(
        ["file_upload", "read_console", "read_network", "javascript_exec"]
          .map((name) => [name, { enabled: true }]),
      );
      const toolset = new BrowserToolset(computer, { configs: enabled, confirm: () => true });
      const buy = { type: "ref", ref: await desktop.refOf('"Buy"') };
      const name = { type: "ref", ref: await desktop.refOf('"Name"') };
      const agree = { type: "ref", ref: await desktop.refOf('"Agree"') };
      const low = { type: "ref", ref: await desktop.refOf('"Low"') };
      const ask = { type: "ref", ref: await desktop.refOf('"Ask"') };
      const at = { type: "coordinate", x: 200, y: 150 };
      const calls = [
        ["navigate", { url }],
        ["find", { query: "buy" }],
        ["read_page", { filter: "interactive" }],
        ["get_page_text", {}],
        ["left_click", { target: at, modifiers: "ctrl" }],
        ["double_click", { target: at }],
        ["triple_click", { target: at }],
        ["right_click", { target: at }],
        ["middle_click", { target: at }],
        ["hover", { target: at }],
        ["mouse_move", { target: at }],
        ["left_mouse_down", { target: at }],
        ["left_mouse_up", { target: at }],
        ["left_click_drag", { from: at, target: { type: "coordinate", x: 220, y: 160 } }],
        ["scroll", { target: at, scroll_direction: "down" }],
        ["screenshot", {}],
        ["zoom", { region: [100, 100, 300, 200] }],
        ["read_console", {}],
        ["read_network", {}],
        ["javascript_exec", { text: "1 + 1" }],
        ["wait", { duration: 0.05 }],
        ["list_tabs", {}],
        ["new_tab", {}],
      ] as const;
      const results = await runTurn(toolset, calls);
      expect(results.filter(({ is_error }) => is_error)).toEqual([]);
      const texts = results.map(textOf);
      expect(texts[0]).toMatch(/^Navigated to .*Shop.*200/);
      expect(texts[1]).toMatch(/button "Buy" \[ref=e\d+\]/);
      expect(texts.slice(4, 15)).toEqual([
        ...["Clicked.", "Double-clicked.", "Triple-clicked.", "Right-clicked."],
        ...["Middle-clicked.", "Hovered.", "Moved the mouse.", "Mouse button pressed."],
        ...["Mouse button released.", "Dragged.", "Scrolled down."],
      ]);
      expect(texts[17]).toContain("hello");
      expect(texts[19]).toBe("2");
      const { data } = results[15].content.find(({ type }: Json) => type === "image").source;
      expect(decodePng(Uint8Array.fromBase64(data)).width).toBeGreaterThan(500);
      const state = results[22].content.find(({ type }: Json) => type === "browser_state");
      expect(state.tabs.length).toBe(2);
      await waitFor(() => pages.reports.includes("click 3"), { what: "the clicks" });
      expect(pages.reports).toEqual(expect.arrayContaining(["click 1 ctrl", "click 2", "click 3"]));

      const [first, second] = state.tabs.map(({ tab_id }: Json) => tab_id);
      const stale = await runTurn(toolset, [["left_click", { target: buy }]]);
      expect(textOf(stale[0])).toContain("is gone: take a new snapshot");
      await desktop.service.call("/api/browser/activate", { tab_id: first });
      const fresh = async (text: string) => ({ type: "ref", ref: await desktop.refOf(text) });
      for (const target of [name, agree, low, ask]) {
        const old = await runTurn(toolset, [["scroll_to", { target }]]);
        expect(old[0].is_error).toBe(true); // the page was loaded again
      }
      const more = await runTurn(toolset, [
        ["form_input", { target: await fresh('"Agree"'), value: true }],
        ["left_click", { target: await fresh('"Name"') }],
        ["type", { text: "Ada" }],
        ["key", { text: "BackSpace", repeat: 2 }],
        ["hold_key", { text: "a", duration: 0.1 }],
        ["scroll_to", { target: await fresh('"Low"') }],
        ["left_click", { target: await fresh('"Ask"') }],
        ["switch_tab", { tab_id: second }],
        ["close_tab", { tab_id: second }],
      ]);
      expect(more.filter(({ is_error }) => is_error)).toEqual([]);
      expect(more.map(textOf).join("\n")).toContain('A confirm dialog "Sure?" was dismissed.');
      expect(await evaluate("document.querySelector('input').value")).toBe('"Aa"');
    });

    await test.step("BrowserToolset of openai performs what its driver offers", async () => {
      const file = pages.serve(
        "/sheet",
        () =>
          new Response("a,b", {
            headers: { "content-disposition": "attachment; filename=sheet.csv" },
          }),
      );
      const downloadOfGrant = (grant: string) => ({ report: file, page: url })[grant];
      const toolset = new OpenAIBrowserToolset(createBrowserDriver(computer, { downloadOfGrant }), {
        confirm: () => true,
        urlPolicy: () => true,
        additionalMembers: [
          "click_at",
          "drag_path",
          "hold_keys",
          "hover_at",
          "set_checked",
          "run_script",
          "read_diagnostics",
          "read_page_scoped",
          "download_file",
        ],
      });
      let last = 0;
      const call = async (name: string, args: object) => {
        const output = await toolset.execute({
          ...{ type: "function_call", id: `f${++last}`, call_id: `c${last}`, status: "completed" },
          ...{ name: `browser_${name}`, arguments: JSON.stringify({ ...args }) },
        } as Json) as Json;
        return { ...JSON.parse(output.output[0].text), image: output.output[1] };
      };
      const tab_id = null;
      expect(await call("navigate", { url, tab_id })).toMatchObject({ ok: true });
      const { result, state } = await call("read_page", { tab_id, filter: "all" });
      expect(state.tabs).toEqual([expect.objectContaining({ title: "Shop", active: true })]);
      const refOf = (text: string) => new RegExp(`"${text}" \\[ref=(\\w+)\\]`).exec(result)![1]!;
      pages.reports.length = 0;
      for (
        const [name, args] of [
          ["click", { target: refOf("Buy"), tab_id }],
          ["click_at", {
            tab_id,
            x: 200,
            y: 150,
            button: "left",
            click_count: 2,
            keys: ["Control"],
          }],
          ["type", { text: "Grace", target: refOf("Name"), tab_id }],
          ["key", { keys: ["Control", "a"], tab_id }],
          ["type", { text: "Lin", target: null, tab_id }],
          ["select_option", { target: refOf("Size"), values: ["M"], tab_id }],
          ["set_checked", { tab_id, target: refOf("Agree"), checked: true }],
          ["hover", { target: refOf("Buy"), tab_id }],
          ["hover_at", { tab_id, x: 10, y: 10 }],
          ["scroll", { direction: "down", amount: 2, tab_id }],
          ["scroll_to", { target: refOf("Buy"), tab_id }],
          ["wait_for", { text: "Buy", timeout_ms: 2_000, tab_id }],
          ["find", { query: "buy", tab_id }],
          ["get_page_text", { tab_id }],
          ["drag_path", { tab_id, path: [{ x: 10, y: 10 }, { x: 20, y: 20 }], keys: [] }],
          ["hold_keys", { tab_id, keys: ["Shift"], duration_ms: 50 }],
          ["run_script", { tab_id, source: "1 + 1", timeout_ms: 1_000 }],
          ["read_diagnostics", { tab_id, source: "console", limit: 10 }],
          ["new_tab", { url: null }],
          ["list_tabs", {}],
        ] as const
      ) {
        expect([name, await call(name, args)]).toMatchObject([name, { ok: true }]);
      }
      const tabs = (await call("list_tabs", {})).result.tabs;
      expect(await call("close_tab", { tab_id: tabs[1].id })).toMatchObject({ ok: true });
      const picture = await call("screenshot", { tab_id });
      expect(picture.image.image_url).toMatch(/^data:image\/png;base64,/);
      expect(
        await evaluate(
          "[...document.querySelectorAll('input, select')].map((each) => each.checked || each.value).join()",
        ),
      ).toBe('"Lin,true,M,"');
      await waitFor(() => pages.reports.includes("click 2 ctrl"), { what: "the double click" });
      expect(await call("click", { target: "e99999", tab_id }))
        .toMatchObject({ ok: false, error: expect.stringContaining("take a new snapshot") });

      const scoped = (root: string | null, depth: number, filter = "all") =>
        call("read_page_scoped", { tab_id, root, depth, filter });
      const { result: { scopes } } = await scoped(null, 1);
      expect(scopes.map(({ label }: Json) => label)).toEqual(["document Shop", "form Order"]);
      const section = (await scoped(scopes[1].ref, 5)).result;
      expect([section.text.includes('textbox "Street"'), section.text.includes('"Buy"')])
        .toEqual([true, false]);
      expect(section.elements).toEqual([
        { ref: expect.any(String), role: "textbox", label: "Street" },
      ]);
      expect((await scoped(scopes[1].ref, 5, "interactive")).result.text).not.toContain("form");
      expect(await scoped("e99999", 5)).toMatchObject({ ok: false });

      expect(await call("download_file", { grant_id: "report" })).toMatchObject({
        ok: true,
        result: { status: "completed" },
      });
      expect(await call("download_file", { grant_id: "page" })).toMatchObject({
        ok: false,
        result: { status: "unknown" },
      });
      expect(await call("download_file", { grant_id: "other" })).toMatchObject({
        ok: false,
        result: { status: "refused" },
      });
    });

    async function evaluate(expression: string): Promise<string> {
      return (await computer.browser.evaluate({ expression })).text;
    }
  },
});
