/** What the program's `doctor` reports. */

import { type EndedCommand, runCommand } from "./command.ts";

export interface Check {
  readonly name: string;
  readonly status: "ok" | "note" | "failed";
  readonly detail: string;
  readonly mend?: string;
}

export interface Report {
  readonly code: number;
  readonly works: boolean;
  readonly check: (name: string) => Check | undefined;
  readonly failures: readonly string[];
}

type Environment = Readonly<Record<string, string>>;

/** Runs `doctor --json` with any free port. */
export async function doctor(args: readonly string[], env: Environment = {}): Promise<Report> {
  return readReport(await runCommand(["doctor", "--json", "--port", "0", ...args], env));
}

export function readReport({ code, stdout }: EndedCommand): Report {
  const { works, checks } = JSON.parse(stdout) as { works: boolean; checks: Check[] };
  return {
    code,
    works,
    check: (name) => checks.find((each) => each.name === name),
    failures: checks.filter(({ status }) => status === "failed").map(({ name }) => name),
  };
}
