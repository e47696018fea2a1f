/**
 * Ends a service that `deno task` has started when the task, or the npx that started the task, has
 * ended: the signals that end those do not reach the service.
 */

import type { Ancestor } from "../platform/ancestors.ts";

const LOOK_MS = 500;

/**
 * The ancestors with which the service ends: the task, and those that started it only to wait for
 * it (npx and the like with their shell). A shell, a script, systemd or the init of a container is
 * not among them: a service started from one of these is meant to outlive it.
 */
export function findLaunchers(ancestors: readonly Ancestor[]): readonly Ancestor[] {
  const [task, ...others] = ancestors;
  if (task === undefined || !isTask(task.args)) return [];
  const end = others.findIndex(({ args }) =>
    !isDenoPackage(args) && !isShell(args) && !isRunner(args)
  );
  const candidates = end < 0 ? others : others.slice(0, end);
  const top = candidates.findLastIndex(({ args }) => isDenoPackage(args) || isRunner(args));
  return [task, ...candidates.slice(0, top + 1)];
}

/**
 * Resolves with a sentence when one of them has ended.
 * @param signal ends the watch
 */
export function watchLaunchers(
  launchers: readonly Ancestor[],
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  if (launchers.length === 0) return promise;
  const timer = setInterval(() => {
    const gone = launchers.find((each) => each.isGone());
    if (gone === undefined) return;
    clearInterval(timer);
    resolve(`process ${gone.pid}, which had started the service, has ended`);
  }, LOOK_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return promise;
}

/** `deno task start` */
function isTask([, ...words]: readonly string[]): boolean {
  return words.includes("task");
}

/**
 * `node .../node_modules/.bin/deno task start`: the script of Deno's npm package, which waits for
 * Deno.
 */
function isDenoPackage([program = "", script = ""]: readonly string[]): boolean {
  return isNamed(program, ["node"]) && /[\\/](?:\.bin[\\/]deno|deno[\\/]bin\.c?js)$/.test(script);
}

/**
 * `sh -c "deno task start"`: what package runners start; `&` in it means that the command should
 * outlive the shell.
 */
function isShell([program = "", ...rest]: readonly string[]): boolean {
  const script = rest.slice(1).join(" ");
  return isNamed(program, ["sh", "dash", "bash", "ash", "zsh"]) && rest[0] === "-c" &&
    /^['"]?deno['"]?(?: |$)/.test(script) && !/&\s*$|&\s/.test(script);
}

const RUNNERS = ["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx"];

/** npm sets its title to `npm exec deno task start`, a single string. */
function isRunner([program = "", script = ""]: readonly string[]): boolean {
  if (isNamed(program.split(" ")[0]!, RUNNERS)) return true;
  return isNamed(program, ["node"]) && isNamed(script.replace(/(?:-cli)?\.[cm]?js$/, ""), RUNNERS);
}

function isNamed(path: string, names: readonly string[]): boolean {
  return names.includes(path.slice(path.search(/[^\\/]*$/)));
}
