/** Bundles the console's page into one script, which is part of the program: `deno task console`. */

import { fileURLToPath } from "node:url";
import { runWell } from "./compile/run.ts";

const ROOT = new URL("../", import.meta.url);
const ENTRY = "src/console/page/main.tsx";
export const BUNDLE = "src/console/page/bundle.js";

const HEAD =
  "/* Made by `deno task console` from main.tsx beside it. Preact: MIT, Jason Miller. */\n";

/** The text of the bundle as the sources make it. */
export async function bundlePage(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "computer-control-console-" });
  try {
    const out = `${folder}/console.js`;
    const flags = ["--platform", "browser", "--minify", "--config", "deno.dev.json"];
    const args = ["bundle", "--quiet", ...flags, "--output", out, ENTRY];
    await runWell(Deno.execPath(), args, { cwd: fileURLToPath(ROOT) });
    return HEAD + await Deno.readTextFile(out);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await Deno.writeTextFile(new URL(BUNDLE, ROOT), await bundlePage());
