/** Pictures of a Mac: the exact calls of screencapture, pixels on every kind of display, and its failures. */

import { expect } from "expect";
import { dirname } from "node:path";
import { commandsOf, type Mac, startMac, startMacService } from "../../support/mac.ts";
import { decodePng } from "../../support/png.ts";

/**
 * The arguments of screencapture without the file, which was in a folder that nobody else may enter
 * and has gone with it.
 */
function captures(mac: Mac): string[][] {
  return mac.calls().filter(({ program }) => program === "screencapture").map((call) => {
    const file = call.args.at(-1)!;
    expect(call.folder_mode).toBe(0o700);
    expect(() => Deno.statSync(dirname(file))).toThrow(Deno.errors.NotFound);
    return call.args.slice(0, -1);
  });
}

Deno.test("pixel_color on a Mac takes a picture of one point", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const answer = await service.post("/api/display/pixel_color", { x: 300, y: 20 });
  expect(answer).toEqual({ status: 200, body: [300 % 256, 20, 7] });
  expect(captures(mac)).toEqual([["-x", "-t", "png", "-R300,20,1,1"]]);
});

Deno.test("pixels of a Retina display left of the primary one are told apart", async () => {
  await using mac = await startMac();
  mac.change((desktop) => desktop.scale = 2);
  await using service = await startMacService(mac);
  for (const [x, y] of [[0, 0], [1, 0], [0, 1], [1_599, 1_199]] as const) {
    const answer = await service.post("/api/display/pixel_color", { x, y, display_num: 2 });
    expect(answer.body).toEqual([(x + 65_536 - 1_600) % 256, (y + 65_536 - 200) % 256, 7]);
  }
  expect(captures(mac)).toEqual([
    ...Array.from({ length: 3 }, () => ["-x", "-t", "png", "-R-800,-100,1,1"]),
    ["-x", "-t", "png", "-R-1,499,1,1"],
  ]);
});

Deno.test("screenshot on a Mac shows every pixel of a region, the cursor where it is asked for", async () => {
  await using mac = await startMac();
  mac.change((desktop) => desktop.scale = 2);
  await using service = await startMacService(mac);
  const region = "display_num=2&x=3&y=5&width=4&height=2&cursor=true";
  const answer = await service.get(`/api/display/screenshot?${region}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-scale")).toBe("1");
  const picture = decodePng(new Uint8Array(await answer.arrayBuffer()));
  expect([picture.width, picture.height]).toEqual([4, 2]);
  expect(captures(mac)).toEqual([["-x", "-t", "png", "-R-799,-98,3,2", "-C"]]);
  const whole = await service.get("/api/display/screenshot?display_num=2");
  await whole.body?.cancel();
  expect(captures(mac)).toEqual([["-x", "-t", "png", "-R-800,-100,800,600"]]);
});

Deno.test("a picture of another size than the display has is 409", async () => {
  await using mac = await startMac();
  mac.change((desktop) => desktop.scale = 3);
  await using service = await startMacService(mac);
  const answer = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect(answer).toMatchObject({ status: 409 });
});

const FAULTS = [
  {
    name: "a display that sleeps",
    fault: { code: 1, stderr: "could not create image from rect\n" },
    status: 503,
    says: "it gets no image; check that the display is awake",
  },
  {
    name: "a screencapture that fails without a word",
    fault: { code: 2 },
    status: 503,
    says: "it ended with 2",
  },
  {
    name: "a screencapture that writes nothing",
    fault: { nothing: true },
    status: 503,
    says: "it wrote no picture",
  },
];

for (const { name, fault, status, says } of FAULTS) {
  Deno.test(`pictures on a Mac: ${name} is ${status}`, async () => {
    await using mac = await startMac();
    mac.change(({ faults }) => faults.screencapture = fault);
    await using service = await startMacService(mac);
    const pixel = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
    expect(pixel.status).toBe(status);
    expect(JSON.stringify(pixel.body)).toContain(says);
    const screenshot = await service.get("/api/display/screenshot");
    expect(screenshot.status).toBe(status);
    expect((await screenshot.json()).detail).toContain(says);
    expect(captures(mac).length).toBe(2);
  });
}

Deno.test("a screencapture that hangs is killed", async () => {
  await using mac = await startMac();
  mac.change(({ faults }) => faults.screencapture = { hang: true });
  await using service = await startMacService(mac, { programMs: 3_000 });
  const { status, body } = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toContain("did not end within 3000 ms");
  expect(captures(mac).length).toBe(1);
});

Deno.test("without Screen Recording a picture names the setting, and input works", async () => {
  await using mac = await startMac();
  mac.change(({ answer }) => answer["recording"] = false);
  await using service = await startMacService(mac);
  const says = "System Settings > Privacy & Security > Screen Recording";
  const { status, body } = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect(status).toBe(403);
  expect(JSON.stringify(body)).toContain(says);
  const screenshot = await service.get("/api/display/screenshot");
  expect(screenshot.status).toBe(403);
  expect((await screenshot.json()).detail).toContain(says);
  expect(captures(mac)).toEqual([]);
  expect((await service.platform.displays.readiness()).reason).toContain(says);
  expect(service.platform.backends()[0]!.reason).toContain(says);
  await service.post("/api/mouse/move", { x: 1, y: 1 });
  expect(commandsOf(mac.calls())).toEqual([["m:1,1"]]);
});

Deno.test("where macOS does not tell of the permission, screencapture's own words do", async () => {
  await using mac = await startMac();
  mac.change(({ answer, faults }) => {
    answer["recording"] = null;
    faults.screencapture = { code: 1, stderr: "could not create image from display\n" };
  });
  await using service = await startMacService(mac);
  const { status, body } = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect(status).toBe(403);
  expect(JSON.stringify(body)).toContain("Screen Recording");
});
