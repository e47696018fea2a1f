/** Compiles glob patterns: `* ** ? [a-z] [!a-z] {a,b}`, with `\` before a literal character. */

/** Whether a file or folder matches; `below` returns its path below the root, with `/`. */
export type Matches = (name: string, below: () => string) => boolean;

/** The most patterns that the braces of a pattern may expand to. */
const MAX_ALTERNATIVES = 1_024;

/**
 * A pattern without `/` is matched against the name, at any depth; one with `/`, against the path
 * below the root. Neither takes more than the product of both lengths, for any pattern.
 * @throws RangeError when the braces expand to too many patterns.
 */
export function compileGlob(pattern: string): Matches {
  const wanted = pattern.replace(/^\.?\/+/, "");
  const alternatives = expandBraces(splitIntoTokens(wanted))
    .take(MAX_ALTERNATIVES + 1).toArray();
  if (alternatives.length > MAX_ALTERNATIVES) {
    throw new RangeError(`braces expand to more than ${MAX_ALTERNATIVES} patterns`);
  }
  if (!wanted.includes("/")) {
    const names = alternatives.map(compileName);
    return (name) => names.some((matches) => matches(name));
  }
  const paths = alternatives.map(compilePath);
  return (_name, below) => {
    const names = below().split("/");
    return paths.some((matches) => matches(names));
  };
}

type Segment = "**" | ((name: string) => boolean);

function compilePath(tokens: readonly string[]): (names: readonly string[]) => boolean {
  const segments = splitTokens(tokens, "/")
    .map((part): Segment => part.join("") === "**" ? "**" : compileName(part));
  if (segments.at(-1) === "**") segments.push(() => true); // a folder is not below itself
  return (names) => matchPath(segments, names);
}

/**
 * Tries the shortest match for each `**` and backtracks only to the last one, which is sufficient.
 */
function matchPath(segments: readonly Segment[], names: readonly string[]): boolean {
  let segment = 0;
  let name = 0;
  let retry: { segment: number; name: number } | undefined;
  while (name < names.length) {
    const wanted = segments[segment];
    if (wanted === "**") {
      segment++;
      retry = { segment, name };
    } else if (wanted?.(names[name]!)) {
      segment++;
      name++;
    } else if (retry !== undefined) {
      retry.name++;
      segment = retry.segment;
      name = retry.name;
    } else return false;
  }
  return segment === segments.length;
}

/**
 * The earliest match of what stands between two stars is as good as any later one, so each is
 * matched in a lookahead, which the search never re-enters.
 */
function compileName(tokens: readonly string[]): (name: string) => boolean {
  const [first, ...others] = splitTokens(tokens, "*")
    .map((piece) => piece.map(toExpression).join(""));
  const last = others.pop();
  const between = others.map((piece, index) => `(?=(.*?${piece}))\\${index + 1}`).join("");
  const source = last === undefined ? first : `${first}${between}.*${last}`;
  const regex = new RegExp(`^${source}$`, "su");
  return (name) => regex.test(name);
}

function toExpression(token: string): string {
  if (token === "?") return ".";
  if (token.startsWith("[") && token.length > 1) return toClass(token);
  return RegExp.escape(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
}

/** A reversed range, as in `[z-a]`, contains nothing. */
function toClass(token: string): string {
  const isNegated = /^\[[!^]/.test(token);
  const members = token.slice(isNegated ? 2 : 1, -1).matchAll(/(\\.|[^])(?:-(\\.|[^]))?/gsu);
  const ranges = [...members]
    .map(([, low, high = low]) => [codeOf(low!), codeOf(high!)] as const)
    .filter(([low, high]) => low <= high)
    .map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-"));
  return `[${isNegated ? "^" : ""}${ranges.join("")}]`;
}

/** Of a character, with or without a backslash before it. */
function codeOf(member: string): number {
  return member.replace(/^\\(?=[^])/, "").codePointAt(0)!;
}

/** The tokens of a pattern: an escape, a class, or one character. */
function splitIntoTokens(pattern: string): string[] {
  const tokens: string[] = [];
  for (let index = 0; index < pattern.length;) {
    const end = endOfToken(pattern, index);
    tokens.push(pattern.slice(index, end));
    index = end;
  }
  return tokens;
}

function endOfToken(pattern: string, start: number): number {
  if (pattern[start] === "\\") return Math.min(pattern.length, afterCharacter(pattern, start + 1));
  if (pattern[start] !== "[") return afterCharacter(pattern, start);
  // a `]` right at the start belongs to the class
  const first = start + (/[!^]/.test(pattern[start + 1] ?? "") ? 2 : 1);
  let end = pattern[first] === "]" ? first + 1 : first;
  while (end < pattern.length && pattern[end] !== "]") end += pattern[end] === "\\" ? 2 : 1;
  return end >= pattern.length || pattern.slice(start, end).includes("/") ? start + 1 : end + 1;
}

/** A character outside the basic plane consists of two UTF-16 code units. */
function afterCharacter(text: string, at: number): number {
  return at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
}

/** Splits at a token; at commas only outside inner braces. */
function splitTokens(tokens: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === separator && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
    if (separator === ",") depth += bracketDepth(token);
  }
  return parts;
}

/**
 * The tokens of each pattern that the braces stand for. Braces without a comma are literal, and so
 * are all if one is not paired.
 */
function* expandBraces(tokens: readonly string[]): Generator<readonly string[]> {
  const brace = findBrace(tokens);
  if (brace === undefined) return yield tokens;
  const before = tokens.slice(0, brace.start);
  const after = tokens.slice(brace.end + 1);
  for (const inner of splitTokens(tokens.slice(brace.start + 1, brace.end), ",")) {
    yield* expandBraces([...before, ...inner, ...after]);
  }
}

/** The first brace that directly contains a comma, if all braces are paired. */
function findBrace(tokens: readonly string[]): { start: number; end: number } | undefined {
  const open: { start: number; hasComma: boolean }[] = [];
  let first: { start: number; end: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token === "{") open.push({ start: index, hasComma: false });
    else if (token === "," && open.length > 0) open.at(-1)!.hasComma = true;
    else if (token === "}") {
      const closed = open.pop();
      if (closed === undefined) return undefined;
      const { start, hasComma } = closed;
      if (hasComma && (first === undefined || start < first.start)) first = { start, end: index };
    }
  }
  return open.length === 0 ? first : undefined;
}

function bracketDepth(token: string): number {
  return token === "{" ? 1 : token === "}" ? -1 : 0;
}
