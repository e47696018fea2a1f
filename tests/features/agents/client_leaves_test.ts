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
    await desktop.recorder.sync();
    const before = desktop.recorder.presses.length;
    await stillFor(desktop, 200);
    // at most one group of characters was on its way
    expect(desktop.recorder.presses.length - before).toBeLessThan(100);
    expect(desktop.recorder.presses.length).toBeLessThan(10_000);
    expect(leftDown(desktop)).toEqual([]);
    expect(await desktop.service.call("/api/keyboard/held")).toEqual([]);
  });
}

/** Waits until nothing has arrived for so long. */
async function stillFor({ recorder }: ModelDesktop, ms: number): Promise<void> {
  let [count, since] = [recorder.events.length, Date.now()];
  await waitFor(async () => {
    await recorder.sync();
    if (recorder.events.length !== count) [count, since] = [recorder.events.length, Date.now()];
    return Date.now() - since >= ms;
  }, { what: "no more events" });
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
