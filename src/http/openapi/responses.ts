/** The responses of an operation in the OpenAPI document, generated from its declared outcomes. */

import { type ErrorCode, STATUS } from "../../core/errors.ts";
import type { Operation } from "../../features/operation.ts";
import { type Answer, listAnswers } from "../../features/outcomes.ts";
import { listCommonErrors } from "../declared_errors.ts";
import { referTo, type Schema, type SchemaBook } from "./schemas.ts";

export const JSON_TYPE = "application/json";

/** The responses by status. */
export function describeResponses(
  operation: Operation,
  book: SchemaBook,
  isOpen: boolean,
): object {
  const answers = listAnswers(operation.answer);
  const responses: Record<string, object> = {};
  const common = isOpen ? IGNORED_FIELDS : {};
  for (const answer of answers) {
    responses[answer.status] = describeAnswer(answer, { common, book });
  }
  for (const [status, cases] of groupErrors(operation)) {
    responses[status] = describeError(Number(status), {
      cases,
      answer: answers.find((answer) => answer.status === Number(status)),
      book,
    });
  }
  responses["default"] = {
    description: "The request failed in another way.",
    ...jsonContent(referTo("Error")),
  };
  return responses;
}

/** The headers that any answer may have. */
export const COMMON_HEADERS = {
  IgnoredFields: {
    description:
      "These fields of the request were ignored, because the operation does not know them: names with commas, nested ones with dots, `...` for what is too much.",
    schema: { type: "string" },
  },
};
const IGNORED_FIELDS = { "X-Ignored-Fields": { $ref: "#/components/headers/IgnoredFields" } };

interface AnswerParts {
  readonly common: object;
  readonly book: SchemaBook;
}

function describeAnswer(answer: Answer, { common, book }: AnswerParts): object {
  const { description } = answer;
  const headers = { ...describeHeaders(answer.headers ?? {}), ...common };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...describeContent(answer, book),
  };
}

function describeHeaders(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

function describeContent(answer: Answer, book: SchemaBook): object {
  if ("schema" in answer) return jsonContent(book.describe(answer.schema, "output"));
  if (!("mediaTypes" in answer)) return {};
  const file = { schema: { type: "string", format: "binary" } };
  return { content: Object.fromEntries(answer.mediaTypes.map((type) => [type, file])) };
}

/** The cases for each status, those of the operation first. */
function groupErrors(operation: Operation): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const errors of [operation.errors ?? {}, listCommonErrors(operation)]) {
    for (const [code, text] of Object.entries(errors)) {
      const status = String(STATUS[code as ErrorCode]);
      groups.set(status, [...groups.get(status) ?? [], text]);
    }
  }
  return groups;
}

interface ErrorParts {
  readonly cases: readonly string[];
  /** The declared answer with the same status. */
  readonly answer: Answer | undefined;
  readonly book: SchemaBook;
}

function describeError(status: number, { cases, answer, book }: ErrorParts): object {
  const error = referTo(status === STATUS.invalid ? "HTTPValidationError" : "Error");
  if (answer === undefined || !("schema" in answer)) {
    return { description: cases.join(" "), ...jsonContent(error) };
  }
  return {
    description: [answer.description, ...cases].join(" "),
    ...jsonContent({ anyOf: [book.describe(answer.schema, "output"), error] }),
  };
}

function jsonContent(schema: Schema): object {
  return { content: { [JSON_TYPE]: { schema } } };
}
