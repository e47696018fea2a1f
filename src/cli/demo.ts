/**
 * The demo: a terminal that `deno task start` opens on an empty virtual display, where the first
 * calls of the README click and type, so that the first picture shows something.
 */

import type { Config } from "../config/config.ts";
import { lookUntil } from "../features/window/look_until.ts";
import type { Host } from "../platform/host.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Opening } from "./open_command.ts";

const TITLE = "Demo of the Computer Control Service";
const DEMO: Opening = {
  text: "a terminal, as a demo (--open opens something else)",
  words: [
    ...["xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fs", "12", "-geometry", "80x24+0+0"],
    ...["-T", TITLE, "-e", "sh", "-c", "PS1='$ ' exec bash --norc"],
  ],
};
/** Several times what the very first start of a terminal takes, which reads all fonts. */
const VISIBLE_MS = 10_000;

/**
 * What `deno task start` opens: the demo, where there is an empty virtual display, nothing else was
 * asked for and everything is allowed.
 */
export function withDemo(
  { open, openBrowser, disabled, readOnly }: Config,
  host: Host,
  { virtual }: Pick<Platform, "virtual">,
): Config["open"] {
  const isEmpty = open.length === 0 && openBrowser === undefined && virtual !== undefined;
  const isAllowed = disabled.size === 0 && !readOnly;
  const isThere = host.which("xterm") !== undefined && host.which("bash") !== undefined;
  return isEmpty && isAllowed && isThere && "DISPLAY" in virtual.variables ? [DEMO] : open;
}

/** Resolves when the demo, if it is opened at all, is visible, and after 10 s anyway; never throws. */
export async function demoIsVisible(
  open: Config["open"],
  { displays }: Pick<Platform, "displays">,
  signal: AbortSignal,
): Promise<void> {
  if (!open.includes(DEMO)) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(VISIBLE_MS)]);
  try {
    const { windows } = await displays.open(1);
    if (!windows.ready) return;
    const all = () => windows.use.list(limit);
    await lookUntil(
      windows.use,
      limit,
      async () => (await all()).some(({ title }) => title === TITLE),
    );
  } catch {
    // then the first picture shows less
  }
}
