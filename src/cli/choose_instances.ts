/** Chooses the running services that a command applies to. */

import type { RunningInstance } from "./instance_records.ts";

export interface Choice {
  /** The folder of `--state-dir`; otherwise the default one. */
  readonly stateDir?: string;
  readonly port?: number;
  readonly name?: string;
}

export function chooseInstances(
  running: readonly RunningInstance[],
  { port, name }: Pick<Choice, "port" | "name">,
): readonly RunningInstance[] {
  return running.filter((each) =>
    (port === undefined || each.port === port) && (name === undefined || each.name === name)
  );
}

/** `No service runs on port 5000 (state folder "/home/me/.local/state/computer-control")` */
export function describeNone(
  { port, name }: Pick<Choice, "port" | "name">,
  stateDir: string,
): string {
  const which = [
    ...(port === undefined ? [] : [` on port ${port}`]),
    ...(name === undefined ? [] : [` with the name ${JSON.stringify(name)}`]),
  ].join("");
  return `No service runs${which} (state folder ${JSON.stringify(stateDir)})`;
}

/** `http://127.0.0.1:4242  process 123, since 2026-01-31T12:00:00.000Z, display :99, 0.1.0` */
export function describeInstance(instance: RunningInstance): string {
  const { address, name, pid, since, display, version } = instance;
  const base = name === null ? address : `${address}/${name}`;
  const shown = [`process ${pid}`, `since ${since}`, `display ${display ?? "none"}`, version];
  return `${base}  ${shown.join(", ")}`;
}
