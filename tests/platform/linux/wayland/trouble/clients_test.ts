/** Callers that leave, come in crowds or press what is never released: nothing stays down on the desktop. */

import { expect } from "expect";
import type { Service } from "../../../../support/service.ts";
import { waitFor } from "../../../../support/wait.ts";
import { type EventLog, openEventLog } from "../../../../support/wayland/event_log.ts";
import { startSway, testSway } from "./support.ts";

testSway("a caller that leaves in the middle of a text or a drag leaves nothing down", async () => {
  await using desktop = await startSway();
  await using service = await desktop.service();
  await using log = await openEventLog(desktop);
  const requests = [
    ["/api/keyboard/type", { text: "aé漢Z".repeat(5_000), typing_delay: 5 }, isTyping],
    ["/api/keyboard/key", { key: "ctrl+b", duration_ms: 30_000 }, isTyping],
    ["/api/mouse/drag", { from: { x: 5, y: 5 }, x: 500, y: 300, duration_ms: 30_000 }, isDragging],
  ] as const;
  for (const [index, [path, body, hasBegun]] of requests.entries()) {
    await log.clear();
    const leaving = new AbortController();
    const answer = service.send(path, body, leaving.signal).catch(() => undefined);
    await waitFor(() => hasBegun(log), { what: `${path} to begin` });
    leaving.abort();
    await answer;
    const x = 700 + index;
    await service.call("/api/mouse/move", { x, y: 1 }); // the next in the queue
    // when the program has that, it has all that was sent before
    await waitFor(async () => (await log.pointer()).some((event) => Math.floor(event.x!) === x), {
      what: "the move",
    });
    await waitFor(() => isReleased(log), { what: `the release after ${path}` });
  }
  await expectTyping(service, log, "after");
});

testSway("ten callers at once get what they ask for, and texts stay whole", async () => {
  await using desktop = await startSway();
  await using service = await desktop.service();
  await using log = await openEventLog(desktop);
  const texts = Array.from({ length: 10 }, (_, index) => `<${index}é漢${"abc".repeat(20)}>`);
  await Promise.all(texts.flatMap((text, index) => [
    service.type(text),
    service.call("/api/mouse/move", { x: 10 * index, y: 5 }),
    service.call("/api/mouse/left-click", { x: 300, y: 10 * index }),
    expectPicture(service),
    service.call("/api/display/pixel_color", { x: index, y: 1 }),
  ]));
  const typed = await log.text(texts.join("").length);
  expect(typed.match(/<[^>]*>/g)?.sort()).toEqual(texts.sort());
  expect(typed.length).toBe(texts.join("").length);
  await waitFor(async () => {
    const events = await log.pointer();
    return events.filter(({ type }) => type === "release").length === 10;
  }, { what: "ten clicks" });
  await waitFor(() => isReleased(log), { what: "everything to be released" });
});

testSway("release-all releases what every caller holds", async () => {
  await using desktop = await startSway();
  await using service = await desktop.service();
  await using log = await openEventLog(desktop);
  for (const key of ["shift", "ctrl", "漢", "f5"]) {
    await service.call("/api/keyboard/hold", { key });
  }
  await service.call("/api/mouse/down", { button: "left", x: 50, y: 50 });
  await service.call("/api/mouse/down", { button: "right" });
  await waitFor(async () =>
    (await log.pointer()).filter(({ type }) => type === "press").length === 2
  );
  expect(await isReleased(log)).toBe(false);
  await service.call("/api/system/release-all", {});
  await waitFor(() => isReleased(log), { what: "everything to be released" });
  expect(await service.call("/api/keyboard/held")).toEqual([]);
  await expectTyping(service, log, "xY漢");
});

testSway("what is held is released when the service ends", async () => {
  await using desktop = await startSway();
  await using log = await openEventLog(desktop);
  {
    await using service = await desktop.service();
    await service.call("/api/mouse/move", { x: 40, y: 40 });
    // it begins to listen when there is a mouse, and would miss the press before that
    await waitFor(async () => (await log.pointer()).length > 0, { what: "the mouse" });
    await service.call("/api/mouse/down", { button: "left", x: 50, y: 50 });
    await service.call("/api/keyboard/hold", { key: "a" });
    await waitFor(async () => (await log.keys()).length > 0);
  }
  await waitFor(() => isReleased(log), { what: "everything to be released" });
});

/** After a mark, because what came before, as of keys that repeat while held, may still be on its way. */
async function expectTyping(service: Service, log: EventLog, text: string): Promise<void> {
  await service.type(`|${text}`);
  const read = async () => (await log.text(0)).split("|");
  await waitFor(async () => (await read()).at(1)?.length === text.length).catch(() => {});
  expect((await read()).slice(1)).toEqual([text]);
}

async function expectPicture(service: Service): Promise<void> {
  const response = await service.send("/api/display/screenshot");
  const { length } = await response.bytes();
  expect([response.status, length > 100]).toEqual([200, true]);
}

async function isTyping(log: EventLog): Promise<boolean> {
  return (await log.keys()).some(({ isPress }) => isPress);
}

async function isDragging(log: EventLog): Promise<boolean> {
  const events = await log.pointer();
  return events.findIndex(({ type }) => type === "press") > -1 && events.at(-1)!.type === "motion";
}

/** Whether the program has seen as many releases as presses, of keys and of buttons. */
async function isReleased(log: EventLog): Promise<boolean> {
  const down = new Map<string, number>();
  const count = (name: string, isPress: boolean) =>
    down.set(name, (down.get(name) ?? 0) + (isPress ? 1 : -1));
  for (const { key, isPress } of await log.keys()) count(`key ${key}`, isPress);
  for (const { type, button } of await log.pointer()) {
    if (type !== "motion") count(button!, type === "press");
  }
  return [...down.values()].every((each) => each === 0);
}
