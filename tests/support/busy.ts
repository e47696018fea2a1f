/** Keeps every core busy for as long as a test needs it. */

export function keepCoresBusy(): AsyncDisposable {
  const children = Array.from(
    { length: navigator.hardwareConcurrency },
    () =>
      new Deno.Command("sh", {
        args: ["-c", "while :; do :; done"],
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn(),
  );
  return {
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => child.status));
    },
  };
}
