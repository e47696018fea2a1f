/** The programs that a piece of shell starts, as far as words show it. */

/** Words that come before a command and start nothing. */
const OPENERS = /^(?:if|then|elif|else|while|until|do|!|\{|time|exec|eval|command|builtin|coproc)$/;
/** What the shell does itself. */
const BUILTINS = new Set(
  (". : [ alias bg break case cd continue declare disown do done echo esac exit export fg fi for function hash in jobs mapfile " +
    "kill let local popd printf pushd pwd read readonly return select set shift shopt source test times trap type " +
    "typeset ulimit umask unalias unset wait true false }").split(" "),
);
/** Programs that start the one that their arguments name; their flags with a value of their own. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  "chroot": [],
  "dbus-run-session": [],
  "env": ["-u", "-C", "-S"],
  "flock": [],
  "ionice": ["-c", "-n"],
  "nice": ["-n"],
  "nohup": [],
  "runuser": ["-u", "-g"],
  "setarch": [],
  "setpriv": ["--reuid", "--regid"],
  "setsid": [],
  "stdbuf": [],
  "strace": ["-e", "-o"],
  "sudo": ["-u"],
  "timeout": ["-s", "-k"],
  "unshare": ["--propagation"],
  "xargs": ["-n", "-P", "-I", "-a"],
};
/** Wrappers whose first argument is not the program: a time, a folder, a lock. */
const FIRST_IS_VALUE = ["chroot", "flock", "timeout"];
const SHELLS = ["ash", "bash", "dash", "sh"];
/** What a value that is not known stands as in a text. */
export const UNKNOWN = "\u{fffc}";

/** Programs in command position; names with a value that is not known in them are left out. */
export function programsInShell(script: string): string[] {
  const functions = [...script.matchAll(/^\s*([\w-]+)\s*\(\)/gm)].map(([, name]) => name!);
  return commands(script).flatMap(programsInWords)
    .filter((name) => !BUILTINS.has(name) && !functions.includes(name));
}

/** The program of one command line and those that it starts in turn. */
export function programsInWords(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !isOpener(word));
  const program = words[at];
  if (program === undefined || !/^[\w./+-]+$/.test(program) || /^[-\d.]/.test(program)) return [];
  const name = program.split("/").at(-1)!;
  const rest = words.slice(at + 1);
  return [program, ...(SHELLS.includes(name) ? scriptOf(rest) : startedBy(name, rest))];
}

/** `A=1`, `if`, `2>&1`, `(`, ... */
function isOpener(word: string): boolean {
  return OPENERS.test(word) || /^\w+\+?=/.test(word) || /^\d*[<>]/.test(word);
}

/** What `sh -c '...'` runs. */
function scriptOf(args: readonly string[]): string[] {
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 || args[at + 1] === undefined ? [] : programsInShell(args[at + 1]!);
}

function startedBy(name: string, args: readonly string[]): string[] {
  if (name === "find") {
    const at = args.findIndex((word) => /^-(exec|ok)(dir)?$/.test(word));
    return at < 0 ? [] : programsInWords(args.slice(at + 1));
  }
  const valued = WRAPPERS[name];
  if (valued === undefined) return [];
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    if (valued.includes(word)) at++;
    else if (!word.startsWith("-") && !isOpener(word)) break;
  }
  return programsInWords(args.slice(at + (FIRST_IS_VALUE.includes(name) ? 1 : 0)));
}

/** The command lines of a script, each as words without their quotes; what `$( )` runs stands as a line of its own. */
function commands(script: string): string[][] {
  const lines: string[][] = [[]];
  const inner: string[] = [];
  let word = "";
  let quoted = false;
  const endWord = () => {
    if (word !== "" || quoted) lines.at(-1)!.push(word);
    [word, quoted] = ["", false];
  };
  const text = withoutHereDocuments(script);
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      at++;
      if (text[at] !== "\n") word += text[at] ?? ""; // else the line goes on
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      word += text.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? text.length : end;
      quoted = true;
    } else if (char === '"') {
      const end = endOfQuotes(text, at + 1);
      const body = text.slice(at + 1, end);
      inner.push(...substitutions(body));
      word += body;
      at = end;
      quoted = true;
    } else if (text.startsWith("$((", at)) {
      word += UNKNOWN;
      at = endOfParentheses(text, at + 2);
    } else if (text.startsWith("$(", at)) {
      const end = endOfParentheses(text, at + 2);
      inner.push(text.slice(at + 2, end));
      word += UNKNOWN;
      at = end;
    } else if (/[\s]/.test(char) && char !== "\n") endWord();
    else if (char === "#" && word === "" && !quoted) at = endOfLine(text, at) - 1;
    else if (
      /[;|\n()`]/.test(char) ||
      (char === "&" && !/[<>]/.test(text[at - 1] ?? "") && text[at + 1] !== ">")
    ) {
      endWord();
      lines.push([]);
    } else word += char;
  }
  endWord();
  return [...lines.filter(({ length }) => length > 0), ...inner.flatMap(commands)];
}

function withoutHereDocuments(script: string): string {
  return script.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*\n)[\s\S]*?^\s*\2$/gm, "$3");
}

/** `$(...)` in double quotes. */
function substitutions(body: string): string[] {
  const found: string[] = [];
  for (let at = body.indexOf("$("); at >= 0; at = body.indexOf("$(", at + 2)) {
    if (body[at + 2] === "(") continue;
    const end = endOfParentheses(body, at + 2);
    found.push(body.slice(at + 2, end));
    at = end;
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function endOfQuotes(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith("$(", at)) at = endOfParentheses(text, at + 2);
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function endOfParentheses(text: string, from: number): number {
  for (let at = from, depth = 1; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}
