/** Listens to the signals that stop the program. */

import { tryTo } from "../core/errors.ts";

/**
 * One Ctrl+C can arrive twice: from the terminal and from the program that started us, which may
 * have to wait for a processor before.
 */
const SAME_SIGNAL_MS = 1_000;

type StopSignal = "SIGINT" | "SIGTERM" | "SIGQUIT" | "SIGHUP" | "SIGBREAK";

export type StopSignals = ReturnType<typeof watchSignals>;

/**
 * `first` resolves with the first signal, `second` with the next one. Listens until the program ends:
 * a signal that comes again while the service closes its displays would otherwise end it at once.
 */
export function watchSignals(os: string) {
  const first = Promise.withResolvers<StopSignal>();
  const second = Promise.withResolvers<StopSignal>();
  let firstAt: number | undefined;
  onStopSignal(os, (name) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      first.resolve(name);
    } else if (now - firstAt > SAME_SIGNAL_MS) second.resolve(name);
  });
  return {
    first: first.promise,
    second: second.promise,
    /** Whether the first has come. */
    get hasCome() {
      return firstAt !== undefined;
    },
  };
}

/** Until disposed of, `heard` gets the signals that would end the program otherwise. */
export function onStopSignal(os: string, heard: (name: StopSignal) => void): Disposable {
  const hangUpIgnored = isHangUpIgnored();
  const listening = new DisposableStack();
  for (const name of stopSignals(os)) {
    const listener = () => {
      if (name === "SIGHUP" && hangUpIgnored) return; // without a listener it would end the program
      heard(name);
    };
    Deno.addSignalListener(name, listener);
    listening.defer(() => Deno.removeSignalListener(name, listener));
  }
  return listening;
}

/** SIGHUP is sent when the terminal or the Windows console is closed or its connection is lost. */
function stopSignals(os: string): readonly StopSignal[] {
  if (os === "windows") return ["SIGINT", "SIGBREAK", "SIGHUP"];
  return ["SIGINT", "SIGTERM", "SIGQUIT", "SIGHUP"];
}

/**
 * Whether the program was started to outlive the terminal, as with `nohup`; only Linux reports it.
 * Call it before any listener is added: Deno then resets it.
 */
function isHangUpIgnored(): boolean {
  const status = tryTo(() => Deno.readTextFileSync("/proc/self/status")) ?? "";
  const last = /^SigIgn:\s*[\da-f]*([\da-f])$/m.exec(status)?.[1] ?? "0";
  return (parseInt(last, 16) & 1) === 1; // the lowest bit is signal 1, SIGHUP
}
