/** Tasks of OSWorld about LibreOffice that need no document of it. */

import { type LocalTask, rules } from "./local_task.ts";

const SETTINGS = ".config/libreoffice/4/user/registrymodifications.xcu";

function written(minutes: number): string {
  return `mkdir -p ~/.config/libreoffice/4/user
cat > ~/${SETTINGS} <<'END'
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="AutoSaveTimeIntervall" oor:op="fuse"><value>${minutes}</value></prop></item></oor:items>
END`;
}

export const LOCAL_OFFICE_TASKS: readonly LocalTask[] = [
  {
    name: "office-autosave",
    family: "office",
    id: "2cd43775",
    instruction: "Enable auto-save every 3 minutes.",
    app: "impress",
    evaluator: {
      func: "check_auto_saving_time",
      result: { type: "vm_file", path: `$HOME/${SETTINGS}`, dest: "settings.xcu" },
      expected: rules({ minutes: 3 }),
    },
    done: written(3),
    async solve({ key, desktop, window, windowGone, fileHas, home }) {
      await key("alt+F12");
      await window("Options");
      await desktop.click("cell", "Load/Save");
      await key("Right");
      await desktop.need("cell", "VBA Properties");
      await key("Down"); // to "General", of which the list has two
      await desktop.click("checkbox", "Save AutoRecovery information every:");
      await desktop.fill("spinbutton", "", "3");
      await desktop.click("button", "OK");
      await windowGone("Options");
      await fileHas(`${home}/${SETTINGS}`, "AutoSaveTimeIntervall");
    },
  },
  {
    name: "office-slide-panel",
    family: "office",
    id: "ef9d12bd",
    instruction: "The slide panel on the left has been closed: get it back.",
    app: "impress",
    evaluator: {
      func: "check_left_panel",
      result: { type: "accessibility_tree" },
    },
    async solve({ desktop, menu }) {
      await desktop.need("menu", "View");
      await menu("View", "Slide Pane");
      await desktop.need("document", "Slides View");
    },
  },
];
