/** Opens the console in the browser of this desktop's user (`--open-console`), where there is one. */

import type { Log } from "../core/log.ts";
import type { Host } from "../platform/host.ts";
import { startOpenedProgram } from "../platform/posix/opened_program.ts";

interface OpenConsoleOptions {
  readonly host: Pick<Host, "os" | "env" | "which">;
  /** The address, without a token: the arguments of a program can be seen by every user. */
  readonly address: string;
  readonly home: string;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Never throws: the console can be opened by hand. A browser that it starts ends with the service. */
export function showConsole(
  { host, address, home, log }: OpenConsoleOptions,
): AsyncDisposable | undefined {
  const { DISPLAY, WAYLAND_DISPLAY } = host.env;
  const isDesktop = host.os !== "linux" || (DISPLAY ?? WAYLAND_DISPLAY) !== undefined;
  const opener = host.os === "windows" || !isDesktop
    ? undefined
    : host.which(host.os === "darwin" ? "open" : "xdg-open");
  if (opener === undefined) {
    log.warn("cannot open the console: open its address in a browser", { address });
    return undefined;
  }
  try {
    const env = Object.entries(host.env).filter((entry): entry is [string, string] =>
      entry[1] !== undefined
    );
    const program = startOpenedProgram([opener, address], Object.fromEntries(env), home);
    log.info("opened", { program: address });
    program.ended.then(({ code, lastLine }) => {
      if (code !== 0) log.warn("cannot open the console", { address, said: lastLine });
    });
    return { [Symbol.asyncDispose]: () => program.end() };
  } catch (error) {
    log.warn("cannot open the console", { address, reason: (error as Error).message });
    return undefined;
  }
}
