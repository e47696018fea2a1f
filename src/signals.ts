/** The signals that ask the service to stop. */

export interface Signals extends Disposable {
  /** Resolves with the first signal. */
  readonly first: Promise<Deno.Signal>;
  /** Resolves with the next one. */
  readonly second: Promise<Deno.Signal>;
}

/** One Ctrl+C can arrive twice: from the terminal and from the program that started us. */
const SAME_SIGNAL_MS = 250;

export function watchSignals(os: string): Signals {
  const names: Deno.Signal[] = os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  const first = Promise.withResolvers<Deno.Signal>();
  const second = Promise.withResolvers<Deno.Signal>();
  let firstAt: number | undefined;
  const listeners = names.map((name) => {
    const listener = () => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        first.resolve(name);
      } else if (now - firstAt > SAME_SIGNAL_MS) second.resolve(name);
    };
    Deno.addSignalListener(name, listener);
    return { name, listener };
  });
  return {
    first: first.promise,
    second: second.promise,
    [Symbol.dispose]() {
      for (const { name, listener } of listeners) Deno.removeSignalListener(name, listener);
    },
  };
}
