/** Looks for secrets where every user of the computer can see them: in arguments and environments of all processes. */

export interface SecretWatch extends AsyncDisposable {
  /** Where a secret was seen: `cmdline of 123: name`. */
  readonly seen: readonly string[];
}

/** Looks again and again until it is disposed of. */
export function watchFor(secrets: readonly string[]): SecretWatch {
  const seen = new Set<string>();
  let ended = false;
  const work = (async () => {
    while (!ended) {
      for (const pid of runningPids()) look(pid, secrets, seen);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  })();
  return {
    get seen() {
      return [...seen];
    },
    async [Symbol.asyncDispose]() {
      ended = true;
      await work;
    },
  };
}

function runningPids(): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name)
    .filter((name) => /^\d+$/.test(name));
}

function look(pid: string, secrets: readonly string[], seen: Set<string>): void {
  for (const file of ["cmdline", "environ"]) {
    const text = contentOf(`/proc/${pid}/${file}`);
    if (secrets.some((secret) => text.includes(secret))) {
      seen.add(`${file} of ${pid}: ${text.split("\0")[0]}`);
    }
  }
}

function contentOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // the process has ended, or belongs to another user
  }
}
