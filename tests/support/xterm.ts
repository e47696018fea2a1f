/** A real xterm whose program writes what it is typed into a file. */

import { expect } from "expect";
import { TestX } from "./x_client.ts";
import { waitFor } from "./wait.ts";

export interface Xterm extends AsyncDisposable {
  readonly window: number;
  /** Gives the window the input focus and waits until it has it. */
  focus(): Promise<void>;
  /** Waits until `text` has arrived after what came before, and nothing else. */
  expectNext(text: string): Promise<void>;
}

/** Opens an xterm without a window manager, gives it the focus, and waits until it takes input. */
export async function openXterm(display: string): Promise<Xterm> {
  const file = await Deno.makeTempFile({ suffix: ".txt" });
  await Deno.remove(file);
  using before = await TestX.open(display);
  const known = new Set(await childrenOf(before));
  const child = new Deno.Command("xterm", {
    args: ["-display", display, "-u8", "-e", "sh", "-c", program(file)],
    env: { LC_ALL: "C.UTF-8", LANG: "C.UTF-8" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const x = await TestX.open(display);
  const end = async () => {
    x[Symbol.dispose]();
    try {
      child.kill("SIGTERM");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // its server was killed, and it with it
    }
    await child.status;
    await Deno.remove(file).catch(() => {});
  };
  try {
    await waitFor(() => Deno.statSync(file).isFile, { what: "the program in the xterm" });
    const window = await waitFor(() => newWindow(x, known), { what: "the window of the xterm" });
    await x.waitUntilViewable(window);
    await x.focus(window);
    let expected = "";
    return {
      window,
      focus: () => x.focus(window),
      async expectNext(text) {
        expected += text;
        const size = new TextEncoder().encode(expected).length;
        await waitFor(() => Deno.statSync(file).size >= size).catch(() => {}); // the comparison says more
        expect(await Deno.readTextFile(file)).toBe(expected);
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Every byte goes through as it comes; Enter is a line break. */
function program(file: string): string {
  return `stty -echo -icanon -isig -ixon min 1; exec cat > '${file}'`;
}

async function childrenOf(x: TestX): Promise<number[]> {
  const { children } = await x.call<{ children: number[] }>((done) =>
    x.client.QueryTree(x.root, done as never)
  );
  return children;
}

/** The window on the screen that was not there before. */
async function newWindow(x: TestX, known: ReadonlySet<number>): Promise<number | undefined> {
  for (const window of await childrenOf(x)) {
    if (known.has(window)) continue;
    const { mapState } = await x.call<{ mapState: number }>((done) =>
      x.client.GetWindowAttributes(window, done)
    );
    if (mapState === 2) return window;
  }
  return undefined;
}
