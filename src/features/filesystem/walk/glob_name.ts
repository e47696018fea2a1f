/**
 * Compiles a glob for one name: joins the library's expressions for the pieces between stars so
 * that matching never backtracks.
 */

import picomatch from "picomatch";
import { alternatives, splitIntoTokens } from "./glob_parts.ts";

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
export function compileName(pattern: string): (name: string) => boolean {
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
