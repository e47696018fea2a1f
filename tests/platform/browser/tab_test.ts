/** Calls of a tab, with a browser that answers as a test says. */

import { expect } from "expect";
import { CdpConnection } from "../../../src/platform/browser/cdp/connection.ts";
import { Tab } from "../../../src/platform/browser/tab.ts";
import { waitFor } from "../../support/wait.ts";

const DIALOG = { tab: "t1", kind: "alert", message: "Hello" } as const;

/** A tab of a browser that answers each message with what `answer` gives for it, if anything. */
function openTab(answer: (method: string) => object | Promise<object> | undefined) {
  const sent: string[] = [];
  const transport = {
    send(text: string) {
      const { id, method, params } = JSON.parse(text);
      sent.push(params.type ?? method);
      const result = answer(method);
      const pass = (each: object) => transport.onmessage(JSON.stringify({ id, result: each }));
      if (result) Promise.resolve(result).then(pass);
    },
    onmessage: (_: string) => {},
    onlarge: () => {},
    closed: new Promise<void>(() => {}),
    close() {},
  };
  const connection = new CdpConnection(transport, () => {});
  return { tab: new Tab("t1", "target", "session", connection), connection, sent };
}

Deno.test("a tab keeps nothing of the answers that it has given", async () => {
  const { tab } = openTab(() => ({ data: "x" }));
  const call = async () => new WeakRef(await tab.call("Page.captureScreenshot"));
  const answers = await Promise.all(Array.from({ length: 20 }, call));
  await waitFor(() => {
    Array.from({ length: 200_000 }, (_, index) => ({ index })); // so that memory is collected
    return answers.every((each) => each.deref() === undefined);
  }, { what: "the answers to be collected" });
});

Deno.test("a dialog that opens and closes at once ends a call as any other dialog does", async () => {
  const { tab, connection } = openTab(() => undefined);
  const called = tab.call("Runtime.evaluate");
  const acted = tab.act("Input.dispatchKeyEvent", { type: "keyDown" });
  tab.dialog = DIALOG;
  tab.dialog = undefined;
  await expect(called).rejects.toMatchObject({ code: "conflict" });
  expect(await acted).toBeUndefined();
  connection.close();
});

Deno.test("while a dialog is open nothing is sent, and the release of a button when it has closed", async () => {
  const { tab, connection, sent } = openTab(() => undefined);
  tab.dialog = DIALOG;
  const act = (type: "mousePressed" | "mouseReleased") =>
    tab.act("Input.dispatchMouseEvent", { type, x: 0, y: 0 });
  await expect(act("mousePressed")).rejects.toMatchObject({ code: "conflict" });
  await act("mouseReleased");
  expect(sent).toEqual([]);
  tab.dialog = undefined;
  expect(sent).toEqual(["mouseReleased"]);
  connection.close();
});

Deno.test("a release that the browser drops for a dialog is sent again after it, and no other", async () => {
  const release = { type: "mouseReleased", x: 0, y: 0 } as const;
  for (const [isDropped, wanted] of [[true, 2], [false, 1]] as const) {
    const { tab, connection, sent } = openTab(() => isDropped ? {} : undefined);
    const acted = tab.act("Input.dispatchMouseEvent", release);
    tab.dialog = DIALOG; // before the answer, as what is dropped has it; the page answers after the dialog
    await acted;
    await new Promise((resolve) => setTimeout(resolve));
    tab.dialog = undefined;
    expect(sent).toHaveLength(wanted);
    connection.close();
  }
});

Deno.test("what another connection has left down is released when the page answers, and kept until then", async () => {
  const page = Promise.withResolvers<object>();
  const { tab, connection, sent } = openTab((method) =>
    method === "Runtime.evaluate" ? page.promise : {}
  );
  const release = { type: "mouseReleased", x: 0, y: 0, button: "left" } as const;
  const released = tab.releaseLeft([["Input.dispatchMouseEvent", release]]);
  expect([sent, tab.releases.size]).toEqual([["Runtime.evaluate"], 1]);
  page.resolve({});
  await released;
  expect([sent, tab.releases.size]).toEqual([["Runtime.evaluate", "mouseReleased"], 0]);
  connection.close();
});

Deno.test("a tab that has loaded nothing yet is at about:blank, as its document says", () => {
  const { tab, connection } = openTab(() => undefined);
  tab.name("", "");
  expect(tab.url).toBe("about:blank");
  connection.close();
});
