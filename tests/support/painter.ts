/** A window that fills a small screen, and paints areas of it when a test says so. */

import { TestX } from "./x_client.ts";

export interface Painter extends Disposable {
  paint(area: readonly [number, number, number, number], pixel: number): Promise<void>;
}

export async function openPainter(display: string): Promise<Painter> {
  const x = await TestX.open(display);
  const window = await x.openWindow({ width: 320, height: 240, pixel: 0 });
  const client = x.client as unknown as { ClearArea(...numbers: number[]): void };
  return {
    async paint([left, top, width, height], pixel) {
      x.client.ChangeWindowAttributes(window, { backgroundPixel: pixel } as never);
      client.ClearArea(window, left, top, width, height, 0);
      await x.pointer();
    },
    [Symbol.dispose]: () => x[Symbol.dispose](),
  };
}
