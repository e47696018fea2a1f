/** What a local task of OSWorld is: one that needs no network and only programs of Debian. */

import type { LocalHand } from "./local_hand.ts";

/** What a task is about. */
export const LOCAL_FAMILIES = ["system", "browser", "office", "player", "pictures"] as const;
export type LocalFamily = typeof LOCAL_FAMILIES[number];

/** What a task opens: it has its own settings in the home folder. */
export type LocalApp = "browser" | "impress" | "player" | "pictures" | "terminal";

export interface LocalTask {
  /** Begins with its family: `system-rename`. */
  readonly name: string;
  readonly family: LocalFamily;
  /** That of OSWorld's task: the first 8 characters. */
  readonly id: string;
  readonly instruction: string;
  /** A script for bash that makes what there is at the start, in the home folder. */
  readonly setup?: string;
  readonly app?: LocalApp;
  /** Further words of its command line, such as a file; may begin with `~/`. */
  readonly args?: readonly string[];
  /** The program writes its settings late: it is ended before they are judged. */
  readonly isEnded?: true;
  /** Shows what is judged, whether or not anything was done. */
  show?(hand: LocalHand): Promise<void>;
  readonly evaluator: Evaluator;
  /** A script for bash that writes what the program would write: the judge must accept it. */
  readonly done?: string;
  solve(hand: LocalHand): Promise<void>;
}

/** As OSWorld's tasks have it; `$HOME` stands for the home folder in all its texts. */
export interface Evaluator {
  readonly func: string;
  readonly result: Getter;
  readonly expected?: Getter;
}

/** One of OSWorld's getters: what is read, with what it needs for that. */
export type Getter = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The rules of an evaluator. */
export function rules(all: Readonly<Record<string, unknown>>): Getter {
  return { type: "rule", rules: all };
}

/** What a command prints. */
export function printed(command: string): Getter {
  return { type: "vm_command_line", command, shell: true };
}
