/** Finds the operation of a path: one lookup for paths without parameters, patterns for the others. */

import type { Operation } from "../features/operation.ts";
import { type InputReader, inputReader } from "./input.ts";

/** An operation that is ready to be called. */
export interface Route extends InputReader {
  /** Whether a JSON body is asked for. */
  readonly takesBody: boolean;
  /** Whether the body is all the input there is. */
  readonly bodyOnly: boolean;
}

/** What a path can be asked, by method. */
export interface Methods {
  readonly routes: ReadonlyMap<string, Route>;
  /** The value of `Allow`. */
  readonly allow: string;
  /** Found without the computer's name only. */
  readonly unnamed: boolean;
}

export interface Match {
  readonly methods: Methods;
  /** Path parameters, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly methods: Methods;
  readonly pattern: RegExp;
}

const NO_PARAMETERS = Object.freeze({});

export class RouteTable {
  readonly #fixed = new Map<string, Match>();
  readonly #patterns: readonly Pattern[];

  constructor(operations: readonly Operation[]) {
    const byPath = Map.groupBy(operations, (operation) => operation.path);
    const patterns: Pattern[] = [];
    for (const [path, group] of byPath) {
      const methods = methodsOf(group);
      if (path.includes("{")) patterns.push({ methods, pattern: patternOf(path) });
      else this.#fixed.set(path, { methods, parameters: NO_PARAMETERS });
    }
    this.#patterns = patterns;
  }

  find(path: string): Match | undefined {
    return this.#fixed.get(path) ?? this.#findPattern(path);
  }

  #findPattern(path: string): Match | undefined {
    for (const { methods, pattern } of this.#patterns) {
      const found = pattern.exec(path);
      if (found !== null) return { methods, parameters: found.groups ?? NO_PARAMETERS };
    }
    return undefined;
  }
}

function methodsOf(operations: readonly Operation[]): Methods {
  const routes = new Map<string, Route>();
  for (const operation of operations) {
    const route = routeOf(operation);
    routes.set(operation.method, route);
    if (operation.method === "GET") routes.set("HEAD", route);
  }
  return {
    routes,
    allow: [...routes.keys()].join(", "),
    unnamed: operations.some((operation) => operation.unnamed),
  };
}

function routeOf(operation: Operation): Route {
  const takesBody = operation.body !== undefined;
  if (operation.method === "POST" && !takesBody) {
    throw new TypeError(`Operation "${operation.id}" is a POST without a body schema`);
  }
  const bodyOnly = takesBody && operation.query === undefined && operation.params === undefined;
  return { ...inputReader(operation), takesBody, bodyOnly };
}

/** `{pid}` is one segment; a last `{path}` is the rest of the path, slashes and all. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.")
    .replace(/\{path\}$/, "(?<path>.+)")
    .replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`, "s");
}
