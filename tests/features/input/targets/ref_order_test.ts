/** Elements are asked for, by another way than the display's, only after what was sent before has been handled. */

import { expect } from "expect";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import { FakeTarget } from "../../../support/fake_targets.ts";
import { Refs } from "../../../../src/features/input/targets/refs.ts";

for (const path of ["keyboard/type", "mouse/left-click", "mouse/drag"]) {
  Deno.test(`${path} with a ref waits until a busy program has handled keys and wheel`, async () => {
    const program = { ping: true, slownessMs: 300 };
    await using desktop = await startRecordedDesktop({ recorder: program });
    const { service, recorder } = desktop;
    const element = new FakeTarget();
    const handled: [string, number][] = [];
    element.onAsk = () => handled.push([recorder.text, recorder.buttonEvents.length]);
    const ref = service.session.use(Refs).add(element);
    await service.type("abc");
    await service.call("/api/mouse/scroll", { clicks: -1 });
    await service.call(`/api/${path}`, path === "keyboard/type" ? { text: "d", ref } : { ref });
    expect(handled[0]).toEqual(["abc", 2]);
  });
}

Deno.test("mouse/left-click with a ref looks for what covers it when the program has had its time for a text", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const element = new FakeTarget();
  const asked: number[] = [];
  element.onAsk = () => asked.push(performance.now());
  const ref = service.session.use(Refs).add(element);
  await service.type("abc");
  const typed = performance.now();
  await service.call("/api/mouse/left-click", { ref });
  expect(recorder.text).toBe("abc");
  expect(asked[0]! - typed).toBeGreaterThanOrEqual(115);
});
