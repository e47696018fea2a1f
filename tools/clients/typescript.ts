/** The generated parts of `client/typescript`: types by `@hey-api/openapi-ts`, methods from the list of operations. */

import "typescript"; // first, so that the generator uses this version
import { createClient } from "@hey-api/openapi-ts";
import { type ClientOperation, type Document, readOperations, withoutErrors } from "./document.ts";

const FOLDER = "client/typescript/src/generated";

export async function generateTypeScript(document: Document): Promise<Map<string, string>> {
  return new Map([
    [`${FOLDER}/types.gen.ts`, await generateTypes(document)],
    [`${FOLDER}/operations.gen.ts`, writeOperations(readOperations(document))],
  ]);
}

async function generateTypes(document: Document): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await createClient({
      input: withoutErrors(document) as unknown as Record<string, unknown>,
      output: { path: folder, entryFile: false },
      logs: { level: "silent" },
      plugins: ["@hey-api/typescript"],
    });
    return await Deno.readTextFile(`${folder}/types.gen.ts`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function writeOperations(operations: readonly ClientOperation[]): string {
  const groups = Map.groupBy(
    operations.filter(({ words }) => words.length > 0),
    ({ group }) => group,
  );
  const single = operations.filter(({ words }) => words.length === 0);
  const body = [
    ...[...groups].map(([name, members]) => writeClass(pascal([name]), members.map(writeMethod))),
    writeClass("Operations", [
      ...[...groups.keys()].map((name) =>
        `  readonly ${name}: ${pascal([name])} = new ${pascal([name])}(this.connection);`
      ),
      ...single.map(writeMethod),
    ]),
  ].join("\n\n");
  const used = [...new Set(body.match(/\bTypes\.\w+/g))].length > 0;
  return [
    "// This file is generated from openapi.json: `deno task clients`",
    "",
    'import type { CallOptions } from "../connection.ts";',
    'import { Group } from "../group.ts";',
    ...(body.includes("Picture") ? ['import type { Picture } from "../picture.ts";'] : []),
    ...(used ? ['import type * as Types from "./types.gen.ts";'] : []),
    "",
    `${body}\n`,
  ].join("\n");
}

function writeClass(name: string, members: readonly string[]): string {
  return `export class ${name} extends Group {\n${members.join("\n\n")}\n}`;
}

function writeMethod(operation: ClientOperation): string {
  const { id, group, words, method, path, answer, fields } = operation;
  const name = words.length === 0 ? group : camel(words);
  const type = inputType(operation);
  const isOptional = fields.every(({ required }) => !required);
  const parameters = [
    ...(type === undefined ? [] : [isOptional ? `input: ${type} = {}` : `input: ${type}`]),
    "options?: CallOptions",
  ].join(", ");
  const request = `"${method}", "${path}", ${type === undefined ? "{}" : "input"}, options`;
  const comment = writeComment(operation);
  if (answer.kind === "nothing") {
    return `${comment}  ${name}(${parameters}): Promise<void> {\n    return this.send(${request});\n  }`;
  }
  if (answer.kind === "json") {
    const result = `Types.${pascal([id])}Response`;
    return `${comment}  ${name}(${parameters}): Promise<${result}> {\n    return this.ask<${result}>(${request});\n  }`;
  }
  const since = `input: ${type} & { since: string }, options?: CallOptions`;
  const plain = `input?: Omit<${type}, "since">, options?: CallOptions`;
  return `${comment}  ${name}(${plain}): Promise<Picture>;\n` +
    (answer.optional ? `  ${name}(${since}): Promise<Picture | undefined>;\n` : "") +
    `  ${name}(${parameters}): Promise<Picture | undefined> {\n    return this.look(${request});\n  }`;
}

function inputType({ id, body, fields, path, method }: ClientOperation): string | undefined {
  if (fields.length === 0) return undefined;
  const data = `Types.${pascal([id])}Data`;
  const parts = [
    ...(path.includes("{") ? [`${data}["path"]`] : []),
    ...(method !== "POST" && fields.length > (path.match(/\{/g)?.length ?? 0)
      ? [`NonNullable<${data}["query"]>`]
      : []),
    ...(body === undefined ? [] : [`Types.${body}`]),
  ];
  return parts.join(" & ");
}

function writeComment({ summary, description }: ClientOperation): string {
  const lines = [summary, ...(description === "" ? [] : ["", ...description.split("\n")])];
  return `  /**\n${
    lines.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")
  }\n   */\n`;
}

function camel([first = "", ...rest]: readonly string[]): string {
  return first + rest.map((word) => pascal([word])).join("");
}

function pascal(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
