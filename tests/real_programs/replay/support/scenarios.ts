/** Real programs, what is done in them, and what they say themselves of the result. */

import { waitFor } from "../../../support/wait.ts";
import type { AccessibleSession } from "../../support/accessible_session.ts";
import { openCalc } from "../../support/calc.ts";
import { openHome, type Place } from "../../support/home.ts";
import { startProcess } from "../../support/processes.ts";
import { findXWindow } from "../../support/xwindow.ts";
import type { Driver } from "./driver.ts";
import { arrange, type Look, styleOf } from "./looks.ts";

export interface OpenProgram extends AsyncDisposable {
  /** What it has written when it has ended: the end state. */
  result(): Promise<string>;
  /** The same if it has written anything so far. */
  soFar(): Promise<string>;
}

export interface Scenario {
  readonly name: string;
  open(session: AccessibleSession, look: Look): Promise<OpenProgram>;
  perform(driver: Driver): Promise<void>;
  /** Whether that is what there is of the end state when not all was done. */
  isPart(result: string, wanted: string): boolean;
  /** Why a replay may have to stop in some looks. */
  readonly mayStop?: RegExp;
}

/** Its dialogs print when they end, and each step before the last one leaves them open. */
const isNothing = (result: string) => result === "";

/** @param more what the home of the program has */
async function openZenity(
  { display, place }: AccessibleSession,
  look: Look,
  args: readonly string[],
  more: (home: string) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<OpenProgram> {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const output = `${home.path}/printed`;
  const added = await more(home.path);
  const script = 'zenity "$@"; echo "ended with $?"';
  const program = opening.use(startProcess("sh", {
    args: ["-c", script, "zenity", ...args, ...added],
    env: { ...home.env(place), ...styleOf(look) },
    log: `${home.path}/errors`,
    output,
  }));
  await arrange(display, await findXWindow(display, "zenity"), look);
  const open = opening.move();
  const soFar = async () => (await Deno.readTextFile(output)).replaceAll(home.path, "HOME").trim();
  return {
    soFar,
    async result() {
      await waitFor(() => !program.running(), { what: "the end of zenity" });
      return await soFar();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

interface Order {
  readonly name: string;
  readonly street: string;
  readonly size: "small" | "medium" | "large";
}

export function orderForm({ name, street, size }: Order): Scenario {
  return {
    name: `a form (${name})`,
    isPart: isNothing,
    open: (session, look) =>
      openZenity(session, look, [
        ...["--forms", "--title=Order", "--text=What shall be sent", "--separator=|"],
        ...["--add-entry=Name", "--add-entry=Street", "--add-combo=Size"],
        "--combo-values=small|medium|large",
      ]),
    async perform(driver) {
      await driver.on({ role: "textbox", label: "Name" }, "keyboard.type", { text: name });
      await driver.at({ role: "textbox", label: "Street" }, "mouse.left-click");
      await driver.do("keyboard.type", { text: street });
      const combobox = { role: "combobox" };
      await driver.on(combobox, "accessibility.act", { action: "set_value", value: size });
      await driver.at({ role: "button", name: "OK" }, "mouse.left-click");
    },
  };
}

export function question(text: string, answer: "Yes" | "No"): Scenario {
  return {
    name: `a dialog (${text} ${answer})`,
    isPart: isNothing,
    open: (session, look) =>
      openZenity(session, look, ["--question", "--title=Question", `--text=${text}`]),
    perform: (driver) => driver.at({ role: "button", name: answer }, "mouse.left-click"),
  };
}

const PEOPLE = ["Ada", "36", "Bob", "41", "Carol", "29", "Dave", "36", "Eve", "50", "Frank", "7"];

/** @param people names and ages, in turn */
export function table(chosen: readonly string[], people: readonly string[] = PEOPLE): Scenario {
  return {
    name: `a table (${chosen.join(", ")})`,
    isPart: isNothing,
    ...chosen.length > 1 && { mayStop: /it is scrolled out of view/ },
    open: (session, look) =>
      openZenity(session, look, [
        ...["--list", "--title=People", "--text=Who is invited", "--multiple", "--separator=|"],
        ...["--column=Name", "--column=Age", ...people],
      ]),
    async perform(driver) {
      for (const [index, name] of chosen.entries()) {
        const modifiers = index === 0 ? [] : ["ctrl"];
        await driver.at({ role: "cell", name }, "mouse.left-click", { modifiers });
      }
      await driver.at({ role: "button", name: "OK" }, "mouse.left-click");
    },
  };
}

export function fileChooser(folder: string, file: string): Scenario {
  return {
    name: `a file chooser (${folder}/${file})`,
    isPart: isNothing,
    open: (session, look) =>
      openZenity(session, look, ["--file-selection", "--title=Select"], async (home) => {
        for (const each of ["letters", "pictures", "reports"]) {
          await Deno.mkdir(`${home}/files/${each}`, { recursive: true });
          for (const name of ["april.txt", "may.txt", "june.txt"]) {
            await Deno.writeTextFile(`${home}/files/${each}/${name}`, name);
          }
        }
        return [`--filename=${home}/files/`];
      }),
    async perform(driver) {
      await driver.at({ role: "cell", name: folder }, "mouse.double-click");
      await driver.at({ role: "cell", name: file }, "mouse.double-click");
    },
  };
}

export function saveDialog(name: string): Scenario {
  return {
    name: `a dialog that saves (${name})`,
    isPart: isNothing,
    open: (session, look) =>
      openZenity(session, look, ["--file-selection", "--save", "--title=Save"], async (home) => {
        await Deno.mkdir(`${home}/files`);
        return [`--filename=${home}/files/untitled`];
      }),
    async perform(driver) {
      const field = { role: "textbox", name: "Name:" };
      await driver.on(field, "keyboard.type", { text: name, clear: true });
      await driver.do("keyboard.key", { key: "enter" });
    },
  };
}

/** The cells that are filled, and what with; the sheet itself is the end state. */
export function sheet(cells: Readonly<Record<string, string>>): Scenario {
  return {
    name: `a sheet (${Object.keys(cells).join(", ")})`,
    isPart(result, wanted) {
      const all: string[][] = JSON.parse(wanted);
      const cells: string[][] = JSON.parse(result);
      return cells.every((row, line) =>
        row.every((text, column) => text === "" || text === all[line]?.[column])
      );
    },
    async open({ display, place }, look) {
      const calc = await openCalc({ display, env: { ...envOf(place), ...styleOf(look) } });
      await arrange(display, calc.window, look);
      const result = async () => JSON.stringify(await calc.savedCells());
      return { result, soFar: result, [Symbol.asyncDispose]: () => calc[Symbol.asyncDispose]() };
    },
    async perform(driver) {
      for (const [name, text] of Object.entries(cells)) {
        await driver.at({ role: "cell", name }, "mouse.left-click");
        await driver.do("keyboard.type", { text: `${text}\n` });
      }
    },
  };
}

function envOf(place: Place): Readonly<Record<string, string>> {
  return typeof place === "string" ? {} : place.env;
}
