/** Models whose actions the service cannot perform: no display, no input, or switched off. */

import { expect } from "expect";
import { testApp, type TestAppOptions } from "../../support/client.ts";

/** One click for each vendor's model. */
const CLICKS: Readonly<Record<string, object>> = {
  openai: {
    output: [{
      ...{ type: "computer_call", call_id: "c", status: "completed" },
      actions: [{ type: "click", button: "left", x: 1, y: 2 }],
    }],
  },
  gemini: { parts: [{ functionCall: { name: "click", args: { x: 1, y: 2 } } }] },
  "ui-tars": { text: "click(point='(1,2)')" },
  qwen: {
    message: {
      content:
        '<tool_call>{"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}}</tool_call>',
    },
  },
};

async function ask(options: TestAppOptions, vendor: string) {
  const app = testApp(options);
  const { status, text } = await app.post(`/api/agents/${vendor}`, {
    settle_ms: 0,
    ...CLICKS[vendor],
  });
  await app.session[Symbol.asyncDispose]();
  return { status, text };
}

for (const vendor of Object.keys(CLICKS)) {
  Deno.test(`a model (${vendor}) is told that the display takes no input, with a picture`, async () => {
    const { status, text } = await ask({ platform: { noInput: "It only shows." } }, vendor);
    expect(status).toBe(200);
    expect(text).toMatch(/It only shows\./);
    expect(text).toMatch(/iVBOR/);
  });

  Deno.test(`a model (${vendor}) is told that the mouse is switched off`, async () => {
    const { status, text } = await ask({ config: { disabled: new Set(["mouse"]) } }, vendor);
    expect(status).toBe(200);
    expect(text).toMatch(/disabled/);
  });

  Deno.test(`a model (${vendor}) is told that the service only reads`, async () => {
    const { status, text } = await ask({ config: { readOnly: true } }, vendor);
    expect(status).toBe(200);
    expect(text).toMatch(/--read-only/);
    expect(text).toMatch(/iVBOR/);
  });

  Deno.test(`${vendor} is switched off with its group`, async () => {
    const { status } = await ask({ config: { disabled: new Set(["agents"]) } }, vendor);
    expect(status).toBe(403);
  });

  Deno.test(`a model (${vendor}) cannot act where there is no display`, async () => {
    const { status, text } = await ask({ platform: { displays: [] } }, vendor);
    // OpenAI's form of the answer has to have a picture
    expect(status).toBe(vendor === "openai" ? 503 : 200);
    expect(text).toMatch(/display 1/);
    expect(text).not.toMatch(/iVBOR/);
  });
}
