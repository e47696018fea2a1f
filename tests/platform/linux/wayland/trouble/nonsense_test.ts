/** A compositor that says nonsense, leaves descriptors out or falls silent: the service answers, and recovers. */

import { expect } from "expect";
import type { WireMessage } from "../../../../../src/platform/linux/wayland/wire/encoding.ts";
import { waitFor } from "../../../../support/wait.ts";
import { countDescriptors } from "../../../../support/wayland/socket_pair.ts";
import {
  expectAll,
  expectBack,
  REQUESTS,
  type Spoiled,
  startSpoiled,
  startSway,
  testSway,
} from "./support.ts";

const words = (...numbers: number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);
const header = (length: number, opcode: number) => length * 0x10000 + opcode;

const NONSENSE: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "a message shorter than its header": words(1, header(4, 0)),
  "a message whose length is odd": words(1, header(13, 0), 0, 0),
  "an event of an unknown object": words(0xdead, header(8, 0)),
  "an unknown event": words(1, header(8, 77)),
  "an event without its arguments": words(2, header(8, 0)),
  "a text longer than its message": words(2, header(20, 0), 9, 0x7fff_fff0, 3),
  "a text without an end": words(2, header(24, 0), 9, 4, 0x4141_4141, 1),
  "a global of no interface": words(2, header(24, 0), 9, 1, 0, 1),
  "a global of a name that no object has": words(2, header(32, 0), 9, 11, ...abc(), 1),
  "the end of a global that never was": words(2, header(12, 1), 4_000_000),
  "the end of an object that never was": words(1, header(12, 1), 4_000_000),
  "the end of the display itself": words(1, header(12, 1), 1),
  "a refusal without a reason": words(1, header(20, 0), 0, 0, 0),
  "a refusal of an unknown object": words(1, header(24, 0), 77, 9, 1, 0),
  "a megabyte of zeros": new Uint8Array(1024 * 1024),
  "a megabyte of ones": new Uint8Array(1024 * 1024).fill(0xff),
  "half a message": words(1, header(64, 0), 1),
};

function abc(): number[] {
  return [...new Uint32Array(new TextEncoder().encode("constructor\0").buffer)];
}

testSway("nonsense ends at most the connection, and the next one works", async (test) => {
  await using desktop = await startSway();
  await using spoiled = await startSpoiled(desktop);
  for (const [what, bytes] of Object.entries(NONSENSE)) {
    await test.step(what, async () => {
      await spoiled.service.call("/api/mouse/move", { x: 1, y: 1 });
      spoiled.proxy.say(bytes);
      await answersAll(spoiled);
      if (what === "half a message") spoiled.proxy.hangUp(); // what follows would be its rest
      await expectBack(spoiled.service);
    });
  }
});

testSway("a keymap whose descriptor never comes is no reason to wait", async () => {
  await using desktop = await startSway();
  await using spoiled = await startSpoiled(desktop);
  const { proxy, service } = spoiled;
  await service.call("/api/keyboard/key", { key: "a" });
  proxy.change = (event) => isKeymap(event) ? "without its descriptor" : undefined;
  proxy.hangUp();
  await answersAll(spoiled);
  proxy.change = () => undefined;
  proxy.hangUp();
  await expectBack(spoiled.service);
});

testSway("a keymap that never comes is no reason to wait", async () => {
  await using desktop = await startSway();
  await using spoiled = await startSpoiled(desktop);
  spoiled.proxy.change = (event) => isKeymap(event) ? "drop" : undefined;
  spoiled.proxy.hangUp();
  await answersAll(spoiled);
  spoiled.proxy.change = () => undefined;
  spoiled.proxy.hangUp();
  await expectBack(spoiled.service);
});

testSway("a compositor that never answers holds up no other request", async () => {
  await using desktop = await startSway();
  await using spoiled = await startSpoiled(desktop);
  const { proxy, service } = spoiled;
  await expectAll(service);
  proxy.isMute = true;
  const answers = Promise.all(REQUESTS.map(([path, body]) => service.send(path, body)));
  for (let i = 0; i < 20; i++) await service.call("/api/filesystem/info//tmp");
  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
  expect(statuses).toContain(503);
  proxy.isMute = false;
  proxy.hangUp();
  await expectBack(spoiled.service);
});

testSway("lost connections cost no descriptor", async () => {
  await using desktop = await startSway();
  await using spoiled = await startSpoiled(desktop);
  await expectBack(spoiled.service);
  spoiled.proxy.hangUp();
  await expectBack(spoiled.service);
  const before = countDescriptors();
  for (let i = 0; i < 20; i++) {
    spoiled.proxy.hangUp();
    const isBack = async () => (await spoiled.service.send("/api/mouse/move", { x: 1, y: 1 })).ok;
    await waitFor(isBack, { everyMs: 1 });
  }
  await expectBack(spoiled.service);
  await waitFor(() => countDescriptors() <= before + 4, { what: "the descriptors to be closed" });
});

/** Each is answered, whatever the answer is: no bug, and no waiting for ever. */
async function answersAll({ service }: Spoiled): Promise<void> {
  const responses = await Promise.all(REQUESTS.map(([path, body]) => service.send(path, body)));
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => ![200, 204, 501, 503].includes(status))).toEqual([]);
}

/** `wl_keyboard.keymap`: its format is 1, and its size that of a keymap. */
function isKeymap({ opcode, body }: WireMessage): boolean {
  if (opcode !== 0 || body.length !== 8) return false;
  const [format, size] = new Uint32Array(body.slice().buffer);
  return format === 1 && size! > 1_000;
}
