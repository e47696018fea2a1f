/** A page in headless Chromium, which no service controls: a person's own browser. */

import {
  CdpConnection,
  type CdpMethod,
  type CdpParams,
  type CdpResult,
} from "../../src/platform/browser/cdp/connection.ts";
import { startOwnProgram } from "../../src/platform/browser/own_program.ts";
import { testFolder } from "./folder.ts";
import { waitFor } from "./wait.ts";

/** For a script that looks into all of a page. */
const SCRIPT_MS = 60_000;

export interface HeadlessPage extends AsyncDisposable {
  /** What it has thrown and reported as an error. */
  readonly errors: readonly string[];
  /** Calls a method of the browser's protocol. */
  call<M extends CdpMethod>(method: M, params?: CdpParams<M>): Promise<CdpResult<M>>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the button with this text, once it may be pressed. */
  press(button: string): Promise<void>;
  /** Waits until a part of the page has such a text; gives it. */
  awaitText(selector: string, text: RegExp): Promise<string>;
  /** Writes into a field as a person does. */
  fill(selector: string, value: string): Promise<void>;
  /** Presses a key that is no character. */
  key(key: string, keyCode: number, modifiers?: number): Promise<void>;
  /** Clicks at a point of the page. */
  click(x: number, y: number): Promise<void>;
}

export async function openHeadlessPage(url: string): Promise<HeadlessPage> {
  await using opening = new AsyncDisposableStack();
  const { path: profile } = opening.use(await testFolder());
  const program = startOwnProgram({
    kind: "own",
    program: "chromium",
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
    env: { PATH: Deno.env.get("PATH")!, HOME: profile },
    url: "about:blank",
    stateDirs: [profile],
  }, profile);
  opening.defer(() => program.end({ graceMs: 2_000 }));
  const errors: string[] = [];
  const browser = new CdpConnection(program.transport, (...[name, event]) => {
    if (name === "Runtime.exceptionThrown") errors.push(JSON.stringify(event.exceptionDetails));
    // not answers that are no success: the page shows those
    if (name === "Log.entryAdded" && event.entry.source !== "network") {
      if (event.entry.level === "error") errors.push(event.entry.text);
    }
    if (name === "Runtime.consoleAPICalled" && event.type === "error") {
      errors.push(JSON.stringify(event.args));
    }
  });
  const { targetId } = await waitFor(async () => {
    const { targetInfos } = await browser.call("Target.getTargets");
    return targetInfos.find(({ type }) => type === "page");
  }, { what: "the first tab" });
  const attached = { targetId, flatten: true };
  const { sessionId: session } = await browser.call("Target.attachToTarget", attached);
  const call: HeadlessPage["call"] = (method, params) =>
    browser.call(method, params, { session, timeoutMs: SCRIPT_MS });
  await call("Page.enable");
  await call("Runtime.enable");
  await call("Log.enable");
  const size = { width: 1_400, height: 900, deviceScaleFactor: 1, mobile: false };
  await call("Emulation.setDeviceMetricsOverride", size);
  await call("Page.navigate", { url });

  async function evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await call("Runtime.evaluate", asked);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }
  const running = opening.move();
  return {
    errors,
    call,
    evaluate,
    async press(button) {
      const press = `(() => {
        const found = [...document.querySelectorAll("button")].find((each) =>
          each.textContent === ${JSON.stringify(button)} && each.ariaDisabled !== "true");
        found?.click();
        return found !== undefined;
      })()`;
      await waitFor(() => evaluate<boolean>(press), { what: `the button "${button}"` });
    },
    async awaitText(selector, text) {
      let said = "";
      const read = `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`;
      const isThere = async () => text.test(said = await evaluate(read));
      await waitFor(isThere, { what: `${text}` }).catch((cause) => {
        throw new Error(`${selector} says ${JSON.stringify(said)}`, { cause });
      });
      return said;
    },
    async fill(selector, value) {
      await evaluate(`(() => {
        const field = document.querySelector(${JSON.stringify(selector)});
        field.value = ${JSON.stringify(value)};
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()`);
    },
    async key(key, keyCode, modifiers = 0) {
      const event = { key, code: key, windowsVirtualKeyCode: keyCode, modifiers };
      const text = key === "Enter" ? { type: "keyDown", text: "\r" } as const : undefined;
      await call("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event, ...text });
      await call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    },
    async click(x, y) {
      const event = { x, y, button: "left", clickCount: 1 } as const;
      await call("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
      await call("Input.dispatchMouseEvent", { type: "mousePressed", ...event });
      await call("Input.dispatchMouseEvent", { type: "mouseReleased", ...event });
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
