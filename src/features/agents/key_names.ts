/** The names of keys as models write them, in the names that our operations know. */

/** Names that vendors use and our operations do not know, in lower case without underscores. */
const ALIASES: Readonly<Record<string, string>> = {
  arrowleft: "left",
  arrowright: "right",
  arrowup: "up",
  arrowdown: "down",
  leftarrow: "left",
  rightarrow: "right",
  uparrow: "up",
  downarrow: "down",
  windows: "super",
  hyper: "super",
  opt: "alt",
  spacebar: "space",
  ctl: "ctrl",
};

/** The name of one key; a name that nobody knows stays as it is, for our operation to refuse. */
export function keyName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, "");
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain]! : name;
}

/** The keys of a combination such as `ctrl+shift+t`; the plus key is `+`, also at the end. */
export function splitKeys(combination: string): string[] {
  if (combination === "+") return ["+"];
  const names = combination.endsWith("++")
    ? [...combination.slice(0, -2).split("+"), "+"]
    : combination.split("+");
  return names.map((name) => keyName(name.trim()));
}

/**
 * Several combinations, as xdotool takes them: separated by spaces. A lone space is the space bar.
 */
export function splitCombinations(text: string): string[][] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? [[text === "" ? "" : "space"]] : joinPluses(words).map(splitKeys);
}

/** `ctrl + c` is one combination. */
function joinPluses(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isGlued = last !== undefined &&
      (word.startsWith("+") && word !== "+" || isOpen(last) || word === "+" && words.length > 1);
    if (isGlued) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

/** Whether a combination goes on after its last plus. */
function isOpen(combination: string): boolean {
  return combination.length > 1 && combination.endsWith("+") && !combination.endsWith("++");
}
