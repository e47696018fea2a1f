/** InputTally, readReply(): who got which input, in the order in which a server reports it. */

import { expect } from "expect";
import {
  type InputEvent,
  InputTally,
  readReply,
  type Recorded,
} from "../../../../src/platform/linux/x11/record_stream.ts";

const PROGRAM = 0x400000;
const MANAGER = 0x200000;

function event(type: number, client?: number, { detail = 1, time = 7 } = {}): InputEvent {
  return { type, detail, time, window: (client ?? 0) + 1, client };
}

Deno.test("InputTally counts presses before releases and motions, and who got the last one", () => {
  const tally = new InputTally();
  expect(tally.result).toBeUndefined();
  for (const recorded of [event(6), event(6, PROGRAM), event(4), event(4, MANAGER), event(5)]) {
    tally.add(recorded);
  }
  expect(tally.result).toMatchObject({ kind: "button press", count: { sent: 1, lost: 0 } });
  tally.add("replay");
  tally.add(event(4, PROGRAM));
  expect(tally.result?.count.last).toEqual({ client: PROGRAM, window: PROGRAM + 1 });
});

Deno.test("InputTally knows who had a press when the server was asked, and what came after", () => {
  const tally = new InputTally();
  const add = (...all: Recorded[]) => all.forEach((recorded) => tally.add(recorded));
  add("probe");
  add(event(4), event(4, MANAGER), "probe", "replay");
  add(event(4), event(4, MANAGER), "replay", "probe");
  add(event(4), event(4, MANAGER), "replay", event(4, PROGRAM), "probe");
  expect(tally.probed.map(({ handedTo, handedOn }) => [handedTo?.client, handedOn])).toEqual([
    [undefined, "no"],
    [MANAGER, "after"],
    [MANAGER, "before"],
    [PROGRAM, "no"],
  ]);
});

Deno.test("InputTally counts what no client got, and only the last motion", () => {
  const tally = new InputTally();
  for (let time = 0; time < 5; time++) tally.add(event(6, undefined, { time }));
  expect(tally.result).toMatchObject({ kind: "motion", count: { sent: 1, lost: 1 } });
  for (let time = 0; time < 5; time++) tally.add(event(2, undefined, { detail: 38, time }));
  tally.add(event(2, PROGRAM, { detail: 38, time: 1 }));
  expect(tally.result).toMatchObject({ kind: "key press", count: { sent: 5, lost: 4 } });
});

Deno.test("readReply() reads the events and the requests that a server has recorded", () => {
  const replies = [
    reply(4, 0, []),
    reply(0, 0, packet(4, 1, 9, 0)),
    reply(0, PROGRAM, packet(4, 1, 9, 0x400001), packet(28)),
    reply(
      1,
      MANAGER,
      [35, 2, 2, 0, 0, 0, 0, 0, 26, 0, 6, 0, 0x55, 0, 0, 0],
      new Array(16).fill(0),
    ),
  ];
  const found: Recorded[] = [];
  const how = { probeWindow: 0x55, use: (recorded: Recorded) => found.push(recorded) };
  for (const each of replies) readReply(each, how);
  expect(found).toEqual([
    { type: 4, detail: 1, time: 9, window: 0, client: undefined },
    { type: 4, detail: 1, time: 9, window: 0x400001, client: PROGRAM },
    "replay",
    "probe",
  ]);
});

function packet(type: number, detail = 0, time = 0, window = 0): number[] {
  const view = new DataView(new ArrayBuffer(32));
  view.setUint8(0, type);
  view.setUint8(1, detail);
  view.setUint32(4, time, true);
  view.setUint32(12, window, true);
  return [...new Uint8Array(view.buffer)];
}

function reply(category: number, xidBase: number, ...data: number[][]) {
  return { category, xidBase, data: Uint8Array.from(data.flat()) };
}
