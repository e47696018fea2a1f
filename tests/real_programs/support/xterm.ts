/** A real xterm under any window manager, whose program writes every byte it gets into a file. */

import { waitFor } from "../../support/wait.ts";
import { openHome } from "./home.ts";
import { startProcess } from "./processes.ts";
import { findXWindow, type XWindow } from "./xwindow.ts";

export interface Xterm extends AsyncDisposable {
  readonly window: XWindow;
  /** Waits until this many bytes have come since the start; gives all that has come. */
  received(bytes: number): Promise<string>;
}

export async function openXterm(display: string): Promise<Xterm> {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const file = `${home.path}/received`;
  const script = `stty -echo -icanon -isig -ixon -icrnl min 1; exec cat > '${file}'`;
  opening.use(startProcess("xterm", {
    args: ["-u8", "-geometry", "100x30+50+60", "-e", "sh", "-c", script],
    env: home.env(display),
    log: `${home.path}/errors`,
  }));
  await waitFor(() => Deno.statSync(file).isFile, { what: "the program in the xterm" });
  const window = await findXWindow(display, "xterm");
  await window.focus();
  const open = opening.move();
  return {
    window,
    async received(bytes) {
      await waitFor(() => Deno.statSync(file).size >= bytes).catch(() => {});
      return await Deno.readTextFile(file); // the comparison says more than a time limit
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
