/** Compiles glob patterns: `* ** ? [a-z] [!a-z] {a,b}`, with `\` before a literal character. */

import picomatch from "picomatch";

/** Whether a file or folder matches; `below` returns its path below the root, with `/`. */
export type Matches = (name: string, below: () => string) => boolean;

type Segment = "**" | ((name: string) => boolean);

/**
 * A pattern without `/` is matched against the name, at any depth; one with `/`, against the path
 * below the root. Neither takes more than the product of both lengths, for any pattern.
 * @throws RangeError when the braces expand to too many patterns.
 */
export function compileGlob(pattern: string): Matches {
  const wanted = pattern.replace(/^\.?\/+/, "");
  if (!wanted.includes("/")) return compileName(wanted);
  const paths = alternativesWithSlash(wanted).map(compilePath);
  return (_name, below) => {
    const names = below().split("/");
    return paths.some((segments) => matchPath(segments, names));
  };
}

function compilePath(pattern: string): readonly Segment[] {
  const parts = splitOutsideBraces(pattern, "/")
    .filter((part, index, all) => part !== "**" || all[index - 1] !== "**");
  const segments = parts.map((part): Segment => part === "**" ? part : compileName(part));
  // a folder is not below itself
  return parts.at(-1) === "**" ? [...segments, () => true] : segments;
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

// Compiles a glob for one name: joins the library's expressions for the pieces between stars so
// that matching never backtracks.

/** No leading-dot rule, because hidden names are filtered before; names may contain line breaks. */
const OPTIONS = {
  dot: true,
  noextglob: true,
  nonegate: true,
  keepQuotes: true,
  windows: false,
  fastpaths: false,
  maxLength: 65_536,
} as const;

/** Characters that are special to the library but literal in our interface. */
const LITERAL: ReadonlySet<string> = new Set("()|+@!^$\"'[]{}");

/** A character outside the basic plane consists of two UTF-16 code units. */
const ANY = "(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^/\\ud800-\\udbff])";

/** @throws RangeError when the braces expand to too many patterns. */
function compileName(pattern: string): (name: string) => boolean {
  const [first, ...others] = alternatives(pattern).map(compileAlternative);
  if (others.length === 0) return first!;
  const all = [first!, ...others];
  return (name) => all.some((matches) => matches(name));
}

function compileAlternative(pattern: string): (name: string) => boolean {
  try {
    const regex = new RegExp(`^(?:${toExpression(pattern)})$`, "s");
    return (name) => regex.test(name);
  } catch (error) {
    if (error instanceof SyntaxError) return () => false; // a reversed range: `[z-a]`
    throw error;
  }
}

function toExpression(pattern: string): string {
  const [first = [], ...others] = splitAtStars(splitIntoTokens(pattern));
  const last = others.pop();
  const start = pieceExpression(first);
  if (last === undefined) return start;
  return start + others.map(committed).join("") + "[^/]*" + pieceExpression(last);
}

/**
 * The earliest match of a piece is as good as any later one, so each piece is matched in a
 * lookahead, which the search never re-enters.
 */
function committed(piece: readonly string[], index: number): string {
  return `(?=([^/]*?${pieceExpression(piece)}))\\${index + 1}`;
}

function splitAtStars(tokens: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    if (token !== "*") pieces.at(-1)!.push(token);
    else if (tokens[index - 1] !== "*") pieces.push([]);
  }
  return pieces;
}

function pieceExpression(tokens: readonly string[]): string {
  if (tokens.length === 0) return "";
  const pattern = tokens.map(libraryToken).join("");
  const expression = picomatch.makeRe(pattern, { ...OPTIONS }, true) as unknown as string;
  return expression.replaceAll("[^/]", ANY);
}

function libraryToken(token: string): string {
  if (token.startsWith("[") && token.length > 1) return libraryClass(token.slice(1, -1));
  if (token === "\\") return "\\\\";
  if (LITERAL.has(token)) return `\\${token}`;
  return token;
}

function libraryClass(inner: string): string {
  const negated = /^[!^]/.test(inner);
  const members = (negated ? inner.slice(1) : inner).replace(/\\?([\\[\]^])/g, "\\$1");
  return `[${negated ? "^/" : ""}${members}]`;
}

// Splits glob patterns at slashes and stars, respecting braces, classes and escapes.

/** The most patterns that the braces of a path, or of one name in it, may expand to together. */
const MAX_ALTERNATIVES = 256;

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
  if (pattern[start] === "\\") return Math.min(pattern.length, start + 2);
  if (pattern[start] !== "[") return start + 1;
  // a `]` right at the start belongs to the class
  const first = start + (/[!^]/.test(pattern[start + 1] ?? "") ? 2 : 1);
  let end = pattern[first] === "]" ? first + 1 : first;
  while (end < pattern.length && pattern[end] !== "]") end += pattern[end] === "\\" ? 2 : 1;
  return end >= pattern.length || pattern.slice(start, end).includes("/") ? start + 1 : end + 1;
}

/** Splits at a character outside braces, classes and escapes. */
function splitOutsideBraces(pattern: string, separator: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const token of splitIntoTokens(pattern)) {
    if (token === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
    depth += bracketDepth(token);
  }
  return parts;
}

/** Whether every brace is paired; otherwise braces are literal. */
function bracesBalance(pattern: string): boolean {
  let depth = 0;
  for (const token of splitIntoTokens(pattern)) {
    depth += bracketDepth(token);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/**
 * Expands braces that contain a `/`: `x/{a,b/c}` becomes `x/a` and `x/b/c`.
 * @throws RangeError when there are too many patterns.
 */
function alternativesWithSlash(pattern: string): string[] {
  return expandAll(pattern, expandFirst);
}

/**
 * Expands the braces in a name; braces without a comma are literal.
 * @throws RangeError when there are too many patterns.
 */
function alternatives(pattern: string): string[] {
  return expandAll(pattern, expandComma);
}

function expandAll(pattern: string, expand: (pattern: string) => string[]): string[] {
  if (!pattern.includes("{") || !bracesBalance(pattern)) return [pattern];
  const done: string[] = [];
  const waiting = [pattern]; // a stack: takes the last one first
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const expanded = expand(next);
    if (expanded.length === 1 && expanded[0] === next) done.push(next);
    else waiting.push(...expanded.reverse());
    if (done.length + waiting.length > MAX_ALTERNATIVES) {
      throw new RangeError(`braces expand to more than ${MAX_ALTERNATIVES} patterns`);
    }
  }
  return done;
}

/** Expands the first brace that directly contains a comma. */
function expandComma(pattern: string): string[] {
  const tokens = splitIntoTokens(pattern);
  const open: { start: number; hasComma: boolean }[] = [];
  let first: { start: number; end: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token === "{") open.push({ start: index, hasComma: false });
    else if (token === "," && open.length > 0) open.at(-1)!.hasComma = true;
    else if (token === "}") {
      const { start, hasComma } = open.pop()!;
      if (hasComma && (first === undefined || start < first.start)) first = { start, end: index };
    }
  }
  if (first === undefined) return [pattern];
  const before = tokens.slice(0, first.start).join("");
  const inner = tokens.slice(first.start + 1, first.end).join("");
  const after = tokens.slice(first.end + 1).join("");
  return splitOutsideBraces(inner, ",").map((each) => before + each + after);
}

/** Expands the first outermost brace that contains a `/`. */
function expandFirst(pattern: string): string[] {
  let before = "";
  let inner = "";
  let depth = 0;
  const tokens = splitIntoTokens(pattern);
  for (const [index, token] of tokens.entries()) {
    depth += bracketDepth(token);
    if (token === "{" && depth === 1) inner = "";
    else if (token === "}" && depth === 0) {
      if (inner.includes("/")) {
        const after = tokens.slice(index + 1).join("");
        return splitOutsideBraces(inner, ",").map((each) => before + each + after);
      }
      before += `{${inner}}`;
    } else if (depth > 0) inner += token;
    else before += token;
  }
  return [pattern];
}

function bracketDepth(token: string): number {
  return token === "{" ? 1 : token === "}" ? -1 : 0;
}
