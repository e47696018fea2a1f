/** The manifest for scoop, on Windows. */

import { DESCRIPTION, type Release, sumOf } from "./release.ts";

const FILE = "computer-control-windows-x86_64.exe";

export function scoopManifest(release: Release): string {
  const manifest = {
    version: release.version,
    description: DESCRIPTION,
    homepage: release.homepage,
    license: "MIT",
    architecture: {
      "64bit": {
        url: `${release.download}/${FILE}#/computer-control.exe`, // the name that it gets
        hash: sumOf(release, FILE),
      },
    },
    bin: "computer-control.exe",
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}
