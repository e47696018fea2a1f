/** Reads texts and lists out of the syntax tree of a TypeScript file, as far as they are said in it. */

import { parse } from "@babel/parser";
import { UNKNOWN } from "./shell_words.ts";

// deno-lint-ignore no-explicit-any -- nodes of some 250 kinds
export type Node = any;
/** Name -> the expressions that it may stand for. */
export type Constants = ReadonlyMap<string, readonly Node[]>;

export interface Syntax {
  /** Every node of the file. */
  readonly nodes: readonly Node[];
  readonly constants: Constants;
}

export function readSyntax(source: string): Syntax {
  const { program } = parse(source, {
    sourceType: "module",
    plugins: ["typescript", "explicitResourceManagement"] as never,
  });
  const nodes = [...nodesBelow(program)];
  return { nodes, constants: constantsOf(nodes) };
}

export function* nodesBelow(node: Node): Generator<Node> {
  if (typeof node?.type === "string") yield node;
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "object" && value !== null && key !== "loc") yield* nodesBelow(value);
  }
}

/** `f` of `f()`, `a.f()` and `new a.f()`. */
export function calledName(node: Node): string | undefined {
  if (!["CallExpression", "NewExpression"].includes(node.type)) return undefined;
  const { callee } = node;
  return callee.type === "Identifier" ? callee.name : callee.property?.name;
}

/** What an expression of texts may be; a part that is not known stands as `UNKNOWN`. */
export function textsOf(node: Node, constants: Constants): string[] {
  return valuesOf(node, constants).flatMap((value): string[] => {
    if (value.type === "StringLiteral") return [value.value];
    if (value.type === "TemplateLiteral") {
      const parts = value.quasis.map((quasi: Node) => quasi.value.cooked ?? "");
      return [parts.join(UNKNOWN)];
    }
    if (value.type !== "BinaryExpression" || value.operator !== "+") return [];
    const [left = UNKNOWN] = textsOf(value.left, constants);
    const [right = UNKNOWN] = textsOf(value.right, constants);
    return [left + right];
  });
}

/** What an expression of lists may be; lists that are spread into it are left out where they are not known. */
export function listsOf(node: Node, constants: Constants): string[][] {
  const lists = valuesOf(node, constants).filter(({ type }) => type === "ArrayExpression");
  return lists.flatMap(({ elements }) =>
    elements.reduce((lines: string[][], element: Node) => {
      const spread = element?.type === "SpreadElement";
      const more = spread
        ? listsOf(element.argument, constants)
        : [[textsOf(element, constants)[0] ?? UNKNOWN]];
      return more.length === 0
        ? lines
        : lines.flatMap((line) => more.map((each) => [...line, ...each]));
    }, [[]])
  );
}

/** Constants by what they stand for, `a ?? b` and `c ? a : b` by both. */
export function valuesOf(node: Node, constants: Constants, depth = 0): Node[] {
  if (!node || depth > 6) return [];
  const deeper = (each: Node) => valuesOf(each, constants, depth + 1);
  switch (node.type) {
    case "Identifier":
      return (constants.get(node.name) ?? []).flatMap(deeper);
    case "LogicalExpression":
      return [node.left, node.right].flatMap(deeper);
    case "ConditionalExpression":
      return [node.consequent, node.alternate].flatMap(deeper);
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return deeper(node.expression);
    case "CallExpression": // what is looked for is what is started
      return calledName(node) === "which" ? deeper(node.arguments[0]) : [];
    default:
      return [node];
  }
}

/** `const a = ...`, and parameters that have a default. */
function constantsOf(nodes: readonly Node[]): Constants {
  const found = new Map<string, Node[]>();
  const add = (name: string, value: Node) => found.set(name, [...found.get(name) ?? [], value]);
  for (const node of nodes) {
    if (node.type === "AssignmentPattern") add(node.left.name, node.right);
    if (node.type === "VariableDeclarator" && node.init) add(node.id.name, node.init);
  }
  return found;
}
