/** What changes on a Mac: pictures that are compared for those who wait, `since` and entity tags. */

import { expect } from "expect";
import { type Mac, type MacService, startMac, startMacService } from "../../support/mac.ts";
import { waitFor } from "../../support/wait.ts";

const SCREENSHOT = "/api/display/screenshot";

/** The rectangles that screencapture was asked for since the last time. */
function captures(mac: Mac): string[] {
  return mac.calls().filter(({ program }) => program === "screencapture")
    .map(({ args }) => args.find((arg) => arg.startsWith("-R"))!);
}

/** Begins to wait; the display has been looked at when this resolves. */
async function startWait(mac: Mac, service: MacService, fields: object) {
  mac.calls();
  const done = service.post("/api/display/wait", { timeout_ms: 25_000, ...fields });
  let seen = 0;
  await waitFor(() => (seen += captures(mac).length) >= 4, { what: "looks at the display" });
  return { done };
}

async function shoot(service: MacService, query = "", headers: Record<string, string> = {}) {
  const answer = await service.get(SCREENSHOT + query, headers);
  await answer.arrayBuffer();
  const get = (name: string) => answer.headers.get(name)!;
  return { status: answer.status, tag: get("etag"), frame: get("x-frame"), get };
}

Deno.test("display/wait on a Mac ends when something changes", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { done } = await startWait(mac, service, { until: "change" });
  mac.change((desktop) => desktop.spots = [[300, 200]]);
  expect(await done).toMatchObject({ status: 200, body: { status: "changed" } });
});

Deno.test("display/wait on a Mac ends when a pixel has its colour", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const until = { pixel: { x: 100, y: 50, rgb: [100, 50, 255] } };
  const { done } = await startWait(mac, service, { until });
  mac.change((desktop) => desktop.spots = [[100, 50]]);
  expect(await done).toMatchObject({ status: 200, body: { status: "found" } });
});

Deno.test("display/wait on a Mac ends when nothing changes, and nothing runs after it", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { body } = await service.post("/api/display/wait", {
    ...{ until: "stable", stable_ms: 1_000, timeout_ms: 25_000 },
  });
  expect(body).toMatchObject({ status: "stable" });
  await service.get(SCREENSHOT).then((answer) => answer.arrayBuffer()); // longer than a look
  mac.calls();
  await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect(captures(mac)).toEqual(["-R1,1,1,1"]);
});

Deno.test("one who waits sees a display that is moved elsewhere as changed, and follows it there", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { done } = await startWait(mac, service, { until: "change", display_num: 1 });
  mac.change(({ answer }) => (answer["screens"] as { x: number }[])[0]!.x = 40);
  expect(await done).toMatchObject({ status: 200, body: { status: "changed" } });
  expect(captures(mac)).toContain("-R40,0,640,400");
});

Deno.test("one who waits hears that the screen is locked, and that pictures are not permitted any more", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const first = await startWait(mac, service, { until: "change" });
  mac.change(({ answer }) => answer["recording"] = false);
  expect((await first.done).status).toBe(403);
  mac.change(({ answer }) => answer["recording"] = true);
  await waitFor(async () => (await shoot(service)).status === 200, { what: "the permission" });
  const second = await startWait(mac, service, { until: "change" });
  mac.change(({ answer }) => answer["session"] = { locked: true, onConsole: true });
  expect((await second.done).status).toBe(503);
});

Deno.test("screenshot on a Mac is one process, and 304 as long as it would show the same", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const first = await shoot(service);
  const headers = { "if-none-match": first.tag };
  const same = await shoot(service, "", headers);
  expect([same.status, same.tag, same.frame]).toEqual([304, first.tag, first.frame]);
  expect(captures(mac).length).toBe(2);
  mac.change((desktop) => desktop.spots = [[639, 399]]);
  const other = await shoot(service, "", headers);
  expect(other.status).toBe(200);
  expect(other.tag).not.toBe(first.tag);
  expect((await shoot(service, "?width=50&height=50", headers)).status).toBe(200);
  mac.change((desktop) => desktop.spots = []);
  expect((await shoot(service, "", headers)).status).toBe(304);
});

Deno.test("since on a Mac gives what has changed, and nothing where nothing has", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const plain = await shoot(service);
  expect((await shoot(service, `?since=${plain.frame}`)).status).toBe(204);
  mac.change((desktop) => desktop.spots = [[5, 5]]);
  const whole = await shoot(service, `?since=${plain.frame}`);
  expect(whole.get("x-region")).toBe("0,0,640,400");
  expect((await shoot(service, `?since=${whole.frame}`)).status).toBe(204);
  mac.change((desktop) => desktop.spots = [[5, 5], [200, 100]]);
  const part = await shoot(service, `?since=${whole.frame}`);
  expect([part.status, part.get("x-region")]).toEqual([200, "200,100,1,1"]);
  expect((await shoot(service, `?since=${part.frame}`)).status).toBe(204);
});

Deno.test("since with the cursor gives all of it, because nothing tells where the cursor was drawn", async () => {
  await using mac = await startMac();
  mac.uninstall("cliclick");
  await using service = await startMacService(mac);
  const { frame } = await shoot(service);
  mac.change((desktop) => desktop.spots = [[5, 5]]);
  const shown = await shoot(service, `?since=${frame}&cursor=true`);
  const again = await shoot(service, `?since=${shown.frame}`);
  expect([again.status, again.get("x-region")]).toEqual([200, "0,0,640,400"]);
});
