/** Examples of the clipboard operations. */

export const CLIPBOARD_EXAMPLES = {
  getClipboard: {
    body: { formats: ["text", "html"] },
    answer: {
      available: ["text", "html"],
      types: ["text/plain;charset=utf-8", "UTF8_STRING", "text/html"],
      text: "Grüße",
      html: "<b>Grüße</b>",
    },
  },
  setClipboard: { body: { text: "Grüße", html: "<b>Grüße</b>" } },
  clearClipboard: { body: { display_num: 1 } },
};
