/** doctor on real Wayland desktops: which compositor it is, what works, and what grants the rest. */

import { expect } from "expect";
import { runCommand } from "../support/command.ts";
import { doctor, readReport, type Report } from "../support/doctor.ts";
import type { CompositorName, CompositorOptions } from "../support/wayland/compositors.ts";
import { missingFor, startWaylandDesktop } from "../support/wayland/desktop.ts";
import { throughUser } from "../support/wayland/user_service.ts";
import { testIf } from "../support/test_if.ts";

interface Case {
  readonly desktop: CompositorName;
  readonly options?: Partial<CompositorOptions>;
  readonly args?: readonly string[];
  /** Name of a check -> what it must say. */
  readonly expected: Readonly<Record<string, readonly [status: string, text: RegExp]>>;
}

const CASES: readonly Case[] = [
  {
    desktop: "sway",
    expected: {
      session: ["ok", /^Wayland, sway/],
      compositor: ["ok", /sway version \d/],
      protocols: ["ok", /pictures \(.*mouse \(.*keyboard \(.*clipboard \(/],
      display: ["ok", /1280x800, by wlroots/],
      "test picture": ["ok", /1280x800 captured/],
      "test input": ["ok", /./],
    },
  },
  {
    desktop: "gnome-shell",
    expected: {
      session: ["ok", /^Wayland, GNOME/],
      compositor: ["ok", /GNOME Shell \d/],
      protocols: ["note", /not pictures, mouse, keyboard.*--wayland-backend mutter/],
      display: ["failed", /portal: not allowed yet.*computer-control grant portal/],
    },
  },
  {
    desktop: "mutter",
    args: ["--wayland-backend", "mutter"],
    expected: {
      compositor: ["ok", /mutter \d/],
      display: ["ok", /1280x800, by mutter/],
      "test picture": ["ok", /1280x800 captured/],
      "test input": ["ok", /./],
    },
  },
  {
    desktop: "kwin",
    options: { asksPermission: true },
    expected: {
      session: ["ok", /^Wayland, KDE/],
      protocols: ["note", /computer-control grant kde/],
      display: ["failed", /computer-control grant kde/],
    },
  },
  {
    desktop: "kwin",
    expected: {
      protocols: ["ok", /mouse and keyboard \(org_kde_kwin_fake_input/],
      display: ["ok", /1280x800, by kde/],
      "test picture": ["ok", /1280x800 captured/],
      "test input": ["ok", /./],
    },
  },
];

for (const { desktop: name, options = {}, args = [], expected } of CASES) {
  const missing = missingFor(name);
  const flags = [...args, ...options.asksPermission ? ["without the permission"] : []].join(" ");
  testIf(missing === undefined, missing ?? "")(
    `doctor on ${name} ${flags}`.trim(),
    async () => {
      await using desktop = await startWaylandDesktop(name, options);
      const all = ["doctor", "--json", "--port", "0", "--keychain", "file", ...args];
      const report = readReport(
        await runCommand(all, desktop.env, Deno.execPath(), await throughUser()),
      );
      for (const [check, [status, text]] of Object.entries(expected)) {
        const found = textOf(report, check);
        expect([check, statusOf(report, check), found]).toEqual([check, status, found]);
        expect(found).toMatch(text);
      }
    },
  );
}

const missingKwin = missingFor("kwin");
testIf(missingKwin === undefined, missingKwin ?? "")(
  "doctor waits for a busy KWin as long as the service does",
  async () => {
    await using desktop = await startWaylandDesktop("kwin");
    Deno.kill(desktop.pid, "SIGSTOP");
    const goesOn = setTimeout(() => Deno.kill(desktop.pid, "SIGCONT"), 8_000);
    try {
      const report = readReport(
        await runCommand(
          ["doctor", "--json", "--port", "0", "--keychain", "file"],
          ...[desktop.env, Deno.execPath(), await throughUser()] as const,
        ),
      );
      for (const check of ["protocols", "display", "test picture", "test input"]) {
        expect([check, statusOf(report, check), textOf(report, check)])
          .toEqual([check, "ok", textOf(report, check)]);
      }
    } finally {
      clearTimeout(goesOn);
      Deno.kill(desktop.pid, "SIGCONT");
    }
  },
);

const missing = missingFor("sway");
testIf(missing === undefined, missing ?? "")(
  "doctor tries a virtual display of Wayland",
  async () => {
    const report = await doctor(["--virtual-display", "wayland:640x480"], { DISPLAY: "" });
    expect(statusOf(report, "display")).toBe("ok");
    expect(textOf(report, "test picture")).toMatch(/640x480 captured/);
  },
);

function statusOf(report: Report, check: string): string | undefined {
  return report.check(check)?.status;
}

function textOf(report: Report, check: string): string {
  const { detail = "", mend = "" } = report.check(check) ?? {};
  return `${detail} ${mend}`;
}
