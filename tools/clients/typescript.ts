/** The generated parts of `client/typescript`: types, and one method for each operation. */

import { type ClientOperation, type Document, readOperations } from "./document.ts";
import { answerName, parametersName, writeTypes } from "./typescript_types.ts";

const FOLDER = "client/typescript/src/generated";
const HEAD = "// This file is generated from openapi.json: `deno task clients`\n\n";

/** File name, relative to the repository -> what stands in it. */
export function generateTypeScript(document: Document): ReadonlyMap<string, string> {
  const operations = readOperations(document);
  return new Map([
    [`${FOLDER}/types.gen.ts`, HEAD + writeTypes(document, operations)],
    [`${FOLDER}/operations.gen.ts`, HEAD + writeOperations(operations)],
    [`${FOLDER}/desk_paths.gen.ts`, HEAD + writeDeskPaths(operations)],
  ]);
}

function writeOperations(operations: readonly ClientOperation[]): string {
  const groups = Map.groupBy(
    operations.filter(({ words }) => words.length > 0),
    ({ group }) => group,
  );
  const single = operations.filter(({ words }) => words.length === 0);
  return [
    'import type { CallOptions } from "../connection.ts";',
    'import { Group } from "../group.ts";',
    'import type { Picture } from "../picture.ts";',
    'import type * as Types from "./types.gen.ts";\n',
    ...[...groups].map(([name, members]) => writeClass(pascal(name), members.map(writeMethod))),
    writeClass("Operations", [
      [...groups.keys()].map((name) =>
        `  readonly ${name}: ${pascal(name)} = new ${pascal(name)}(this.connection);\n`
      ).join(""),
      ...single.map(writeMethod),
    ]),
  ].join("\n");
}

function writeDeskPaths(operations: readonly ClientOperation[]): string {
  const paths = operations.filter(({ takesDesk }) => takesDesk)
    .map(({ method, path }) => `  "${method} ${path}",\n`);
  return "/** The operations with a field `desk`: method and path. */\n" +
    `export const DESK_PATHS: ReadonlySet<string> = new Set([\n${paths.join("")}]);\n`;
}

function writeClass(name: string, members: readonly string[]): string {
  return `export class ${name} extends Group {\n${members.join("\n")}}\n`;
}

function writeMethod(operation: ClientOperation): string {
  const { id, group, words, method, path, answer, isInputOptional } = operation;
  const name = words.length === 0 ? group : camel(words);
  const type = inputType(operation);
  const parameters = [
    ...(type === undefined ? [] : [isInputOptional ? `input: ${type} = {}` : `input: ${type}`]),
    "options?: CallOptions",
  ].join(", ");
  const request = `"${method}", "${path}", ${type === undefined ? "{}" : "input"}, options`;
  const comment = writeComment(operation);
  if (answer.kind === "nothing") {
    return `${comment}  ${name}(${parameters}): Promise<void> {\n    return this.send(${request});\n  }\n`;
  }
  if (answer.kind === "json") {
    const result = `Types.${answerName(id)}`;
    return `${comment}  ${name}(${parameters}): Promise<${result}> {\n    return this.ask(${request});\n  }\n`;
  }
  const since = `input: ${type} & { since: string }, options?: CallOptions`;
  const plain = `input?: Omit<${type}, "since">, options?: CallOptions`;
  return `${comment}  ${name}(${plain}): Promise<Picture>;\n` +
    (answer.optional ? `  ${name}(${since}): Promise<Picture | undefined>;\n` : "") +
    `  ${name}(${parameters}): Promise<Picture | undefined> {\n    return this.look(${request});\n  }\n`;
}

function inputType({ id, parameters, body }: ClientOperation): string | undefined {
  const parts = [
    ...(parameters === undefined ? [] : [`Types.${parametersName(id)}`]),
    ...(body === undefined ? [] : [`Types.${body}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" & ");
}

function writeComment({ summary, description }: ClientOperation): string {
  const lines = [summary, ...(description === "" ? [] : ["", ...description.split("\n")])]
    .map((line) => line.replaceAll("*/", "*\\/"));
  if (lines.length === 1) return `  /** ${lines[0]} */\n`;
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join("\n")}\n   */\n`;
}

function camel([first = "", ...rest]: readonly string[]): string {
  return first + rest.map(pascal).join("");
}

function pascal(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
