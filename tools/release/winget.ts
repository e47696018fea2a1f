/** The three manifests of winget, on Windows. */

import { DESCRIPTION, type Release, sumOf } from "./release.ts";

const FILE = "computer-control-windows-x86_64.exe";
const MANIFEST_VERSION = "1.6.0";

/** Path -> text. */
export function wingetManifests(release: Release): [string, string][] {
  const publisher = release.repository.split("/")[0]!;
  const id = `${publisher}.ComputerControl`;
  const common = { PackageIdentifier: id, PackageVersion: release.version };
  const folder = `winget/${publisher}/ComputerControl/${release.version}/${id}`;
  return [
    [`${folder}.yaml`, yaml("version", { ...common, DefaultLocale: "en-US" })],
    [
      `${folder}.locale.en-US.yaml`,
      yaml("defaultLocale", {
        ...common,
        PackageLocale: "en-US",
        Publisher: publisher,
        PackageName: "Computer Control Service",
        PackageUrl: release.homepage,
        License: "MIT",
        ShortDescription: DESCRIPTION,
      }),
    ],
    [
      `${folder}.installer.yaml`,
      yaml("installer", { ...common, InstallerType: "portable" }) +
      "Commands:\n- computer-control\n" +
      `Installers:\n- Architecture: x64\n  InstallerUrl: ${release.download}/${FILE}\n` +
      `  InstallerSha256: ${JSON.stringify(sumOf(release, FILE).toUpperCase())}\n`,
    ],
  ];
}

function yaml(type: string, fields: Readonly<Record<string, string>>): string {
  const all = { ...fields, ManifestType: type, ManifestVersion: MANIFEST_VERSION };
  // winget reads every version as a text, also "1.0"
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  const schema = `https://aka.ms/winget-manifest.${type}.${MANIFEST_VERSION}.schema.json`;
  return `# yaml-language-server: $schema=${schema}\n${lines.join("")}`;
}
