/** Whether an answer is one that the document of the service declares for that request. */

import { Ajv2020 } from "ajv/dist/2020.js";
import type { FuzzRequest, Operation } from "./requests.ts";
import type { Schema, Schemas } from "./schemas.ts";
import { cannotSay } from "./unsayable.ts";

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

type Check = (value: unknown) => boolean;

/** Of the HTTP layer, before any operation: a strange address, method, page or body. */
const OF_THE_HTTP_LAYER = new Set([400, 403, 404, 405, 408, 413, 414, 422]);
const DOCUMENTED_5XX = new Set([501, 503, 504]);

export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false });
  readonly #checks = new Map<object, Check>();

  constructor(private readonly schemas: Schemas) {}

  /** What is wrong with an answer, in one line, or nothing. */
  faultOf(request: FuzzRequest, answer: Answer): string | undefined {
    const { status } = answer;
    if (status >= 500 && !DOCUMENTED_5XX.has(status)) return "an undocumented 5xx";
    if (request.kind === "hostile") return this.#hostileFault(answer);
    const declared = request.operation.responses[String(status)];
    const fits = request.input !== undefined && this.#fits(request);
    if (declared === undefined && (fits || !OF_THE_HTTP_LAYER.has(status))) {
      return "an undeclared status";
    }
    const schema = declared?.content?.["application/json"]?.schema;
    const shape = this.#shapeFault(answer, declared, schema);
    if (shape !== undefined) return shape;
    if (!fits) return undefined;
    return cannotSay(request.operation.id, status, parsed(answer.text));
  }

  #hostileFault({ status, text, contentType }: Answer): string | undefined {
    if (status < 400 || text === "" || !contentType?.includes("json")) return undefined;
    const body = parsed(text) as { detail?: unknown } | undefined;
    return body?.detail === undefined ? "an error without a detail" : undefined;
  }

  #shapeFault(answer: Answer, declared: object | undefined, schema: Schema | undefined) {
    if (schema !== undefined) {
      const value = parsed(answer.text);
      return this.#check(schema)(value) ? undefined : "a body that is not as its schema says";
    }
    const hasContent = declared === undefined || "content" in declared;
    return hasContent || answer.text === "" ? undefined : "a body where none is declared";
  }

  /** Whether body and parameters are what the document asks for. */
  #fits({ operation, input }: FuzzRequest): boolean {
    const { body, parameters } = input!;
    if (!isWellFormed(body) || !isWellFormed(parameters)) return false; // JSON schemas know no such texts
    if (operation.body !== undefined && !this.#check(operation.body)(body)) return false;
    return operation.parameters.every(({ name, schema }) =>
      !(name in parameters) || this.#check(schema)(parameters[name])
    ) && hasPath(operation, parameters);
  }

  #check(schema: Schema): Check {
    let check = this.#checks.get(schema);
    if (check === undefined) {
      const whole = { ...schema, components: { schemas: this.schemas } };
      this.#checks.set(schema, check = this.#ajv.compile(whole) as Check);
    }
    return check;
  }
}

/** An empty part, or one that a URL resolves away, makes another path. */
function hasPath({ parameters }: Operation, values: Readonly<Record<string, unknown>>): boolean {
  return parameters.every(({ name, in: place }) =>
    place !== "path" || !["", ".", ".."].includes(String(values[name]))
  );
}

function isWellFormed(value: unknown): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(value) ?? "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
