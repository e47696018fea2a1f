/**
 * Reads the names and sizes of the displays from `system_profiler -json SPDisplaysDataType`, which
 * does not report their positions.
 */

import { z } from "zod";
import type { Size } from "../types/mod.ts";
import { runProgram } from "./program.ts";
import type { Programs } from "./programs.ts";

export interface ProfiledDisplay {
  /** CGDirectDisplayID. */
  readonly id: number | null;
  readonly name: string;
  /** The size in points. */
  readonly points: Size;
  /** Pixels per point. */
  readonly scale: number;
  readonly primary: boolean;
}

/**
 * All displays that are on; empty when the program fails, because no caller depends on it alone.
 */
export async function readDisplayProfile(programs: Programs): Promise<ProfiledDisplay[]> {
  const program = programs.find("system_profiler");
  if (program === undefined) return [];
  const args = ["-json", "SPDisplaysDataType"];
  try {
    const { code, stdout } = await runProgram({ program, args, timeoutMs: programs.timeoutMs });
    return code === 0 ? displaysIn(stdout) : [];
  } catch {
    return [];
  }
}

/** The JSON lists the displays under their graphics cards. */
function displaysIn(text: string): ProfiledDisplay[] {
  const { SPDisplaysDataType: cards } = Profile.parse(JSON.parse(text));
  return cards.flatMap((card) => card.spdisplays_ndrvs).flatMap(readDisplays);
}

const Profile = z.object({
  SPDisplaysDataType: z.array(z.object({
    spdisplays_ndrvs: z.array(z.object({
      _name: z.string().default("Display"),
      /** Hexadecimal. */
      _spdisplays_displayID: z.string().optional(),
      /** `1440 x 900 @ 60.00Hz`: points. */
      _spdisplays_resolution: z.string().optional(),
      /** `2880 x 1800`. */
      _spdisplays_pixels: z.string().optional(),
      spdisplays_main: z.string().optional(),
      spdisplays_online: z.string().optional(),
    })).default([]),
  })),
});

type Entry = z.output<typeof Profile>["SPDisplaysDataType"][number]["spdisplays_ndrvs"][number];

function readDisplays(entry: Entry): ProfiledDisplay[] {
  const points = sizeIn(entry._spdisplays_resolution);
  if (points === undefined || entry.spdisplays_online === "spdisplays_no") return [];
  const pixels = sizeIn(entry._spdisplays_pixels) ?? points;
  const id = parseInt(entry._spdisplays_displayID ?? "", 16);
  return [{
    id: Number.isNaN(id) ? null : id,
    name: entry._name,
    points,
    scale: pixels.width / points.width,
    primary: entry.spdisplays_main === "spdisplays_yes",
  }];
}

function sizeIn(text: string | undefined): Size | undefined {
  const [, width, height] = text?.match(/^(\d+) x (\d+)/) ?? [];
  if (width === undefined || height === undefined) return undefined;
  return { width: Number(width), height: Number(height) };
}
