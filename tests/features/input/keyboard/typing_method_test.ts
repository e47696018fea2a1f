/** How `method` of keyboard/type is refused where the clipboard must not or cannot be used. */

import { expect } from "expect";
import { testApp } from "../../../support/client.ts";

const TYPE = "/api/keyboard/type";

Deno.test("keyboard/type with method paste is 403 with the flags that forbid it, and types nothing", async () => {
  for (
    const [config, flag] of [
      [{ clipboardTyping: false }, "--no-clipboard-typing"],
      [{ disabled: new Set(["clipboard"] as const) }, "--disable clipboard"],
    ] as const
  ) {
    const app = testApp({ config });
    const { status, json } = await app.post(TYPE, { text: "x", method: "paste" });
    expect([status, json.detail]).toEqual([403, expect.stringContaining(flag)]);
    expect(app.platform.screen().fake.sent).toEqual([]);
    expect((await app.post(TYPE, { text: "x", method: "keys", typing_delay: 0 })).status).toBe(200);
  }
});

Deno.test("a display without a clipboard says why, and types by keys as ever", async () => {
  const app = testApp();
  for (
    const [path, body] of [
      [TYPE, { text: "x", method: "paste" }],
      ["/api/clipboard/get", {}],
      ["/api/clipboard/set", { text: "x" }],
      ["/api/clipboard/clear", {}],
    ] as const
  ) {
    const { status, json } = await app.post(path, body);
    expect([path, status, json.detail]).toEqual([path, 501, "A fake has no clipboard"]);
  }
  expect((await app.post(TYPE, { text: "x", typing_delay: 0 })).status).toBe(200);
});

Deno.test("--read-only leaves clipboard/get alone", async () => {
  const app = testApp({ config: { readOnly: true } });
  expect((await app.post("/api/clipboard/get", {})).status).toBe(501);
  expect((await app.post("/api/clipboard/set", { text: "x" })).status).toBe(403);
  expect((await app.post("/api/clipboard/clear", {})).status).toBe(403);
});
