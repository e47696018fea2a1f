/** The console of a service in a real Chromium, which another service controls on a display of its own. */

import { type RunningCommand, startCommand } from "./command.ts";
import { waitFor } from "./wait.ts";

export interface ConsoleDesk extends ConsoleViewer {
  /** The one that is watched. */
  readonly service: RunningCommand;
}

export interface ConsoleViewer extends AsyncDisposable {
  /** The one whose browser shows the page. */
  readonly viewer: RunningCommand;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the button with this text, once it may be pressed. */
  press(button: string): Promise<void>;
  /** Waits until the page says so at its top. */
  awaitDriver(text: RegExp): Promise<void>;
  /** A point of the display, as one of the page. */
  pointOf(x: number, y: number): Promise<{ readonly x: number; readonly y: number }>;
  /** Calls an operation on the page: `browser/type`. */
  onPage(operation: string, body: unknown): Promise<unknown>;
  /** Opens an address in the page's place. */
  open(path: string): Promise<void>;
}

/** @param args of the service that is watched */
export async function openConsoleDesk(
  args: readonly string[],
  options: ViewerOptions = {},
): Promise<ConsoleDesk> {
  await using opening = new AsyncDisposableStack();
  const service = opening.use(await startCommand(args));
  const viewer = opening.use(await openConsoleViewer(service.address, options));
  const running = opening.move();
  return { ...viewer, service, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface ViewerOptions {
  readonly path?: string;
  /** Of the display on which the browser is. */
  readonly size?: string;
}

/** @param address of the service that is watched */
export async function openConsoleViewer(
  address: string,
  { path = "/console", size = "1400x900" }: ViewerOptions = {},
): Promise<ConsoleViewer> {
  await using opening = new AsyncDisposableStack();
  const viewer = opening.use(
    await startCommand(["--virtual-display", size, "--open-browser", "--browser-evaluate"]),
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
  const open = async (path: string) => {
    await onPage("navigate", { url: address + path });
  };
  await open(path);
  const running = opening.move();
  return {
    viewer,
    evaluate: (expression) => evaluate(expression) as never,
    async press(button) {
      const script = `[...document.querySelectorAll("button")].find((each) =>
        each.textContent === ${JSON.stringify(button)} && each.ariaDisabled !== "true")`;
      await waitFor(() => evaluate(`${script} !== undefined`), { what: `the button "${button}"` });
      await evaluate(`${script}.click()`);
    },
    async awaitDriver(text) {
      let said: unknown;
      await waitFor(async () => {
        said = await evaluate('document.getElementById("driver")?.textContent');
        return text.test(String(said));
      }, { what: `${text}` }).catch((error) => {
        throw new Error(`The page says ${JSON.stringify(said)}`, { cause: error });
      });
    },
    async pointOf(x, y) {
      return await evaluate(`(() => {
        const canvas = document.querySelector("canvas");
        const { left, top, width, height } = canvas.getBoundingClientRect();
        return {
          x: left + (${x} + 0.5) * width / canvas.width,
          y: top + (${y} + 0.5) * height / canvas.height,
        };
      })()`) as { x: number; y: number };
    },
    onPage,
    open,
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
