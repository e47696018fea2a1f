/** Splits glob patterns at slashes and stars, respecting braces, classes and escapes. */

/** The most patterns that the braces of a path, or of one name in it, may expand to together. */
const MAX_ALTERNATIVES = 256;

/** The tokens of a pattern: an escape, a class, or one character. */
export function splitIntoTokens(pattern: string): string[] {
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
export function splitOutsideBraces(pattern: string, separator: string): string[] {
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
export function bracesBalance(pattern: string): boolean {
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
export function alternativesWithSlash(pattern: string): string[] {
  return expandAll(pattern, expandFirst);
}

/**
 * Expands the braces in a name; braces without a comma are literal.
 * @throws RangeError when there are too many patterns.
 */
export function alternatives(pattern: string): string[] {
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
      throw new RangeError(`braces stand for more than ${MAX_ALTERNATIVES} patterns`);
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
