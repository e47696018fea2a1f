/** The programs that TypeScript files start, found in their syntax trees. */

import { programsInShell, programsInWords } from "./shell_words.ts";
import {
  calledName,
  listsOf,
  type Node,
  nodesBelow,
  readSyntax,
  type Syntax,
  textsOf,
} from "./syntax.ts";

/** A place of a source file: `tests/a.ts:12`. */
type Place = string;

export interface StartedPrograms {
  /** Program, as it is called -> where. */
  readonly programs: ReadonlyMap<string, readonly Place[]>;
  /** Where a program is started that is said neither there nor by callers. */
  readonly unnamed: readonly Place[];
}

/** Calls that start their first argument, or look for it. */
const STARTERS = ["Command", "which"];
/** The same in tests, by the interfaces that only they use. */
const TEST_STARTERS = [...STARTERS, "installed", "program", "run"];
/** Calls whose first argument is for a shell: the commands that tests give to the service. */
const TEST_SHELLS = ["run", "start", "shell"];
/** Words that stand first in lists of arguments: commands of this program, of Deno, npm and others. */
const SUBCOMMANDS = (
  "call compile completion doctor grant install-service mcp serve status stop uninstall-service " +
  "bundle fmt install pack view add-generic-password clone getwindowfocus store"
).split(" ");
/** Calls whose first argument must be known to be a program. */
const MUST_NAME = ["Command", "exec", "execFile", "execFileSync", "execSync", "spawnSync"];

/** @param files path -> text */
export function startedPrograms(files: ReadonlyMap<string, string>): StartedPrograms {
  const programs = new Map<string, Place[]>();
  const unnamed: Place[] = [];
  const all = [...files].map(([path, text]) => ({ path, ...readSyntax(text) }));
  const shared = new Set(
    all.filter(({ path }) => !isProduct(path)).flatMap(startersIn).filter(({ isShared }) =>
      isShared
    )
      .map(({ name }) => name),
  );
  for (const file of all) {
    const own = startersIn(file);
    const isTest = !isProduct(file.path); // where `command` and `run` are other words
    const others = isTest ? [...TEST_STARTERS, ...shared] : STARTERS;
    const starters = new Set([
      ...others.filter((name) => !declares(file, name)),
      ...own.map(({ name }) => name),
    ]);
    const args = argumentsIn(file);
    const explained = new Set(own.flatMap(({ calls }) => calls));
    for (const node of file.nodes) {
      const place = () => `${file.path}:${node.loc.start.line}`;
      for (const name of startedBy(node, file, { starters, isTest, args })) {
        programs.set(name, [...programs.get(name) ?? [], place()]);
      }
      if (!explained.has(node) && !isNamed(node, file)) unnamed.push(place());
    }
  }
  return { programs, unnamed };
}

function isProduct(path: string): boolean {
  return path.startsWith("src/");
}

interface Reading {
  readonly starters: ReadonlySet<string>;
  readonly isTest: boolean;
  /** Lists that follow the program that they are for. */
  readonly args: ReadonlySet<Node>;
}

function startedBy(node: Node, file: Syntax, { starters, isTest, args }: Reading): string[] {
  const { constants } = file;
  if (node.type === "ArrayExpression") {
    const lines = listsOf(node, constants);
    const whole = isTest && !args.has(node) ? lines.filter(isWithOptions) : [];
    return [...lines.flatMap(shellsIn), ...whole.flatMap(programsInWords)];
  }
  if (isCommandLine(node)) return listsOf(node.init, constants).flatMap(programsInWords);
  if (node.type === "ObjectProperty" && node.key.name === "program") {
    return textsOf(node.value, constants).flatMap((program) => programsInWords([program]));
  }
  if (node.type === "ObjectProperty" && node.key.name === "command" && isTest) {
    return textsOf(node.value, constants).flatMap(programsInShell);
  }
  const name = calledName(node);
  if (name === undefined || node.arguments.length === 0) return [];
  const isStarter = starters.has(name) || isOfHost(node, name);
  const started = isStarter ? linesOf(node, file).flatMap(programsInWords) : [];
  if (!TEST_SHELLS.includes(name) || !isTest) return started;
  return [...started, ...textsOf(node.arguments[0], constants).flatMap(programsInShell)];
}

/** `host.run(program)` */
function isOfHost({ callee }: Node, name: string): boolean {
  const { object } = callee;
  return name === "run" && (object?.name ?? object?.property?.name) === "host";
}

/** Whether a function of that name is the file's own. */
function declares({ nodes }: Syntax, name: string): boolean {
  return nodes.some((node) => namedFunction(node)[0] === name);
}

/** `const [program, ...args] = [...through, "true"]` */
function isCommandLine({ type, id }: Node): boolean {
  return type === "VariableDeclarator" && id.type === "ArrayPattern" &&
    id.elements[1]?.type === "RestElement";
}

/** `["tini", "--"]`: a program and an option of it, for whoever gets the list. */
function isWithOptions([program = "", option = ""]: readonly string[]): boolean {
  return /^[a-z][\w+-]*$/.test(program) && !SUBCOMMANDS.includes(program) &&
    /^--?([a-z][\w-]*)?(=|$)/.test(option);
}

/** Lists that are spread into others, or given as `args` or after the first argument of a call. */
function argumentsIn({ nodes }: Syntax): Set<Node> {
  return new Set(nodes.flatMap((node): Node[] => {
    if (node.type === "SpreadElement") return [node.argument];
    if (node.type === "ObjectProperty" && node.key.name === "args") return [node.value];
    return calledName(node) === undefined ? [] : node.arguments.slice(1);
  }));
}

/** `["unshare", ..., "sh", "-c", script]`: the script, wherever it stands. */
function shellsIn(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) =>
    /^(\/bin\/)?(ba|da)?sh$/.test(word) && /^-[a-z]*c$/.test(words[index + 1] ?? "")
  );
  return at < 0 ? [] : programsInWords(words.slice(at));
}

/** The command lines that a call may start: a program with its arguments, or a list of both. */
function linesOf(node: Node, { constants }: Syntax): string[][] {
  const [first, second, ...rest] = node.arguments;
  const lists = listsOf(first, constants);
  if (lists.length > 0) return lists;
  const programs = textsOf(first, constants);
  if (second?.type === "StringLiteral") {
    const args = [second, ...rest].map((each) => textsOf(each, constants)[0] ?? "");
    return programs.map((program) => [program, ...args]);
  }
  const options = second?.type === "ObjectExpression" ? propertyOf(second, "args") : second;
  const given = listsOf(options, constants);
  return programs.flatMap((program) =>
    given.length === 0 ? [[program]] : given.map((args) => [program, ...args])
  );
}

function propertyOf(object: Node, name: string): Node {
  return object.properties.find((each: Node) => each.key?.name === name)?.value;
}

/** Whether a call that starts a program says which: by name, as Deno itself, or as the rest of a command line. */
function isNamed(node: Node, file: Syntax): boolean {
  const name = calledName(node);
  if (name === undefined || !MUST_NAME.includes(name)) return true;
  if (name === "exec" && node.callee.type === "MemberExpression") return true; // of an expression
  if (linesOf(node, file).length > 0) return true;
  let [first] = node.arguments;
  if (first?.type === "TSNonNullExpression") first = first.expression;
  if (first?.type === "CallExpression") return calledName(first) === "execPath";
  return file.nodes.some((each) =>
    isCommandLine(each) && each.id.elements[0]?.name === first?.name
  );
}

interface Starter {
  readonly name: string;
  /** Whether other files may call it. */
  readonly isShared: boolean;
  /** The calls in it that start what it was given. */
  readonly calls: readonly Node[];
}

/** Functions whose first parameter is a program that they start. */
function startersIn({ nodes }: Syntax): Starter[] {
  const shared = new Set(
    nodes.filter(({ type }) => type === "ExportNamedDeclaration").map((node) =>
      node.declaration?.id?.name
    ),
  );
  return nodes.flatMap((node): Starter[] => {
    const [name, called] = namedFunction(node);
    const program = firstParameter(called);
    if (name === undefined || program === undefined) return [];
    const calls = [...nodesBelow(called.body)].filter((each) => startsWhat(each, program));
    return calls.length === 0 ? [] : [{ name, isShared: shared.has(name), calls }];
  });
}

/** Whether it is `new Deno.Command(program, ...)`, or one that has the program among its arguments. */
function startsWhat(node: Node, program: string): boolean {
  if (calledName(node) !== "Command") return false;
  const [first, options] = node.arguments;
  const passed = options?.type === "ObjectExpression" ? propertyOf(options, "args") : undefined;
  return [first, ...(passed?.elements ?? [])].some((each) =>
    (each?.type === "TSNonNullExpression" ? each.expression : each)?.name === program
  );
}

/** The name of a function and itself. */
function namedFunction(node: Node): [string | undefined, Node] {
  if (node.type === "FunctionDeclaration") return [node.id?.name, node];
  const isValue = node.type === "VariableDeclarator" &&
    node.init?.type === "ArrowFunctionExpression";
  return isValue ? [node.id.name, node.init] : [undefined, undefined];
}

/** `program` of `(program, ...)`, `([program, ...args])` and `({ program })`. */
function firstParameter(called: Node): string | undefined {
  const [first] = called?.params ?? [];
  if (first?.type === "Identifier") return first.name;
  if (first?.type === "ArrayPattern") return first.elements[0]?.name;
  return first?.properties?.find((each: Node) => each.key?.name === "program")?.value.name;
}
