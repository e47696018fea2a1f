/** Thunar, and what is done to files in it; the folder itself is the end state. */

import { waitFor } from "../../../support/wait.ts";
import { openHome } from "../../support/home.ts";
import { startProcess } from "../../support/processes.ts";
import { findXWindow, xdotool } from "../../support/xwindow.ts";
import type { Driver } from "./driver.ts";
import { arrange, styleOf } from "./looks.ts";
import type { Scenario } from "./scenarios.ts";

const FILES: readonly string[] = ["april.txt", "june.txt", "may.txt", "letters/draft.txt"];

/** One thing that is done to a file. */
export interface Change {
  readonly name: string;
  perform(driver: Driver): Promise<void>;
  /** The files of the folder, once it is done. */
  after(files: readonly string[]): readonly string[];
}

export function rename(from: string, to: string): Change {
  return {
    name: `${from} becomes ${to}`,
    async perform(driver) {
      await driver.at({ role: "cell", name: from }, "mouse.left-click");
      await driver.do("keyboard.key", { key: "f2" });
      await driver.on(ENTRY, "keyboard.type", { text: to, clear: true });
      await driver.at({ role: "button", name: "Rename" }, "mouse.left-click");
      await driver.find({ role: "cell", name: to });
    },
    after: (files) =>
      files.map((each) => `${each}/`.startsWith(`${from}/`) ? to + each.slice(from.length) : each),
  };
}

export function remove(file: string): Change {
  return {
    name: `${file} is deleted`,
    async perform(driver) {
      await driver.at({ role: "cell", name: file }, "mouse.left-click");
      await driver.do("keyboard.hotkey", { keys: ["shift", "delete"] });
      await driver.at({ role: "button", name: "Delete" }, "mouse.left-click");
    },
    after: (files) => files.filter((each) => each !== file),
  };
}

export function createFolder(folder: string): Change {
  return {
    name: `${folder} is made`,
    async perform(driver) {
      await driver.do("keyboard.hotkey", { keys: ["ctrl", "shift", "n"] });
      await driver.on(NEW_ENTRY, "keyboard.type", { text: folder, clear: true });
      await driver.at({ role: "button", name: "Create" }, "mouse.left-click");
      await driver.find({ role: "cell", name: folder });
    },
    after: (files) => [...files, `${folder}/`],
  };
}

const ENTRY = { role: "textbox", label: "Enter the new name:" };
const NEW_ENTRY = { role: "textbox", label: "Enter the name:" };

/** @param changes one after the other, in one window */
export function fileManager(...changes: readonly Change[]): Scenario {
  const states = changes.reduce<readonly (readonly string[])[]>(
    (all, { after }) => [...all, after(all.at(-1)!)],
    [FILES],
  ).map(written);
  return {
    name: `a file manager (${changes.map(({ name }) => name).join(", ")})`,
    isPart: (result) => states.includes(result),
    async open({ display, place }, look) {
      await using opening = new AsyncDisposableStack();
      const home = opening.use(await openHome());
      const folder = `${home.path}/files`;
      await Deno.mkdir(`${folder}/letters`, { recursive: true });
      for (const each of FILES) await Deno.writeTextFile(`${folder}/${each}`, each);
      opening.use(startProcess("thunar", {
        args: [folder],
        env: { ...home.env(place), ...styleOf(look) },
        log: `${home.path}/errors`,
      }));
      const window = await findXWindow(display, "thunar");
      await arrange(display, window, look);
      await xdotool(display, ["key", "ctrl+2"]); // a list: its icons tell assistive technology nothing
      const open = opening.move();
      const soFar = async () => written(await filesIn(folder));
      return {
        soFar,
        async result() {
          const wanted = states.at(-1)!;
          await waitFor(async () => await soFar() === wanted, { what: `the files\n${wanted}` });
          return wanted;
        },
        [Symbol.asyncDispose]: () => open.disposeAsync(),
      };
    },
    async perform(driver) {
      for (const { perform } of changes) await perform(driver);
    },
  };
}

function written(files: readonly string[]): string {
  return files.toSorted().join("\n");
}

/** Those of its folders too; a folder without any stands there itself. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await Array.fromAsync(Deno.readDir(folder), async ({ name, isDirectory }) => {
    if (!isDirectory) return [name];
    const inner = await filesIn(`${folder}/${name}`);
    return inner.length > 0 ? inner.map((each) => `${name}/${each}`) : [`${name}/`];
  });
  return found.flat();
}
