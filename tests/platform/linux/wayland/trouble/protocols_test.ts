/** Compositors that lack one protocol each: what needs it says so, and everything else works. */

import { expect } from "expect";
import { REQUESTS, startSpoiled, startSway, testSway } from "./support.ts";

const MOUSE = ["/api/mouse/move", "/api/mouse/left-click", "/api/mouse/scroll"];
const KEYBOARD = ["/api/keyboard/key", "/api/keyboard/type"];
const INPUT = [...MOUSE, ...KEYBOARD];
const ALL = REQUESTS.map(([path]) => path);

/** What is refused without each, and by which name the refusal calls it. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  wl_output: ALL,
  wl_shm: ALL, // no backend without pictures
  wl_seat: INPUT,
  zwlr_screencopy_manager_v1: ALL,
  zwlr_virtual_pointer_manager_v1: INPUT,
  zwp_virtual_keyboard_manager_v1: KEYBOARD,
  zxdg_output_manager_v1: [],
  zwlr_data_control_manager_v1: [],
  zwlr_foreign_toplevel_manager_v1: [],
  wl_compositor: [],
  xdg_wm_base: [],
};

testSway("without one protocol what needs it says so, and the rest works", async (test) => {
  await using desktop = await startSway();
  for (const [name, refused] of Object.entries(NEEDED)) {
    await test.step(name, async () => {
      await using spoiled = await startSpoiled(desktop, { hidden: [name] });
      const { service } = spoiled;
      for (const [path, body] of REQUESTS) {
        const response = await service.send(path, body);
        const text = await response.text();
        if (!refused.includes(path)) {
          expect({ path, said: response.ok ? "" : text }).toEqual({ path, said: "" });
          continue;
        }
        expect({ path, status: response.status }).toEqual({ path, status: 501 });
        expect(JSON.parse(text).detail).toContain(name);
      }
    });
  }
});
