/** Whatever a model answers, it is answered in turn: never with an internal error. */

import { expect } from "expect";
import fc from "fast-check";
import { pick } from "../../support/extent.ts";
import { testApp } from "../../support/client.ts";

const NAMES = [
  ..."click double_click keypress move screenshot scroll type".split(" "),
  ..."mouse_down mouse_up press_key key_down key_up hotkey take_screenshot".split(
    " ",
  ),
  ..."left_double hover press keydown release finished call_user key mouse_move".split(" "),
  ..."left_click hscroll terminate answer fly constructor __proto__".split(" "),
];
const FIELDS = [
  ..."x y button keys path scroll_x scroll_y text key direction magnitude_in_pixels".split(" "),
  ..."start_x start_y end_x end_y seconds press_enter intent safety_decision start_box".split(" "),
  ..."end_box point content coordinate pixels status action type id call_id".split(" "),
];

const number = fc.oneof(fc.integer({ min: -5, max: 1100 }), fc.double(), fc.constant(1e308));
const value = fc.oneof(
  number,
  fc.string({ maxLength: 12, unit: "grapheme" }),
  fc.constantFrom("left", "ctrl", "ENTER", "down", "(1,2)", "<point>3 4</point>", "success", ""),
  fc.array(number, { maxLength: 4 }),
  fc.array(fc.constantFrom("ctrl", "a", "", "++", "F5"), { maxLength: 3 }),
  fc.array(fc.record({ x: number, y: number }), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }), fc.jsonValue());
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 5 });
const actions = fc.array(fc.record({ name, fields }), { maxLength: 3 });

type Asked = readonly {
  readonly name: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}[];

/** The answer of each vendor's model that asks for the actions. */
const TURNS: Readonly<Record<string, (asked: Asked) => object>> = {
  anthropic: (asked) => ({
    content: asked.map(({ name, fields }, index) => ({
      type: "tool_use",
      id: `c${index}`,
      name: "computer",
      input: { ...fields, action: name },
    })),
    tools: [{
      type: "computer_20251124",
      name: "computer",
      display_width_px: 64,
      display_height_px: 48,
    }],
  }),
  openai: (asked) => ({
    output: [{
      type: "computer_call",
      call_id: "c",
      actions: asked.map(({ name, fields }) => ({ ...fields, type: name })),
    }],
  }),
  gemini: (asked) => ({
    parts: asked.map(({ name, fields }) => ({ functionCall: { name, args: fields } })),
    acknowledged: [0, 1, 2],
  }),
  "ui-tars": (asked) => ({
    text: asked.map(({ name, fields }) => {
      const args = Object.entries(fields).map(([key, each]) => `${key}='${toText(each)}'`);
      return `${toText(name)}(${args.join(", ")})`;
    }).join("\n"),
  }),
  qwen: (asked) => ({
    message: {
      tool_calls: asked.map(({ name, fields }) => ({
        id: "c",
        function: { name: "computer_use", arguments: JSON.stringify({ ...fields, action: name }) },
      })),
    },
  }),
};

/** Objects that no text can be made of, wherever JSON lets them stand. */
const NO_TEXT = { toString: 1, valueOf: 1 };
const NO_TEXTS: Asked = [
  { name: NO_TEXT, fields: {} },
  ...["click", "keypress", "type", "type_text_at", "click_at", "left_click"].map((name) => ({
    name,
    fields: Object.fromEntries(FIELDS.map((field) => [field, NO_TEXT])),
  })),
];

for (const [vendor, turn] of Object.entries(TURNS)) {
  Deno.test(`whatever a model (${vendor}) asks for, it gets an answer that is no internal error`, async () => {
    const app = testApp();
    await fc.assert(
      fc.asyncProperty(actions, async (asked) => {
        const body = { ...turn(withoutWaits(asked)), settle_ms: 0, max_edge: 64 };
        const { status, text } = await app.post(`/api/agents/${vendor}`, body);
        if (status !== 422) {
          expect({ status, text: text.slice(0, 500) }).toMatchObject({ status: 200 });
        }
        expect(text).not.toMatch(/Internal error/);
      }),
      { numRuns: pick({ short: 25, full: 40 }), examples: NO_TEXTS.map((each) => [[each]]) },
    );
    await app.session[Symbol.asyncDispose]();
  });
}

/** Nobody wants to wait for them here. */
function withoutWaits(asked: Asked): Asked {
  return asked.filter(({ name }) => name !== "wait");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
