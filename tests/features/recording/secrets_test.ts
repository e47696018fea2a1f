/** Recordings never show stored secrets where they were filled in. */

import { expect } from "expect";
import { openLoginForm } from "../../support/login_form.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";
import { startDesktop } from "../../support/desktop.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { decodeVideo, type Shown } from "../../support/recorded_file.ts";
import { download, find, frames, start, stop } from "./recorded.ts";

keepSecretsHidden();

const ITEM = { username: secretOf("ann.filled.in@example.org"), password: secretOf("cörrect 9!") };
/** Where the name is drawn: right of the text cursor, which blinks. */
const NAME = { left: 32, right: 150, top: 24, bottom: 46 };

for (const format of ["webm", "mp4"]) {
  Deno.test(`a ${format} recording is black where authenticate fills in`, async () => {
    await using desktop = await startDesktop({ server: { size: "320x240" } });
    await using form = await openLoginForm(desktop.display);
    const { service } = desktop;
    await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
    const { id } = await start(service, { format, max_fps: 30 });
    await frames(service, id, 1);
    const authElements = (["username", "password"] as const)
      .map((type) => ({ type, coordinates: form[type] }));
    expect(await service.call("/api/keychain/authenticate", { service: "shop", authElements }))
      .toBe(true);
    await showsCovers(service, id, 2);
    const later = await start(service, { format });
    await frames(service, later.id, 1);
    for (const each of [id, later.id]) {
      await stop(service, each);
      const file = await download(service, each);
      const shown = await decodeVideo(file);
      expect(shown.map(lookOf)).not.toContain("a name");
      expect(lookOf(shown.at(-1)!)).toBe("black");
      if (each === id) expect(lookOf(shown[0]!)).toBe("empty");
      expect(new TextDecoder("latin1").decode(file)).not.toContain(ITEM.username);
    }
  });
}

Deno.test("a recording is black where keyboard/type types a stored value", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  const { id } = await start(service, { format: "webm", max_fps: 30 });
  await service.call("/api/mouse/left-click", form.username);
  await frames(service, id, 1);
  await service.call("/api/keyboard/type", { secret: { service: "shop", field: "username" } });
  await showsCovers(service, id, 1);
  await stop(service, id);
  const shown = await decodeVideo(await download(service, id));
  expect(shown.map(lookOf)).not.toContain("a name");
  expect(lookOf(shown.at(-1)!)).toBe("black");
});

/** Waits for a picture that has that many black areas. */
async function showsCovers(service: Service, id: string, count: number): Promise<void> {
  await waitFor(async () => (await find(service, id)).blacked_out === count, {
    what: `${count} black areas`,
  });
  const { frames: taken } = await find(service, id);
  // whatever changes now is shown together with them
  await service.call("/api/mouse/move", { x: 310, y: 230 });
  await service.call("/api/mouse/left-click", { x: 100, y: 95 });
  await waitFor(async () => (await find(service, id)).frames > taken, { what: "a picture" });
}

/** What a picture shows where the name would be. */
function lookOf({ pixel }: Shown): "black" | "empty" | "a name" {
  let dark = 0;
  let all = 0;
  for (let y = NAME.top; y < NAME.bottom; y++) {
    for (let x = NAME.left; x < NAME.right; x++) {
      all++;
      if (pixel(x, y)[1] < 128) dark++;
    }
  }
  if (dark === all) return "black";
  return dark === 0 ? "empty" : "a name";
}
