/** The drivers of `openai` and `@openai/agents`, in the official classes: the model is scripted, all else is real. */

import { type Computer, computerTool } from "@openai/agents-core";
import { expect } from "expect";
import OpenAI from "openai";
import { ComputerToolset } from "openai/helpers/computer";
import { ComputerControl } from "../../client/typescript/src/mod.ts";
import { createComputerDriver } from "../../client/typescript/src/openai.ts";
import { AgentsComputer } from "../../client/typescript/src/openai_agents.ts";
import { startRecordedDesktop } from "../support/desktop.ts";
import { decodePng } from "../support/png.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { type Action, GPT, scriptGpt } from "./scripted_models.ts";

const ignore = unless(Deno.build.os === "linux", "the recording window is one of X11");

Deno.test({
  name: "ComputerToolset of openai performs every action on a real display, and takes one picture",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const { recorder } = desktop;
    const { run, requests } = startRun(desktop.service.listen(), [
      { type: "click", button: "left", x: 40, y: 30, keys: ["CTRL"] },
      { type: "click", button: "wheel", x: 41, y: 30 },
      { type: "double_click", x: 400, y: 300, keys: null },
      { type: "type", text: "Grüße" },
      { type: "keypress", keys: ["CTRL", "A"] },
      { type: "scroll", x: 200, y: 100, scroll_x: 0, scroll_y: 200 },
      { type: "drag", path: [{ x: 10, y: 10 }, { x: 50, y: 50 }, { x: 90, y: 80 }] },
      { type: "wait" },
      { type: "move", x: 512, y: 384 },
      { type: "screenshot" },
    ]);
    expect((await run()).output_text).toBe("done");
    expect(requests[0].tools).toEqual([{ type: "computer" }]);
    const output = requests[1].input.at(-1);
    expect([output.type, output.call_id]).toEqual(["computer_call_output", "call_1"]);
    const { width, height } = decodePng(readDataUrl(output.output.image_url));
    expect([width, height]).toEqual([1280, 800]);
    await recorder.sync();
    const click = (detail: number, x: number, y: number) => [
      ...[["button down", detail, x, y], ["button up", detail, x, y]],
    ];
    expect(recorder.buttonEvents.map(({ what, detail, x, y }) => [what, detail, x, y])).toEqual([
      ...[...click(1, 40, 30), ...click(2, 41, 30), ...click(1, 400, 300), ...click(1, 400, 300)],
      ...[...click(5, 200, 100), ...click(5, 200, 100)],
      ...[["button down", 1, 10, 10], ["button up", 1, 90, 80]],
    ]);
    expect(recorder.text).toBe("Grüßea");
    expect(recorder.strokes).toMatch(/^\+Control_L -Control_L .*\+Control_L \+a -a -Control_L$/);
    expect(await recorder.x.pointer()).toMatchObject({ rootX: 512, rootY: 384 });
  },
});

Deno.test({
  name: "ComputerToolset of openai is told by an error what fails, and stops there",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const { run, requests } = startRun(desktop.service.listen(), [
      { type: "click", button: "left", x: 9_999, y: 1 },
      { type: "type", text: "no" },
    ]);
    await expect(run()).rejects.toThrow(/\[9999, 1\].*outside the picture/);
    expect(requests).toHaveLength(1);
    await desktop.recorder.sync();
    expect(desktop.recorder.events).toEqual([]);
  },
});

Deno.test({
  name: "an aborted run of ComputerToolset of openai stops typing",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const url = desktop.service.listen();
    const ending = new AbortController();
    const text = "a".repeat(50_000);
    const ended = startRun(url, [{ type: "type", text }], ending.signal).run()
      .then(() => "done", () => "aborted");
    await waitFor(() => desktop.recorder.text.length > 3, { what: "the first letters" });
    ending.abort();
    expect(await ended).toBe("aborted");
    const computer = new ComputerControl({ url });
    await computer.keyboard.type({ text: "z" }); // has its turn when the typing has ended
    await waitFor(() => desktop.recorder.text.endsWith("z"), {
      what: "the next operation's letter",
    });
    expect(desktop.recorder.text.length).toBeLessThan(text.length);
    expect(await computer.keyboard.held()).toEqual([]);
  },
});

Deno.test({
  name: "the Computer of the Agents SDK acts on a real display, in pixels of its pictures",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop({ server: { size: "3840x2160" } });
    const { recorder } = desktop;
    const computer: Computer = new AgentsComputer(
      new ComputerControl({ url: desktop.service.listen() }),
    );
    expect(computerTool({ computer })).toMatchObject({ type: "computer" }); // the class is taken
    const { width, height } = decodePng(Uint8Array.fromBase64(await computer.screenshot()));
    expect([width <= 2048, Math.round(width / height * 100)]).toEqual([true, 178]);
    await computer.click(width / 2, height / 2, "right");
    await computer.doubleClick(10, 10);
    await computer.scroll(10, 10, 0, -100);
    await computer.type("Hi");
    await computer.keypress(["ENTER"]);
    await computer.drag([[20, 20], [width - 20, 20]]);
    await computer.move(0, 0);
    await computer.wait();
    await recorder.sync();
    const [first, ...rest] = recorder.buttonEvents;
    expect(first!.detail).toBe(3);
    expect([Math.abs(first!.x - 1920) <= 1, Math.abs(first!.y - 1080) <= 1]).toEqual([true, true]);
    expect(rest.map(({ detail }) => detail)).toEqual([3, 1, 1, 1, 1, 4, 4, 1, 1]);
    expect(rest.at(-1)!.x).toBeGreaterThan(3_700);
    expect(recorder.text).toBe("Hi\n");
  },
});

/** The official loop with a model that asks for these actions in one call, and is done in the next. */
function startRun(url: string, actions: readonly Action[], signal?: AbortSignal) {
  const model = scriptGpt(actions);
  const client = new OpenAI({
    apiKey: "none",
    fetch: (address, init) => model.answer(new Request(address, init)),
  });
  const tools = new ComputerToolset(createComputerDriver(new ComputerControl({ url })));
  const options = signal === undefined ? {} : { signal };
  return {
    run: () => tools.run(client, { model: GPT, input: "go" }, options),
    requests: model.requests,
  };
}

function readDataUrl(url: string): Uint8Array {
  return Uint8Array.fromBase64(url.replace("data:image/png;base64,", ""));
}
