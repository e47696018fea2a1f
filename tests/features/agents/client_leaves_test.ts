/** When the client of a vendor's operation leaves, typing stops and what was pressed is released. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { type ModelDesktop, startModelDesktop } from "./model_desktop.ts";

const LONG = "a".repeat(20_000);

/** What each vendor's model asks for: a button or key that stays pressed, and a text without end. */
const TURNS: Readonly<Record<string, object>> = {
  openai: {
    output: [{
      type: "computer_call",
      call_id: "c",
      status: "completed",
      actions: [{ type: "type", text: LONG }, { type: "click", button: "left", x: 1, y: 1 }],
    }],
  },
  gemini: {
    parts: [
      { functionCall: { name: "mouse_down", args: { x: 5, y: 5 } } },
      { functionCall: { name: "key_down", args: { key: "Shift" } } },
      { functionCall: { name: "type", args: { text: LONG } } },
      { functionCall: { name: "click", args: { x: 1, y: 1 } } },
    ],
  },
  "ui-tars": { text: `keydown(key='shift')\ntype(content='${LONG}')\nclick(point='(1,1)')` },
  qwen: {
    message: {
      content:
        `<tool_call>{"name":"computer_use","arguments":{"action":"type","text":"${LONG}"}}</tool_call>`,
    },
  },
};

for (const [vendor, turn] of Object.entries(TURNS)) {
  Deno.test(`typing for a model (${vendor}) stops when its client leaves, and nothing stays pressed`, async () => {
    await using desktop = await startModelDesktop();
    const client = new AbortController();
    const asked = desktop.service.send(`/api/agents/${vendor}`, turn, client.signal);
    await waitFor(() => desktop.recorder.presses.length > 100, { what: "typing" });
    client.abort();
    await (await asked.catch(() => undefined))?.body?.cancel();
    expect(await desktop.service.call("/api/keyboard/held")).toEqual([]);
    await desktop.service.call("/api/keyboard/key", { key: "Q" }); // its turn comes when the text has ended
    await desktop.recorder.sync();
    const { text } = desktop.recorder;
    expect(text).toMatch(/^[aA]+Q$/);
    expect(text.length).toBeLessThan(LONG.length);
    expect(leftDown(desktop)).toEqual([]);
  });
}

/** Keys and buttons whose last event was a press. */
function leftDown({ recorder }: ModelDesktop): string[] {
  const last = new Map<string, string>();
  for (const { what, detail } of recorder.events) {
    if (what !== "motion") last.set(`${/button/.test(what) ? "button" : "key"} ${detail}`, what);
  }
  return [...last].filter(([, what]) => what === "press" || what === "button down")
    .map(([name]) => name);
}
