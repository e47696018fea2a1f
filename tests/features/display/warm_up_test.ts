/** Getting ready before the first picture is asked for. */

import { expect } from "expect";
import { warmUp } from "../../../src/features/display/warm_up.ts";
import { startDesk } from "../../support/desk.ts";
import { shoot } from "../../support/pictures.ts";
import { startService } from "../../support/service.ts";

Deno.test("warmUp() takes a picture that is not remembered", async () => {
  await using desk = await startDesk({ server: { size: "320x240" } });
  const { platform, session } = desk.service;
  expect(await warmUp(platform, session)).toBe("ready");
  expect((await shoot(desk.service)).frame).toMatch(/-1$/);
});

Deno.test("warmUp() leaves it to the first who asks to be told that there is no display", async () => {
  await using service = await startService({ displays: [":98765"] });
  expect(await warmUp(service.platform, service.session)).toBe("not ready");
  expect(await service.refused(503, "/api/display/screenshot")).toContain(":98765");
});
