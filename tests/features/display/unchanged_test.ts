/** Nothing changed, nothing sent: entity tags, 304, and pictures of what has changed. */

import { expect } from "expect";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { cut, difference, shoot } from "../../support/pictures.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";

function again(desktop: Desktop, etag: string, query = ""): Promise<Response> {
  const headers = { host: "127.0.0.1:4242", "if-none-match": etag };
  return fetch(`${desktop.service.listen()}/api/display/screenshot${query}`, {
    headers: { ...headers, host: "" },
  });
}

async function status(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}

Deno.test("etag answers 304 until something changes on the display", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service, display } = desktop;
  using x = await TestX.open(display);
  const window = await x.openWindow({ x: 10, y: 10, width: 50, height: 40, pixel: 0xff0000 });
  const first = await shoot(service);
  const etag = first.headers.get("etag")!;
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const response = await again(desktop, known);
    expect(await status(response)).toBe(304);
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("x-frame")).toBe(first.frame);
  }
  expect(await status(await again(desktop, '"other"'))).toBe(200);
  expect(await status(await again(desktop, etag, "?max_width=100"))).toBe(200);
  expect(await status(await again(desktop, etag, "?format=jpeg"))).toBe(200);
  expect((await shoot(service)).headers.get("etag")).toBe(etag);

  x.client.ChangeWindowAttributes(window, { backgroundPixel: 0xff00 } as never);
  (x.client as unknown as { ClearArea(...n: number[]): void }).ClearArea(window, 0, 0, 5, 5, 0);
  await x.pointer();
  const changed = await again(desktop, etag);
  expect(await status(changed)).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
});

Deno.test("etag follows the cursor where it is drawn, and only there", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  await service.call("/api/mouse/move", { x: 50, y: 50 });
  const plain = (await shoot(service)).headers.get("etag")!;
  const shown = (await shoot(service, "?cursor=true")).headers.get("etag")!;
  expect(await status(await again(desktop, shown, "?cursor=true"))).toBe(304);
  await service.call("/api/mouse/move", { x: 51, y: 50 });
  expect(await status(await again(desktop, plain))).toBe(304);
  expect(await status(await again(desktop, shown, "?cursor=true"))).toBe(200);
});

Deno.test("cursor is drawn where it points", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service, display } = desktop;
  using x = await TestX.open(display);
  await x.openWindow({ width: 320, height: 240, pixel: 0x3366cc });
  await service.call("/api/mouse/move", { x: 160, y: 120 });
  const without = await shoot(service);
  const with_ = await shoot(service, "?cursor=true");
  expect(difference(without.rgb, with_.rgb)).toBeGreaterThan(50);
  const near = [140, 100, 40, 40] as const;
  expect(difference(cut(without, near), cut(with_, near))).toBeGreaterThan(50);
  for (
    const far of [[0, 0, 320, 90], [0, 150, 320, 90], [0, 90, 130, 60], [190, 90, 130, 60]] as const
  ) {
    expect(difference(cut(without, far), cut(with_, far))).toBe(0);
  }
  const part = await shoot(service, "?cursor=true&x=150&y=110&width=20&height=20");
  expect(difference(part.rgb, cut(with_, [150, 110, 20, 20]))).toBe(0);
});

for (const query of ["?", "?max_width=160", "?x=33&y=21&width=200&height=190&max_width=77"]) {
  Deno.test(`since gives the changed part, which fits into the older picture (${query})`, async () => {
    await using desktop = await startDesktop({ server: { size: "320x240" } });
    const { service, display } = desktop;
    using x = await TestX.open(display);
    await x.openWindow({ width: 320, height: 240, pixel: 0x204060 });
    const old = await shoot(service, query);
    expect((await service.send(`/api/display/screenshot?since=${old.frame}`)).status).toBe(204);
    await x.openWindow({ x: 60, y: 50, width: 21, height: 13, pixel: 0xff8800 });
    await x.openWindow({ x: 130, y: 90, width: 7, height: 30, pixel: 0x00ff88 });
    const part = await shoot(service, `?since=${old.frame}`);
    const [left, top, width, height] = part.headers.get("x-region")!.split(",").map(Number);
    expect([part.width, part.height]).toEqual([width, height]);
    expect(width! * height!).toBeLessThan(old.width * old.height / 3);
    const boxes = JSON.parse(part.headers.get("x-changes")!);
    expect(boxes.length).toBe(2);
    const pasted = { ...old, rgb: old.rgb.slice() };
    for (let row = 0; row < height!; row++) {
      const line = part.rgb.subarray(row * width! * 3, (row + 1) * width! * 3);
      pasted.rgb.set(line, ((top! + row) * old.width + left!) * 3);
    }
    const now = await shoot(service, query);
    expect(difference(pasted.rgb, now.rgb)).toBe(0);
    expect(difference(old.rgb, now.rgb)).toBeGreaterThan(50);
    expect((await service.send(`/api/display/screenshot?since=${part.frame}`)).status).toBe(204);
    // a point of the part is a point of the screen
    await service.call("/api/mouse/move", { x: 1, y: 1, frame: part.frame });
    const onPart = await service.call("/api/mouse/position");
    await service.call("/api/mouse/move", { x: 1 + left!, y: 1 + top!, frame: old.frame });
    expect(await service.call("/api/mouse/position")).toEqual(onPart);
  });
}

Deno.test("since is refused with a region, and for a picture that is not known", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  const { frame } = await shoot(service);
  expect(await service.refused(422, "/api/display/screenshot?since=none")).toContain(
    `["query","since"]`,
  );
  expect(await service.refused(422, `/api/display/screenshot?since=${frame}&width=5`))
    .toContain(`["query","width"]`);
});

Deno.test("display that tells of no changes gives a new picture each time, and refuses to wait", async () => {
  await using desktop = await startDesktop({
    server: { size: "320x240", args: ["-extension", "DAMAGE"] },
  });
  const { service } = desktop;
  const { frame, headers } = await shoot(service);
  const etag = headers.get("etag")!;
  expect(await status(await again(desktop, etag))).toBe(200);
  expect((await shoot(service, `?since=${frame}`)).headers.get("x-region")).toBe("0,0,320,240");
  expect(await service.refused(501, "/api/display/wait", {})).toContain("DAMAGE");
});

Deno.test("since with the cursor is empty until something or the cursor has changed", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  await service.call("/api/mouse/move", { x: 50, y: 50 });
  const { frame } = await shoot(service, "?cursor=true");
  const since = `/api/display/screenshot?since=${frame}`;
  expect(await status(await service.send(`${since}&cursor=true`))).toBe(204);
  await service.call("/api/mouse/move", { x: 150, y: 50 });
  expect(await status(await service.send(`${since}&cursor=true`))).toBe(200);
});

Deno.test("since without the cursor wipes out one that the older picture shows", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  await service.call("/api/mouse/move", { x: 50, y: 50 });
  const { frame } = await shoot(service, "?cursor=true");
  const part = await shoot(service, `?since=${frame}`);
  expect(await status(await service.send(`/api/display/screenshot?since=${part.frame}`))).toBe(204);
});

Deno.test("since refuses the number of another display", async () => {
  await using other = await startXvfb({ size: "100x100" });
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  const number = other.display.slice(1);
  const { frame } = await shoot(service, `?display_num=${number}`);
  expect(await status(await service.send(`/api/display/screenshot?since=${frame}`))).toBe(204);
  const wrong = `/api/display/screenshot?since=${frame}&display_num=${Number(number) + 2}`;
  expect(await service.refused(422, wrong)).toContain(`["query","display_num"]`);
});
