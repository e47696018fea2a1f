/** `completion`: prints the script by which a shell completes our command line. */

import { ConfigError } from "../../config/option.ts";
import type { Outcome } from "../command.ts";
import { bashScript, fishScript, powershellScript, zshScript } from "./shells.ts";
import { allWords, SHELLS, type Words } from "./words.ts";

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} satisfies Record<typeof SHELLS[number], (words: Words) => string>;

const HELP = `Usage: computer-control completion bash|zsh|fish|powershell

Prints a script that completes commands, flags, operations, their fields and
values. Make it once, and again after an update:

  bash         mkdir -p ~/.local/share/bash-completion/completions
               computer-control completion bash \\
                 > ~/.local/share/bash-completion/completions/computer-control
  zsh          computer-control completion zsh > "\${fpath[1]}/_computer-control"
  fish         computer-control completion fish \\
                 > ~/.config/fish/completions/computer-control.fish
  powershell   computer-control completion powershell >> $PROFILE

For this terminal only: source <(computer-control completion bash)`;

/** @throws ConfigError for a shell that is not known */
export function printCompletion(args: readonly string[]): Outcome {
  if (args.includes("--help") || args.includes("-h")) return { code: 0, lines: [HELP] };
  const [shell, ...more] = args;
  if (shell !== undefined && more.length === 0 && Object.hasOwn(SCRIPTS, shell)) {
    return { code: 0, lines: [SCRIPTS[shell as keyof typeof SCRIPTS](allWords())] };
  }
  throw new ConfigError(`completion needs one shell: ${SHELLS.join(", ")}`);
}
