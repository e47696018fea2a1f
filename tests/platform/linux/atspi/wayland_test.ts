/** AT-SPI on Wayland, where programs do not know where their windows are. */

import { expect } from "expect";
import { createLog } from "../../../../src/core/log.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { requireCapability } from "../../../../src/platform/capability.ts";
import { startVirtualWayland } from "../../../../src/platform/linux/virtual/wayland_display.ts";
import type { Element } from "../../../../src/platform/types/mod.ts";
import { fakeConfig } from "../../../support/fake_host.ts";
import { testFolder } from "../../../support/folder.ts";
import { succeeds, testIf } from "../../../support/test_if.ts";
import { missingFor } from "../../../support/wayland/desktop.ts";
import { waitFor } from "../../../support/wait.ts";
import { EVERYTHING, flatten, NEVER } from "./support/elements.ts";

const mayRun = Deno.uid() !== 0 || await succeeds("unshare", ["--user", "true"]);
const missing = missingFor("sway", ["zenity"]) ??
  (mayRun ? undefined : "root may not make a user namespace");

testIf(missing === undefined, missing ?? "")(
  "elements on Wayland are read and clicked; places are only told where they are known",
  async () => {
    await using folder = await testFolder();
    const size = { width: 800, height: 600 };
    const config = fakeConfig({ stateDir: folder.path });
    await using virtual = await startVirtualWayland(thisHost(), {
      size,
      config,
      log: createLog(() => {}),
    });
    await using display = await virtual.session!.open(1, virtual.display);
    const port = requireCapability(display.accessibility);
    const env = { PATH: Deno.env.get("PATH")!, HOME: folder.path, ...virtual.variables };
    const program = new Deno.Command("zenity", {
      args: ["--question", "--text=Seen"],
      env: { ...env, XDG_RUNTIME_DIR: folder.path },
      clearEnv: true,
      stderr: "null",
    }).spawn();
    const look = async (): Promise<Element | undefined> => {
      const all = flatten((await port.read(EVERYTHING)).roots);
      return all.find(({ role, name }) => role === "button" && name === "Yes");
    };
    try {
      // the window may be listed only after its elements are there
      const yes = await waitFor(async () => {
        const found = await look();
        const isPlaced = display.windows.ready &&
          (await display.windows.use.list(NEVER)).some(({ bounds }) => bounds !== null);
        return isPlaced === display.windows.ready && (found?.bounds !== undefined) === isPlaced
          ? found
          : undefined;
      }, { what: "the button of zenity in its place" });
      expect((await port.refresh([yes.id], NEVER))[0]).toMatchObject({ name: "Yes" });
      expect(await port.perform(yes.id, { kind: "click" }, NEVER)).toBe(true);
      expect((await program.status).code).toBe(0);
    } finally {
      if (await look() !== undefined) program.kill("SIGKILL");
      await program.status;
    }
  },
);
