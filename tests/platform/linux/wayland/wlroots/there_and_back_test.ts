/** A screen that shows something, something else, and the first again: `since` says nothing wrong of that on sway. */

import { expect } from "expect";
import { startService } from "../../../../support/service.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { FILLS_OUTPUT } from "../../../../support/wayland/event_log.ts";
import { followThereAndBack } from "../../../../support/follower.ts";
import { encode, WaylandProxy } from "../../../../support/wayland/proxy.ts";
import { giveToDesktopUser } from "../../../../support/wayland/user.ts";

const lacking = missingFor("sway", ["foot"]);
const onSway = testIf(lacking === undefined, lacking ?? "");

const HIDE_CURSOR = "seat * hide_cursor 100";
/** Paints the first lines of the terminal as each line of its input says. */
const PAINTER = String.raw`printf '\033[?25l'; while read -r colour; do
printf '\033[H\033[4%sm\033[K\n\033[K\n\033[K\033[m' "$colour"; done < "$0"`;
const COLOURS = { A: 2, B: 4 };

for (const source of ["events", "comparison"] as const) {
  onSway(
    `since is right where changes come from a ${source === "events" ? "compositor" : source}`,
    async () => {
      await using desktop = await startWaylandDesktop("sway", {
        width: 320,
        height: 200,
        config: `${FILLS_OUTPUT}\n${HIDE_CURSOR}`,
      });
      const input = `${desktop.home}/colours`;
      await desktop.run("mkfifo", [input]);
      await using _terminal = desktop.start("foot", ["sh", "-c", PAINTER, input]);
      using orders = await Deno.open(input, { write: true });
      await giveToDesktopUser(input);
      using proxy = new WaylandProxy(`${desktop.runtime}/old`, desktop.socket);
      if (source === "comparison") proxy.change = withoutDamage;
      const env = { ...desktop.env, WAYLAND_DISPLAY: "old" };
      await using service = await startService({ displays: [], env });
      const order = (what: "A" | "B") =>
        orders.writeSync(new TextEncoder().encode(`${COLOURS[what]}\n`));
      const pixel = async () =>
        JSON.stringify(await service.call("/api/display/pixel_color", { x: 9, y: 9 }));
      const shown: Partial<Record<"A" | "B", string>> = {};
      const paint = async (what: "A" | "B") => {
        order(what);
        const other = shown[what === "A" ? "B" : "A"];
        const now = await waitFor(async () => {
          const colour = await pixel();
          return (shown[what] === undefined ? colour !== other : colour === shown[what]) && colour;
        }, { what: `the picture ${what}` });
        shown[what] ??= now;
      };
      const blank = await pixel();
      order("A");
      shown.A = await waitFor(async () => (await pixel()) !== blank && await pixel());
      const display = await service.platform.displays.open(1);
      expect((await display.watch()).source).toBe(source);
      await followThereAndBack({ service, paint, flip: order }, { rounds: 12, everyMs: 7 });
    },
  );
}

/** Announces the first version of the protocol for pictures, which reports no damage. */
function withoutDamage(event: Parameters<WaylandProxy["change"]>[0]) {
  const name = new TextDecoder("latin1").decode(event.body);
  if (event.opcode !== 0 || !name.includes("zwlr_screencopy_manager_v1\0")) return undefined;
  const bytes = encode(event);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, 1, true);
  return bytes;
}
