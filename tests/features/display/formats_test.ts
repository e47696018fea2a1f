/** JPEG, WebP and sizes, as ImageMagick reads them. */

import { expect } from "expect";
import { type Desktop, run, startDesktop } from "../../support/desktop.ts";
import { shoot } from "../../support/pictures.ts";
import { openTk } from "../../support/still_programs.ts";

interface Read {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

async function read(desktop: Desktop, query: string): Promise<Read> {
  const response = await desktop.service.send(`/api/display/screenshot${query}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
  const type = response.headers.get("content-type")!;
  const suffix = type.split("/")[1]!;
  expect(response.headers.get("content-disposition")).toContain(`.${suffix}"`);
  const file = await Deno.makeTempFile({ suffix: `.${suffix}` });
  try {
    await Deno.writeFile(file, bytes);
    const size = new TextDecoder().decode(await run("identify", ["-format", "%m %w %h", file]));
    const [kind, width, height] = size.split(" ");
    expect(kind).toBe(suffix.toUpperCase());
    const rgb = await run("convert", [file, "-depth", "8", "rgb:-"]);
    return { type, bytes, width: Number(width), height: Number(height), rgb };
  } finally {
    await Deno.remove(file);
  }
}

/** The mean difference of two pictures, in levels. */
function meanDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

Deno.test("screenshot as JPEG and WebP looks like the PNG, better with more quality", async () => {
  await using desktop = await startDesktop({ server: { size: "401x300" } });
  await using _tk = await openTk(desktop.display, "250x180+50+50");
  await desktop.service.call("/api/display/wait", { until: "stable" });
  for (const size of ["", "&max_width=300"]) {
    const exact = await shoot(desktop.service, `?${size}`);
    for (const format of ["jpeg", "webp"]) {
      const good = await read(desktop, `?format=${format}&quality=95${size}`);
      const poor = await read(desktop, `?format=${format}&quality=20${size}`);
      expect([good.width, good.height]).toEqual([exact.width, exact.height]);
      expect(good.type).toBe(`image/${format}`);
      const [best, worst] = [good, poor].map(({ rgb }) => meanDifference(rgb, exact.rgb));
      expect(best).toBeLessThan(2);
      expect(worst).toBeLessThan(6);
      expect(worst).toBeGreaterThan(best!);
      expect(poor.bytes.length).toBeLessThan(good.bytes.length);
    }
  }
});

Deno.test("screenshot that is to fit some bytes is as large as they allow", async () => {
  await using desktop = await startDesktop({ server: { size: "800x600" } });
  await using _tk = await openTk(desktop.display, "250x180+50+50");
  await desktop.service.call("/api/display/wait", { until: "stable" });
  for (const format of ["png", "jpeg", "webp"]) {
    const whole = await read(desktop, `?format=${format}`);
    const bytes = Math.floor(whole.bytes.length / 3);
    const small = await read(desktop, `?format=${format}&fit=max_bytes:${bytes}`);
    expect(small.bytes.length).toBeLessThanOrEqual(bytes);
    expect(small.bytes.length).toBeGreaterThan(bytes / 3);
    expect(small.width).toBeLessThan(800);
    expect(Math.abs(small.width / small.height - 800 / 600)).toBeLessThan(0.05);
    const roomy = await read(desktop, `?format=${format}&fit=max_bytes:${whole.bytes.length}`);
    expect(roomy.width).toBe(800);
  }
});

Deno.test("screenshot for a model has the size that the model reads, and says its scale", async () => {
  await using desktop = await startDesktop({ server: { size: "3840x2160" } });
  const table = [
    ["fit=claude", [2576, 1449]],
    ["fit=claude&max_edge=2000", [2000, 1125]],
    ["fit=claude-standard", [1456, 819]],
    ["fit=openai", [2048, 1152]],
    ["fit=gemini", [3072, 1728]],
    ["max_edge=960", [960, 540]],
    ["fit=claude&x=10&y=20&width=1&height=2000", [1, 2000]],
    ["fit=claude&height=1", [2576, 1]],
  ] as const;
  for (const [query, size] of table) {
    const { width, height, headers } = await shoot(desktop.service, `?${query}`);
    expect([query, width, height]).toEqual([query, ...size]);
    const region = query.includes("width=1&") ? 1 : 3840;
    expect(Number(headers.get("x-scale"))).toBeCloseTo(size[0] / region, 5);
  }
});

Deno.test("screenshot of a small region is enlarged to the limits, where that is asked for", async () => {
  await using desktop = await startDesktop({ server: { size: "800x600" } });
  const region = "x=100&y=50&width=200&height=100";
  const table = [
    ["max_width=640&max_height=640", [200, 100]],
    ["max_width=640&max_height=640&enlarge=true", [640, 320]],
    ["max_edge=500&enlarge=true", [500, 250]],
    ["enlarge=true", [200, 100]],
    ["max_width=50&max_height=50&enlarge=true", [50, 25]],
    ["max_width=32767&max_height=32767&enlarge=true", [5793, 2896]],
  ] as const;
  for (const [query, size] of table) {
    const { width, height } = await shoot(desktop.service, `?${region}&${query}`);
    expect([query, width, height]).toEqual([query, ...size]);
  }
});
