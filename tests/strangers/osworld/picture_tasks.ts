/** Tasks of OSWorld about GIMP: its settings, and layers. */

import { type LocalTask, rules } from "./local_task.ts";

const FOLDER = "~/.config/GIMP/2.10";

interface PictureTask extends Pick<LocalTask, "name" | "id" | "instruction" | "solve"> {
  readonly setup?: string;
  readonly args?: readonly string[];
  /** The file of settings, and its line that is wanted. */
  readonly file: string;
  readonly key: string | readonly string[];
  readonly value: string;
}

function pictureTask({ file, key, value, ...task }: PictureTask): LocalTask {
  const words = [key, value].flat().join(" ");
  return {
    ...task,
    family: "pictures",
    app: "pictures",
    isEnded: true,
    evaluator: {
      func: "check_config_status",
      result: { type: "gimp_config_file", file_name: file, dest: file },
      expected: rules({ key, value }),
    },
    done: `mkdir -p ${FOLDER} && echo '(${words})' > ${FOLDER}/${file}`,
  };
}

export const PICTURE_TASKS: readonly LocalTask[] = [
  pictureTask({
    name: "pictures-theme",
    id: "7767eef2",
    instruction: "Change GIMP's theme from dark to light.",
    file: "gimprc",
    key: "theme",
    value: '"Light"',
    async solve({ desktop, window, windowGone }) {
      await desktop.click("menu", "Edit");
      await desktop.click("menuitem", "Preferences");
      await window("Preferences");
      await desktop.click("cell", "Theme");
      await desktop.click("cell", "Light");
      await desktop.click("button", "OK");
      await windowGone("Preferences");
    },
  }),
  pictureTask({
    name: "pictures-undo",
    id: "7b7617bd",
    instruction: "Set the minimum number of undo steps to 100.",
    file: "gimprc",
    key: "undo-levels",
    value: "100",
    async solve({ desktop, window, windowGone }) {
      await desktop.click("menu", "Edit");
      await desktop.click("menuitem", "Preferences");
      await window("Preferences");
      await desktop.fill("spinbutton", "Minimal number of undo levels:", "100");
      await desktop.click("button", "OK");
      await windowGone("Preferences");
    },
  }),
  pictureTask({
    name: "pictures-docks",
    id: "d52d6308",
    instruction: "Remove the dock on the left side of the screen.",
    file: "sessionrc",
    key: "hide-docks",
    value: "yes",
    async solve({ key }) {
      await key("Tab");
    },
  }),
];
