/** A real form of zenity, checked by what it prints when it ends. */

import { waitFor } from "../../support/wait.ts";
import { displayOf, openHome, type Place } from "./home.ts";
import { startProcess } from "./processes.ts";
import { findXWindow, type XWindow } from "./xwindow.ts";

export interface ZenityForm extends AsyncDisposable {
  readonly window: XWindow;
  running(): boolean;
  /** Waits until it has ended, and gives the values of its fields; `[]` where it was cancelled. */
  printed(): Promise<string[]>;
}

/** A form with text entries, a password and a list to choose from. */
export async function openZenityForm(place: Place, title = "Order"): Promise<ZenityForm> {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const output = `${home.path}/printed`;
  const program = opening.use(startProcess("zenity", {
    args: [
      ...["--forms", `--title=${title}`, "--text=What shall be sent", "--separator=|"],
      ...["--add-entry=Name", "--add-entry=Street", "--add-password=Secret"],
      ...["--add-combo=Size", "--combo-values=small|medium|large"],
    ],
    env: home.env(place),
    log: `${home.path}/errors`,
    output,
  }));
  const window = await findXWindow(displayOf(place), "zenity");
  await window.focus();
  const open = opening.move();
  return {
    window,
    running: program.running,
    async printed() {
      await waitFor(() => !program.running(), { what: "the end of zenity" });
      const text = (await Deno.readTextFile(output)).trimEnd();
      return text === "" ? [] : text.split("|");
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
