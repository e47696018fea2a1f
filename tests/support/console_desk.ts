/** The console of a service in a real Chromium, which another service controls on a display of its own. */

import { type RunningCommand, startCommand } from "./command.ts";
import { pointOf } from "./console_page.ts";
import { waitFor } from "./wait.ts";
import { startXvfb } from "./xvfb.ts";

export interface ConsoleDesk extends ConsoleViewer {
  /** The one that is watched, of 640x480. */
  readonly display: string;
  readonly service: RunningCommand;
}

export interface ConsoleViewer extends AsyncDisposable {
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the button with this text, once it may be pressed. */
  press(button: string): Promise<void>;
  /** Waits until the page says so at its top. */
  awaitDriver(text: RegExp): Promise<void>;
  takeOver(): Promise<void>;
  handBack(): Promise<void>;
  /** Clicks at a pixel of the display that is watched. */
  click(x: number, y: number): Promise<void>;
  /** Calls an operation on the page: `browser/type`. */
  onPage(operation: string, body: unknown): Promise<unknown>;
  /** The errors that the page has reported. */
  errors(): Promise<readonly unknown[]>;
}

/** @param args of the service that is watched, besides its display */
export async function openConsoleDesk(args: readonly string[] = []): Promise<ConsoleDesk> {
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb({ size: "640x480" }));
  const service = opening.use(await startCommand(["--display", display, ...args]));
  const viewer = opening.use(await openConsoleViewer(service.address));
  const running = opening.move();
  return { ...viewer, display, service, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** @param address of the service that is watched */
export async function openConsoleViewer(address: string): Promise<ConsoleViewer> {
  await using opening = new AsyncDisposableStack();
  const viewer = opening.use(
    await startCommand(["--virtual-display", "1400x900", "--open-browser", "--browser-evaluate"]),
  );
  const onPage = async (operation: string, body: unknown) => {
    const answer = await viewer.post(`/api/browser/${operation}`, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const evaluate = async (expression: string) => {
    const { text, threw } = await onPage("evaluate", { expression }) as {
      text: string;
      threw: boolean;
    };
    if (threw) throw new Error(text);
    return text === "undefined" ? undefined : JSON.parse(text);
  };
  const press = async (button: string) => {
    const script = `[...document.querySelectorAll("button")].find((each) =>
      each.textContent === ${JSON.stringify(button)} && each.ariaDisabled !== "true")`;
    await waitFor(() => evaluate(`${script} !== undefined`), { what: `the button "${button}"` });
    await evaluate(`${script}.click()`);
  };
  const awaitDriver = async (text: RegExp) => {
    let said: unknown;
    await waitFor(async () => {
      said = await evaluate('document.getElementById("driver")?.textContent');
      return text.test(String(said));
    }, { what: `${text}` }).catch((error) => {
      throw new Error(`The page says ${JSON.stringify(said)}`, { cause: error });
    });
  };
  await onPage("navigate", { url: `${address}/console` });
  const running = opening.move();
  return {
    evaluate: (expression) => evaluate(expression) as never,
    press,
    awaitDriver,
    async takeOver() {
      await press("Take over");
      await awaitDriver(/You have control/);
    },
    async handBack() {
      await press("Hand back");
      await awaitDriver(/Programs have control/);
    },
    async click(x, y) {
      const at = await pointOf({ evaluate }, { x, y });
      for (const action of ["move", "down", "up"]) await onPage("pointer", { action, ...at });
    },
    onPage,
    async errors() {
      const { entries } = await onPage("console", {}) as { entries: readonly { level: string }[] };
      return entries.filter(({ level }) => level === "error");
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The SHA-256 of the red, green and blue bytes that the page's canvas has. */
export const CANVAS_HASH = `(async () => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const rgb = new Uint8Array(data.length / 4 * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    rgb[to++] = data[from];
    rgb[to++] = data[from + 1];
    rgb[to++] = data[from + 2];
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", rgb));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
})()`;

export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return new Uint8Array(digest).toHex();
}
