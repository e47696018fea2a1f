/** Agents side by side, each on a desk: each looks for what the others have left, and finds its own alone. */

import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { startDesktop } from "../../support/desktop.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

/** Of the terminal of each: no two are alike. */
const COLOURS = [0x10, 0x30, 0x50, 0x70, 0x90, 0xb0, 0xd0, 0xf0];
const RUN_MS = pick({ short: 15_000, full: 30_000 });

Deno.test("eight agents on eight desks see and change nothing of one another", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const names = COLOURS.map((_, index) => `agent-${index}`);
  await Promise.all(names.map((name, index) => open(service, name, COLOURS[index]!)));
  await service.call("/api/trail"); // from now on operations are noted
  const end = performance.now() + RUN_MS;
  const rounds = await Promise.all(
    names.map((name, index) => act(service, { name, colour: COLOURS[index]!, index, end })),
  );
  for (const count of rounds) expect(count).toBeGreaterThan(0);
  for (const name of names) {
    const { entries } = await service.call(`/api/trail?desk=${name}&limit=1000`) as {
      entries: { desk: string; fields: { desk?: string } }[];
    };
    expect(entries.length).toBeGreaterThan(0);
    for (const { desk, fields } of entries) expect([desk, fields.desk]).toEqual([name, name]);
  }
  expect(await service.call("/api/window/list")).toEqual([]);
});

async function open(service: Service, name: string, colour: number): Promise<void> {
  const hex = colour.toString(16).padStart(2, "0");
  await service.call("/api/desk/create", {
    name,
    size: { width: 640, height: 480 },
    open: `xterm -T ${name} -geometry 60x12+0+200 -bg '#${hex}${hex}20' -e /bin/sh`,
  });
}

interface Agent {
  readonly name: string;
  readonly colour: number;
  readonly index: number;
  readonly end: number;
}

/** Works on its desk until the end; gives how many rounds it has done. */
async function act(service: Service, { name, colour, index, end }: Agent): Promise<number> {
  let round = 0;
  while (performance.now() < end) {
    const canary = `canary-${index}-${++round}`;
    const typing = service.call("/api/keyboard/type", {
      desk: name,
      text: `echo ${canary} >>log\n`,
    });
    await service.call("/api/clipboard/set", { desk: name, text: canary });
    await typing;
    const point = { x: 10 + index, y: 20 + round % 100 };
    await service.call("/api/mouse/move", { desk: name, ...point });
    expect(await service.call(`/api/mouse/position?desk=${name}`)).toEqual(point);
    expect(await service.call("/api/clipboard/get", { desk: name })).toMatchObject({
      text: canary,
    });
    const windows = await service.call(`/api/window/list?desk=${name}`) as { title: string }[];
    expect(windows.map(({ title }) => title)).toEqual([name]);
    const at = { desk: name, x: 330, y: 300 };
    expect(await service.call("/api/display/pixel_color", at)).toEqual([colour, colour, 32]);
    const expected = Array.from({ length: round }, (_, at) => `canary-${index}-${at + 1}\n`).join(
      "",
    );
    await waitFor(async () => {
      const { output } = await service.call("/api/bash/command", {
        desk: name,
        command: "cat log",
      }) as { output: string };
      if (!expected.startsWith(output)) throw new Error(`${name} has ${output}`);
      return output === expected;
    }, { what: `${canary} in the file that its terminal writes` });
  }
  return round;
}
