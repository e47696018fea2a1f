/** Examples of the accessibility operations. */

const SAVE = {
  ref: "e12",
  role: "button",
  name: "Save",
  states: ["focused"],
  bounds: { x: 540, y: 310, width: 96, height: 32 },
  abilities: ["click", "focus"],
};

export const ACCESSIBILITY_EXAMPLES = {
  takeSnapshot: {
    body: { window: "focused", format: "text" },
    answer: {
      text: '- dialog "Save as" [ref=e9] [active]\n' +
        '  - textbox "Name" [ref=e11]: "report.txt"\n' +
        '  - button "Save" [ref=e12] [focused]\n',
      count: 3,
      truncated: [],
      omitted: 0,
      silent: [],
      elapsed_ms: 41.7,
    },
  },
  findElements: {
    body: { role: "button", name: "save" },
    answer: {
      elements: [{ ...SAVE, within: 'dialog "Save as"' }],
      total: 1,
      truncated: [],
      silent: [],
    },
  },
  getElementValue: {
    body: { ref: "e11" },
    answer: {
      role: "textbox",
      name: "Name",
      value: "report.txt",
      truncated: false,
      states: ["editable", "focusable"],
      abilities: ["focus", "set value"],
      bounds: { x: 540, y: 260, width: 240, height: 32 },
    },
  },
  actOnElement: {
    body: { ref: "e11", action: "set_value", value: "notes.txt" },
    answer: {
      result: "confirmed",
      by: "program",
      reason: "It holds the value.",
      value: "notes.txt",
      states: ["editable", "focusable"],
    },
  },
};
