/** Two monitors side by side on one desktop: only where `TWO_MONITORS=1` says that they are there. */

import { expect } from "expect";
import { startService } from "../../support/service.ts";

const ignore = Deno.build.os !== "windows" || Deno.env.get("TWO_MONITORS") !== "1";

Deno.test({
  name: "each monitor has a number, a size and coordinates of its own",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    const list = await service.call("/api/display/list") as Record<string, unknown>[];
    expect(list.map(({ display_num, width, primary }) => [display_num, width, primary]))
      .toEqual([[1, 800, true], [2, 480, false]]);
    for (const display_num of [2, 1, 2]) {
      for (const point of [{ x: 0, y: 0 }, { x: 479, y: 1_023 }, { x: 123, y: 456 }]) {
        await service.call("/api/mouse/move", { ...point, display_num });
        const query = `?display_num=${display_num}`;
        expect(await service.call(`/api/mouse/position${query}`)).toEqual(point);
      }
    }
    await service.call("/api/mouse/move", { x: 5, y: 6, display_num: 2 });
    expect(await service.call("/api/mouse/position")).toEqual({ x: 805, y: 6 });
    await service.refused(422, "/api/mouse/left-click", { x: 480, y: 0, display_num: 2 });
    await service.refused(503, "/api/mouse/left-click", { x: 1, y: 1, display_num: 3 });
  },
});

Deno.test({
  name: "pixels and pictures of the second monitor begin at its own corner",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    await service.call("/api/mouse/move", { x: 300, y: 300 });
    const pixel = (display_num: number, x: number) =>
      service.call("/api/display/pixel_color", { x, y: 10, display_num });
    expect([await pixel(1, 10), await pixel(2, 0), await pixel(2, 10)])
      .toEqual([[0, 0, 0], [255, 0, 0], [255, 0, 0]]);
    expect(await service.call("/api/display/screen_size?display_num=2"))
      .toEqual({ width: 480, height: 1_024 });
    const picture = await service.send("/api/display/screenshot?display_num=2&width=2&height=2");
    expect(picture.headers.get("x-display")).toBe("2");
    await picture.bytes();
    const outside = { until: { pixel: { x: 0, y: 0, rgb: [255, 0, 0], tolerance: 0 } } };
    expect(await service.call("/api/display/wait", { ...outside, display_num: 2 }))
      .toMatchObject({ status: "found" });
  },
});
