/**
 * Adds the example of an operation to its description, where readers and generators look for it.
 */

import type { Example } from "../../features/examples.ts";
import { JSON_TYPE } from "./responses.ts";

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, object>>;

/**
 * Returns a copy of the description with the example, if there is one; the original is not changed.
 */
export function withExample(description: object, example: Example | undefined): object {
  if (example === undefined) return description;
  const { parameters, requestBody, responses, ...rest } = description as Described;
  const values = { path: example.params ?? {}, query: example.query ?? {} };
  return {
    ...rest,
    ...(parameters === undefined ? {} : {
      parameters: parameters.map((parameter) => {
        const all = values[parameter.in as keyof typeof values];
        return parameter.name in all ? { ...parameter, example: all[parameter.name] } : parameter;
      }),
    }),
    ...(requestBody === undefined ? {} : {
      requestBody: { ...requestBody, content: shown(requestBody.content, example.body) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const { content } = response;
        if (status !== "200" || content === undefined) return [status, response];
        return [status, { ...response, content: shown(content, example.answer) }];
      }),
    ),
  };
}

function shown(content: Content, example: unknown): Content {
  const json = content[JSON_TYPE];
  if (json === undefined || example === undefined) return content;
  return { ...content, [JSON_TYPE]: { ...json, example } };
}
