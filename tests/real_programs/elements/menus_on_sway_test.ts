/** Menus of GTK 3 and Qt on the service's own sway, where no list of windows has them. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { missingForSway, openSwayDesktop } from "./support/sway_desktop.ts";

interface EditorOnSway {
  readonly command: readonly string[];
  /** What else it needs here. */
  readonly needs?: readonly string[];
  /** The role of a menu in its bar. */
  readonly menu: string;
  /** A button that its first menu covers. */
  readonly covered: string;
}

const PLUGINS = `/usr/lib/${Deno.build.arch}-linux-gnu/qt5/plugins`;
const EDITORS: readonly EditorOnSway[] = [
  { command: ["mousepad", "--disable-server"], menu: "menu", covered: "Open..." },
  {
    command: ["featherpad", "--standalone"],
    needs: [`${PLUGINS}/platforms/libqwayland-generic.so`],
    menu: "menuitem",
    covered: "Open",
  },
];
/** Shows buttons below the menus. */
const SETTINGS = "[org/xfce/mousepad/preferences/window]\ntoolbar-visible=true\n";

for (const { command, needs = [], menu, covered } of EDITORS) {
  const [program = ""] = command;
  const missing = await missingForSway([program, ...needs]);
  testIf(missing === undefined, missing ?? "")(
    `an item of an open menu of ${program} on sway is clicked by ref, and what it covers is not`,
    async () => {
      await using folder = await testFolder();
      const file = `${folder.path}/document.txt`;
      await Deno.writeTextFile(file, "");
      await Deno.mkdir(`${folder.path}/glib-2.0/settings`, { recursive: true });
      await Deno.writeTextFile(`${folder.path}/glib-2.0/settings/keyfile`, SETTINGS);
      await using desktop = await openSwayDesktop();
      const { act, call, element, refused } = desktop;
      const settings = ["GSETTINGS_BACKEND=keyfile", `XDG_CONFIG_HOME=${folder.path}`];
      await call("window/open", { program: "env", args: [...settings, ...command, file] });
      const text = await element({ role: "textbox", minHeight: 100 });
      await act(text.ref, "set_value", { value: "typed" });
      const button = await element({ role: "button", name: covered });

      await call("mouse/left-click", { ref: (await element({ role: menu, name: "File" })).ref });
      const save = await element({ role: "menuitem", name: "Save" });
      expect(await refused(409, "mouse/left-click", { ref: button.ref }))
        .toContain("is covered by the menuitem");
      await call("mouse/left-click", { ref: save.ref });
      await waitFor(async () => (await Deno.readTextFile(file)).trim() === "typed", {
        what: "the saved file",
      });
    },
  );
}
