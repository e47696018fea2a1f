/** Compositors that lack protocols, or have older versions of them, and those that are refused. */

import { expect } from "expect";
import { createLog } from "../../../../../src/core/log.ts";
import { thisHost } from "../../../../../src/platform/host.ts";
import { openLinux } from "../../../../../src/platform/linux/mod.ts";
import type { WireMessage } from "../../../../../src/platform/linux/wayland/wire/encoding.ts";
import { fakeConfig, fakeServers } from "../../../../support/fake_host.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingFor } from "../../../../support/wayland/desktop.ts";
import { patternAt } from "../../../../support/wayland/pattern.ts";
import { encode, WaylandProxy } from "../../../../support/wayland/proxy.ts";
import { startSway, type Sway } from "../../../../support/wayland/sway.ts";
import { waitFor } from "../../../../support/wait.ts";

const lacking = missingFor("sway");
const onSway = testIf(lacking === undefined, lacking ?? "");

const MODE = { width: 320, height: 200 };
const SCREENCOPY = "zwlr_screencopy_manager_v1";
const VERSIONS = [
  [SCREENCOPY, 2, "events"],
  [SCREENCOPY, 1, "comparison"],
  ["zxdg_output_manager_v1", 2, "events"],
  ["zxdg_output_manager_v1", 1, "events"],
  ["wl_output", 3, "events"],
  ["wl_output", 2, "events"],
] as const;

onSway(
  "older versions of the protocols give the same pictures, and changes by comparison",
  async () => {
    await using sway = await startSway(MODE);
    await sway.showPattern("HEADLESS-1", MODE);
    for (const [name, version, source] of VERSIONS) {
      using proxy = new WaylandProxy(
        `${sway.desktop.runtime}/${name}-${version}`,
        sway.desktop.socket,
      );
      proxy.change = (event) => isGlobal(event, name) ? withVersion(event, version) : undefined;
      await using platform = await openOn(sway, proxy);
      const display = await platform.displays.open(1);
      expect([name, version, display.size]).toEqual([name, version, MODE]);
      const [x, y] = [201, 33];
      const colour = patternAt(x, y);
      const expected = [colour >> 16, colour >> 8 & 255, colour & 255];
      await waitFor(async () => `${await display.pixel({ x, y })}` === `${expected}`);
      const changes = await display.watch();
      expect([name, version, changes.source]).toEqual([name, version, source]);
      const { count, size } = await changes.poll();
      expect(size).toEqual(MODE);
      await sway.showPattern("HEADLESS-1", MODE, 100);
      await waitFor(async () => (await changes.poll()).count > count, { what: "a change" });
      await sway.showPattern("HEADLESS-1", MODE);
    }
  },
);

onSway("without xdg-output the displays are the same", async () => {
  await using sway = await startSway({ ...MODE, config: "output HEADLESS-1 scale 2" });
  const hidden = { hidden: ["zxdg_output_manager_v1"] };
  using proxy = new WaylandProxy(`${sway.desktop.runtime}/proxy`, sway.desktop.socket, hidden);
  await using platform = await openOn(sway, proxy);
  expect(await platform.displays.list()).toEqual(await sway.platform.displays.list());
});

for (const name of [SCREENCOPY, "wl_shm"]) {
  onSway(`a compositor without ${name} is refused, and the sentence names it`, async () => {
    await using sway = await startSway(MODE);
    const path = `${sway.desktop.runtime}/proxy`;
    using proxy = new WaylandProxy(path, sway.desktop.socket, { hidden: [name] });
    await using platform = await openOn(sway, proxy);
    const refusal = await Promise.resolve(platform.displays.open(1)).catch((error) => error);
    expect([refusal.status, refusal.message]).toEqual([
      501,
      expect.stringContaining(`wlroots: the compositor has no ${name}`),
    ]);
    await waitFor(() => proxy.connections === 0, { what: "the connections to end" });
  });
}

onSway("a compositor that never answers is 503, and takes nothing with it", async () => {
  await using sway = await startSway(MODE);
  using proxy = new WaylandProxy(`${sway.desktop.runtime}/proxy`, sway.desktop.socket);
  await using platform = await openOn(sway, proxy);
  const display = await platform.displays.open(1);
  proxy.isMute = true;
  const pixel = await display.pixel({ x: 1, y: 1 }).catch((error) => error);
  expect([pixel.status, pixel.message]).toEqual([
    503,
    expect.stringContaining("sent no picture"),
  ]);
  proxy.hangUp();
  proxy.isMute = false;
  await waitFor(async () => await (await platform.displays.open(1)).pixel({ x: 1, y: 1 }));
});

/** The service's platform on a sway behind a proxy. */
async function openOn({ desktop }: Sway, { path }: WaylandProxy) {
  const host = { ...thisHost(), env: { ...desktop.env, WAYLAND_DISPLAY: path } };
  return await openLinux(host, fakeConfig(), { ...fakeServers(), log: createLog(() => {}) });
}

/** `wl_registry.global`: a number, the name, the version. */
function isGlobal({ opcode, body }: WireMessage, name: string): boolean {
  return opcode === 0 && new TextDecoder().decode(body.subarray(8)).startsWith(`${name}\0`);
}

function withVersion(event: WireMessage, version: number) {
  const bytes = encode(event);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, version, true);
  return bytes;
}
