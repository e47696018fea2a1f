/** A person takes over on a real display: a script is stopped in the middle, and nothing stays down. */

import { expect } from "expect";
import { Control } from "../../../src/features/control/control.ts";
import { ANNA } from "../../support/control.ts";
import { startRecordedDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const LONG = "Abc é漢 ".repeat(2_000);

for (const typing_delay of [0, 5]) {
  Deno.test(`take-over stops a text in its middle, with ${typing_delay} ms between keys`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    const control = service.session.use(Control);
    await service.call("/api/keyboard/hold", { key: "shift" });
    await service.call("/api/mouse/down", { button: "left" });
    const typing = service.send("/api/keyboard/type", { text: LONG, typing_delay });
    const queued = service.send("/api/keyboard/key", { key: "Q" });
    await waitFor(() => recorder.presses.length > 20, { what: "the text to begin" });
    await control.takeOver(ANNA);
    expect(await recorder.x.keysDown()).toEqual([]);
    expect(await recorder.x.buttonsDown()).toBe(0);
    await recorder.sync();
    const seen = recorder.events.length;
    const answers = await Promise.all([typing, queued]);
    for (const answer of answers) {
      expect(answer.status).toBe(423);
      expect((await answer.json()).detail).toMatch(/^Anna has control since /);
    }
    expect(await service.refused(423, "/api/mouse/move", { x: 5, y: 5 })).toContain("Anna");
    expect(await service.refused(423, "/api/display/screenshot")).toContain("Anna");
    await recorder.sync();
    expect(recorder.events.length).toBe(seen);
    expect(recorder.text.length).toBeLessThan(LONG.length);
    await control.handBack(ANNA);
    const picture = await service.send("/api/display/screenshot");
    expect(picture.headers.get("x-control-notice")).toBe("display changed: take a new picture");
    await picture.body?.cancel();
    await service.type(".");
    await recorder.sync();
    expect(recorder.text.endsWith(".")).toBe(true);
    expect(recorder.text).not.toContain("Q");
  });
}
