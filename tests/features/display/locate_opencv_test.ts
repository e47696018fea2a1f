/** Finding images on a real screen, beside OpenCV. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { succeeds, unless } from "../../support/test_if.ts";
import { startDesktop } from "../../support/desktop.ts";
import { locate, snapshot } from "../../support/locate.ts";
import { openStillXterm, openTk } from "../../support/still_programs.ts";

/** Which template, and how it differs from the screen; the places show something of their own. */
const TEMPLATES: readonly [geometry: string, change: readonly string[]][] = [
  ["64x64+30+40", []],
  ["64x64+203+100", []],
  ["64x64+480+330", []],
  ["100x20+60+200", []],
  ["20x100+500+310", []],
  ["32x32+560+340", []],
  ["24x24+60+77", []],
  ["16x16+578+338", []],
  ["12x12+61+91", []],
  ["200x150+400+300", []],
  ["333x222+11+7", []],
  ["40x13+100+118", []],
  ["64x64+31+41", ["-blur", "0x0.6"]],
  ["64x64+540+312", ["-blur", "0x0.8"]],
  ["80x40+205+150", ["-brightness-contrast", "-10x-10"]],
  ["64x64+580+380", ["-brightness-contrast", "15x0"]],
  ["64x64+120+60", ["-quality", "70"]],
  ["64x48+560+350", ["-quality", "60"]],
  ["50x50+333+222", ["-attenuate", "0.2", "-seed", "7", "+noise", "Gaussian"]],
  ["48x48+600+400", ["-attenuate", "0.3", "-seed", "9", "+noise", "Gaussian"]],
];

const PYTHON = "/usr/bin/python3"; // the one that Debian's packages are for

const opencv = await succeeds(PYTHON, ["-c", "import cv2"]);

Deno.test(
  {
    name: "locate answers like OpenCV's matchTemplate on 20 templates",
    ignore: unless(opencv, "OpenCV is not installed (python3-opencv)"),
  },
  async () => {
    await using desktop = await startDesktop({ server: { size: "800x600" } });
    await using _xterm = await openStillXterm(desktop.display, "70x30+5+5");
    await using _tk = await openTk(desktop.display, "300x220+450+310");
    await desktop.service.call("/api/display/wait", {
      until: "stable",
      stable_ms: 500,
      timeout_ms: 30_000,
    });
    await using screen = await snapshot(desktop);
    const files: string[] = [];
    for (const [i, [geometry, change]] of TEMPLATES.entries()) {
      const suffix = change.includes("-quality") ? "jpg" : "png";
      files.push(await screen.cut(`${i}.${suffix}`, geometry, ...change));
    }
    const theirs = await matchByOpenCv(files.map((file) => `${screen.screen} ${file}`));
    for (const [i, image_path] of files.entries()) {
      const { x, y, score } = theirs[i]!;
      expect(score).toBeGreaterThan(0.6);
      const ours = await locate(desktop, { image_path, confidence: Math.max(0, score - 0.05) });
      expect({ i, ...ours }).toMatchObject({ i, x, y });
      expect(Math.abs(ours!.confidence - score)).toBeLessThan(0.002);
      if (score < 0.98) {
        expect(await locate(desktop, { image_path, confidence: score + 0.01 })).toBe(
          null,
        );
      }
    }
  },
);

async function matchByOpenCv(
  lines: readonly string[],
): Promise<{ x: number; y: number; score: number }[]> {
  const script = fileURLToPath(new URL("../../support/opencv.py", import.meta.url));
  const child = new Deno.Command(PYTHON, { args: [script], stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.join("\n")));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}
