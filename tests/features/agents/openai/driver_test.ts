/** What drivers of the vendor's own classes ask for: actions without a picture, and a picture after them. */

import { expect } from "expect";
import { pause } from "../../../../src/core/deadline.ts";
import { openPainter } from "../../../support/painter.ts";
import { decodePng } from "../../../support/png.ts";
import { unless } from "../../../support/test_if.ts";
import { clicks, startModelDesktop } from "../model_desktop.ts";

const ignore = unless(Deno.build.os === "linux", "the recording window is one of X11");

function call(...actions: readonly object[]) {
  return { output: [{ type: "computer_call", call_id: "c", status: "completed", actions }] };
}

Deno.test({
  name: "an OpenAI call without then_screenshot is answered only when it fails",
  ignore,
  async fn() {
    await using desktop = await startModelDesktop();
    const then_screenshot = false;
    const done = call({ type: "click", button: "left", x: 10, y: 20 });
    expect(await desktop.ask("openai", { ...done, then_screenshot }))
      .toEqual({ input: [], pending_safety_checks: [], frame: null });
    expect(await desktop.seen()).toBe(clicks(1, "10,20"));
    const { input } = await desktop.ask("openai", { ...call({ type: "fly" }), then_screenshot });
    expect(input).toMatchObject([{ type: "message", role: "developer" }]);
    expect(input[0].content[0].text).toMatch(/The computer call failed: action 1 \(fly\)/);
  },
});

Deno.test({
  name: "a first picture with after_action waits until the display is still",
  ignore,
  async fn() {
    await using desktop = await startModelDesktop();
    using painter = await openPainter(desktop.display);
    const paint = (color: number) => painter.paint([0, 0, 100, 100], color);
    await paint(0xff0000);
    await desktop.ask("openai", call({ type: "screenshot" })); // later ones are taken at once
    const animate = async () => {
      for (let step = 0; step < 100; step++, await pause(10)) await paint(0xff0000 + step);
      await paint(0x00ff00);
    };
    const [{ input }] = await Promise.all([
      desktop.ask("openai", {
        ...call({ type: "screenshot" }),
        settle_ms: 20_000,
        after_action: true,
      }),
      animate(),
    ]);
    const url: string = input[0].output.image_url;
    const { rgb } = decodePng(Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1)));
    expect([...rgb.subarray(0, 3)]).toEqual([0, 255, 0]);
  },
});
