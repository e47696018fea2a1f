/** The list of monitors, without a Windows. */

import { expect } from "expect";
import { MonitorList } from "../../../src/platform/windows/screen.ts";

Deno.test("a list of monitors that is closed hands its callback to Windows no more", () => {
  let calls = 0;
  const list = new MonitorList({ EnumDisplayMonitors: () => ++calls, GetMonitorInfoW: () => 0 });
  expect(list.read()).toEqual([]);
  list[Symbol.dispose]();
  list[Symbol.dispose]();
  expect(list.read()).toEqual([]);
  expect(calls).toBe(1);
});
