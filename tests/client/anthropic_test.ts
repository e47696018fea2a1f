/** The driver of `@anthropic-ai/sdk`, in the official tool runner: the model is scripted, all else is real. */

import Anthropic from "@anthropic-ai/sdk";
import { expect } from "expect";
import { ComputerToolset } from "../../client/typescript/src/anthropic.ts";
import { ComputerControl } from "../../client/typescript/src/mod.ts";
import { type RecordedDesktop, startRecordedDesktop } from "../support/desktop.ts";
import { decodePng } from "../support/png.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { CLAUDE, scriptClaude, type ToolCall } from "./scripted_models.ts";

const ignore = unless(Deno.build.os === "linux", "the recording window is one of X11");
const HALTED = "Not executed: an earlier computer action in this turn failed.";

interface Result {
  readonly type: string;
  readonly tool_use_id: string;
  readonly toolset_name?: string;
  readonly is_error?: boolean;
  // deno-lint-ignore no-explicit-any -- blocks of text or pictures
  readonly content: any;
}

Deno.test({
  name: "the tool runner of @anthropic-ai/sdk performs every action on a real display",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const { recorder } = desktop;
    const { sent, results } = await runTurn(desktop, [
      ["left_click", { coordinate: [40, 30], text: "ctrl" }],
      ["double_click", { coordinate: [400, 300] }],
      ["triple_click", { coordinate: [401, 300] }],
      ["right_click", { coordinate: [42, 30] }],
      ["middle_click", { coordinate: [43, 30] }],
      ["type", { text: "Grüße" }],
      ["key", { text: "Tab", repeat: 4 }],
      ["key", { text: "ctrl+s" }],
      ["scroll", { scroll_direction: "down", scroll_amount: 3, coordinate: [200, 100] }],
      ["left_click_drag", { start_coordinate: [10, 10], coordinate: [90, 80] }],
      ["hold_key", { text: "shift", duration: 0.2 }],
      ["wait", { duration: 0.1 }],
      ["left_mouse_down", {}],
      ["mouse_move", { coordinate: [512, 384] }],
      ["left_mouse_up", {}],
      ["cursor_position", {}],
    ]);
    expect(sent.tools).toEqual([{ type: "computer_toolset_20260801" }]);
    expect(results.filter(({ is_error }) => is_error)).toEqual([]);
    expect(results.map(({ toolset_name }) => toolset_name)).toEqual(results.map(() => "computer"));
    expect(results.map(textOf)).toEqual([
      ...["Clicked.", "Double-clicked.", "Triple-clicked.", "Right-clicked.", "Middle-clicked."],
      ...["Typed.", "Pressed Tab.", "Pressed ctrl+s.", "Scrolled down.", "Dragged."],
      ...["Held shift for 0.2s.", "Waited 0.1s.", "Left mouse button pressed.", "Moved the mouse."],
      ...["Left mouse button released.", "X=512,Y=384"],
    ]);
    await recorder.sync();
    const buttons = recorder.buttonEvents.map(({ what, detail, x, y }) => [what, detail, x, y]);
    const click = (detail: number, x: number, y: number) => [
      ...[["button down", detail, x, y], ["button up", detail, x, y]],
    ];
    expect(buttons).toEqual([
      ...click(1, 40, 30),
      ...[...click(1, 400, 300), ...click(1, 400, 300)],
      ...[...click(1, 401, 300), ...click(1, 401, 300), ...click(1, 401, 300)],
      ...[...click(3, 42, 30), ...click(2, 43, 30)],
      ...[...click(5, 200, 100), ...click(5, 200, 100), ...click(5, 200, 100)],
      ...[["button down", 1, 10, 10], ["button up", 1, 90, 80]],
      ...[["button down", 1, 90, 80], ["button up", 1, 512, 384]],
    ]);
    expect(recorder.text).toBe("Grüße\t\t\t\ts");
    expect(recorder.strokes).toMatch(
      /\+Control_L .*\+Control_L \+s -s -Control_L \+Shift_L -Shift_L$/,
    );
    expect(await recorder.x.pointer()).toMatchObject({ rootX: 512, rootY: 384 });
  },
});

Deno.test({
  name: "the tool runner gets pictures that the model takes, and a zoom at the screen's own pixels",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop({ server: { size: "3840x2160" } });
    const { results } = await runTurn(desktop, [
      ["screenshot", {}],
      ["left_click", { coordinate: [1288, 724] }],
      ["zoom", { region: [0, 0, 644, 362] }],
    ]);
    const pictures = [results[0]!, results[2]!].map(pictureOf);
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([[2576, 1449], [
      2576,
      1449,
    ]]);
    const { rootX, rootY } = await desktop.recorder.x.pointer();
    expect([Math.abs(rootX - 1920) <= 1, Math.abs(rootY - 1080) <= 1]).toEqual([true, true]);
  },
});

Deno.test({
  name: "the tool runner is told what fails, and executes nothing of that turn after it",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const { results } = await runTurn(desktop, [
      ["left_click", { coordinate: [9_999, 1] }],
      ["type", { text: "no" }],
    ]);
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true]);
    expect(textOf(results[0]!)).toMatch(/coordinate.*\[9999, 1\].*outside the picture/);
    expect(textOf(results[1]!)).toBe(HALTED);
    await desktop.recorder.sync();
    expect(desktop.recorder.events).toEqual([]);
  },
});

Deno.test({
  name: "an aborted run of the tool runner stops typing",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const ending = new AbortController();
    const text = "a".repeat(50_000);
    const run = startRun(computer, [["type", { text }]], ending.signal).run();
    const ended = run.then(() => "done", () => "aborted");
    await waitFor(() => desktop.recorder.text.length > 3, { what: "the first letters" });
    ending.abort();
    expect(await ended).toBe("aborted");
    await computer.keyboard.type({ text: "z" }); // has its turn when the typing has ended
    await waitFor(() => desktop.recorder.text.endsWith("z"), {
      what: "the next operation's letter",
    });
    expect(desktop.recorder.text.length).toBeLessThan(text.length);
    expect(await computer.keyboard.held()).toEqual([]);
  },
});

async function runTurn(desktop: RecordedDesktop, calls: readonly ToolCall[]) {
  const computer = new ComputerControl({ url: desktop.service.listen() });
  const { run, requests } = startRun(computer, calls);
  const message = await run();
  expect(message.content).toMatchObject([{ type: "text", text: "done" }]);
  expect(requests).toHaveLength(2);
  const results: Result[] = requests[1].messages.at(-1).content;
  expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls.map((_, i) => `call_${i}`));
  return { sent: requests[0], results };
}

function startRun(computer: ComputerControl, calls: readonly ToolCall[], signal?: AbortSignal) {
  const model = scriptClaude(calls);
  const client = new Anthropic({
    apiKey: "none",
    fetch: (url, init) => model.answer(new Request(url, init)),
  });
  const params = {
    ...{
      model: CLAUDE,
      max_tokens: 100,
      tools: [new ComputerToolset(computer, { confirm: () => true })],
    },
    messages: [{ role: "user" as const, content: "go" }],
  };
  const options = signal === undefined ? {} : { signal };
  const run = () => client.beta.messages.toolRunner(params, options).runUntilDone();
  return { run, requests: model.requests };
}

function textOf({ content }: Result): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.map(({ text }: { text?: string }) => text ?? "").join("");
}

function pictureOf({ content }: Result) {
  const { source } = content.find(({ type }: { type: string }) => type === "image");
  expect(source.media_type).toBe("image/png");
  return decodePng(Uint8Array.fromBase64(source.data));
}
