/** Writes keymaps in XKB's text format: a complete one with further symbols on some of its keys. */

/** What our keymaps are called, so that they are known when the compositor reports them. */
const NAME = "computer_control";
const XKB_OFFSET = 8;
const LAST_KEYCODE = 255;
/** The names of the real modifiers by their bits. */
const MODIFIERS = ["Shift", "Lock", "Control", "Mod1", "Mod2", "Mod3", "Mod4", "Mod5"];

/** One symbol on a key. */
export interface SpareKey {
  /** The kernel's number. */
  readonly keycode: number;
  readonly level: number;
}

export interface FurtherSymbols {
  /** Mask of the real modifiers for each level; the first is 0. */
  readonly levels: readonly number[];
  /** The kernel's number of a key -> its keysym at each level, 0 for none. */
  readonly symbols: ReadonlyMap<number, readonly number[]>;
}

/**
 * @param base a keymap as libxkbcommon writes it
 * @throws Error when it has another form
 */
export function writeKeymap(base: string, { levels, symbols }: FurtherSymbols): string {
  const names = readNames(base);
  const added: string[] = [];
  const keys: string[] = [];
  for (const [keycode, keysyms] of symbols) {
    const number = keycode + XKB_OFFSET;
    let name = names.get(number);
    if (name === undefined) added.push(`\t<${name = `Z${number}`}> = ${number};`);
    const list = keysyms.map(writeKeysym).join(", ");
    keys.push(`\treplace key <${name}> { type= "${NAME}", symbols[1]= [ ${list} ] };`);
  }
  const text = raiseMaximum(base).replaceAll(
    /^xkb_(keycodes|types|compatibility|symbols|geometry) .*\{$/gm,
    `xkb_$1 "${NAME}" {`,
  );
  return [
    { section: "xkb_keycodes", lines: added },
    { section: "xkb_types", lines: [writeType(levels)] },
    { section: "xkb_symbols", lines: keys },
  ].reduce(append, text);
}

/** Whether a keymap was made by {@link writeKeymap}. */
export function isOurKeymap(text: string): boolean {
  return text.includes(`xkb_symbols "${NAME}"`);
}

/** XKB's number of a key -> its name. */
function readNames(text: string): Map<number, string> {
  const end = text.indexOf("\n};");
  const section = text.slice(0, end);
  return new Map(
    [...section.matchAll(/^\s*<([^>]+)>\s*=\s*(\d+);/gm)].map(([, name, number]) => [
      Number(number),
      name!,
    ]),
  );
}

function raiseMaximum(text: string): string {
  return text.replace(
    /^(\s*maximum\s*=\s*)(\d+);/m,
    (_, start, maximum) => `${start}${Math.max(LAST_KEYCODE, Number(maximum))};`,
  );
}

function writeKeysym(keysym: number): string {
  return keysym === 0 ? "NoSymbol" : `0x${keysym.toString(16)}`;
}

function writeType(levels: readonly number[]): string {
  const all = levels.reduce((mask, modifiers) => mask | modifiers, 0);
  const maps = levels.slice(1).map((modifiers, index) =>
    `\t\tmap[${nameModifiers(modifiers)}]= Level${index + 2};`
  );
  return [`\ttype "${NAME}" {`, `\t\tmodifiers= ${nameModifiers(all)};`, ...maps, "\t};"].join(
    "\n",
  );
}

function nameModifiers(mask: number): string {
  return MODIFIERS.filter((_, bit) => mask & (1 << bit)).join("+") || "none";
}

function append(
  text: string,
  { section, lines }: { readonly section: string; readonly lines: readonly string[] },
): string {
  const start = text.indexOf(`\n${section} "`);
  const end = text.indexOf("\n};", start);
  if (start < 0 || end < 0) throw new Error(`The keymap has no section "${section}"`);
  if (lines.length === 0) return text;
  return `${text.slice(0, end)}\n${lines.join("\n")}${text.slice(end)}`;
}
