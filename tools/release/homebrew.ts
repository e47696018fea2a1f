/** The formula for Homebrew, on macOS and Linux. */

import { executableName, TARGETS } from "../compile/targets.ts";
import { DESCRIPTION, type Release, sumOf } from "./release.ts";

const ARCHITECTURES = { aarch64: "on_arm", x86_64: "on_intel" } as const;

export function homebrewFormula(release: Release): string {
  return `# Made by "deno task manifests" for each release: changes belong there.
class ComputerControl < Formula
  desc "${DESCRIPTION}"
  homepage "${release.homepage}"
  version "${release.version}"
  license "MIT"

  on_macos do
    depends_on "cliclick"
${architectures(release, "macos")}
  end

  on_linux do
${architectures(release, "linux")}
  end

  def install
    bin.install Dir["computer-control-*"].first => "computer-control"
  end

  service do
    run [opt_bin/"computer-control"]
    keep_alive crashed: true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/computer-control --version")
  end
end
`;
}

function architectures(release: Release, os: "macos" | "linux"): string {
  const targets = TARGETS.filter((target) => target.os === os);
  return targets.map((target) => {
    const file = executableName(target);
    return `    ${ARCHITECTURES[target.arch]} do
      url "${release.download}/${file}"
      sha256 "${sumOf(release, file)}"
    end`;
  }).join("\n");
}
