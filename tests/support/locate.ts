/** Templates cut out of a screen, and the search for them. */

import { join } from "node:path";
import { type Desktop, run } from "./desktop.ts";

export interface Found {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly confidence: number;
}

export function locate(desktop: Desktop, body: Record<string, unknown>): Promise<Found | null> {
  return desktop.service.call("/api/display/locate", body) as Promise<Found | null>;
}

/** The screen as a file, and a folder for templates. */
export async function snapshot(desktop: Desktop) {
  const folder = await Deno.makeTempDir();
  const screen = join(folder, "screen.png");
  await run("import", ["-display", desktop.display, "-silent", "-window", "root", screen]);
  return {
    screen,
    async cut(name: string, geometry: string, ...change: string[]): Promise<string> {
      const file = join(folder, name);
      await run("convert", [screen, "-crop", geometry, "+repage", ...change, file]);
      return file;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
