/** Checks the programs that the service starts, and the fonts that texts on the screen need. */

import type { Config } from "../../../config/config.ts";
import { type Examine, failed, note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { runHelper } from "../../helper_program.ts";
import { missingPackages } from "../packages.ts";
import { findPackages } from "../programs.ts";
import { installCommand } from "./install.ts";

const FONTS_MS = 3_000;
/** Language for fontconfig -> what is shown as boxes without a font for it, and the package. */
const SCRIPTS = [
  ["en", "Latin letters", "fonts-noto-core"],
  ["el", "Greek", "fonts-noto-core"],
  ["ja", "Japanese and Chinese", "fonts-noto-cjk"],
  ["ko", "Korean", "fonts-noto-cjk"],
  ["und-zsye", "emoji", "fonts-noto-color-emoji"],
] as const;

export async function examinePrograms(examine: Examine, host: Host, config: Config): Promise<void> {
  await examine("programs", () => checkPrograms(host, config));
  await examine("fonts", () => checkFonts(host), { asked: false });
}

async function checkPrograms(host: Host, { backend }: Config): Promise<Verdict> {
  if (backend === "xdotool" && host.which("xdotool") === undefined) {
    const detail = "--backend xdotool, and xdotool is not installed";
    return failed(detail, installCommand(host, findPackages("xdotool")));
  }
  const missing = await missingPackages(host, ["start"]);
  if (missing.length === 0) return ok("all that the service can start are installed");
  return note(`not installed: ${missing.join(", ")}`, installCommand(host, missing));
}

async function checkFonts(host: Host): Promise<Verdict> {
  if (host.which("fc-list") === undefined) {
    return note("not known: fc-list is not installed", installCommand(host, ["fontconfig"]));
  }
  const counts = await Promise.all(SCRIPTS.map(([language]) => countFonts(language)));
  const lacking = SCRIPTS.filter((_, index) => counts[index] === 0);
  if (lacking.length === 0) return ok("there are fonts for Latin, Greek, CJK and emoji");
  const what = lacking.map(([, what]) => what).join(", ");
  const packages = [...new Set(lacking.map(([, , name]) => name))];
  return note(`none for ${what}: boxes instead of characters`, installCommand(host, packages));
}

async function countFonts(language: string): Promise<number> {
  const { stdout } = await runHelper({
    program: "fc-list",
    args: [`:lang=${language}`, "family"],
    timeoutMs: FONTS_MS,
    failure: (state, cause) => new Error(`fc-list is ${state}`, { cause }),
  });
  return stdout.split("\n").filter((line) => line !== "").length;
}
