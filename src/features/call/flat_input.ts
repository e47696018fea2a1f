/** The fields of an operation as one flat object: those of its body, query and path, merged. */

import { type Fault, InputError } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";
import {
  checkObject,
  type Fields,
  isObject,
  noObject,
  orderFaults,
  type Schema,
} from "./check_fields.ts";
import { type Loc, MAX_FAULTS } from "./faults/faults.ts";
import { asMeant } from "./lenient.ts";
import { takesNames } from "./reserved_keys.ts";
import { findUnknownFields, unknownFieldFault } from "./unknown_fields.ts";

interface Part {
  readonly schema: Schema;
  readonly hasNames: boolean;
}

export class FlatInput {
  readonly #parts: readonly Part[];
  readonly #known: readonly string[];

  constructor(private readonly operation: Operation) {
    const { params, query, body } = operation;
    this.#parts = [params, query, body].filter((schema) => schema !== undefined)
      .map((schema) => ({ schema, hasNames: takesNames(schema) }));
    this.#known = this.#parts.flatMap(({ schema }) => Object.keys(schema.shape));
  }

  /** The names of all fields, those of the path first. */
  get names(): readonly string[] {
    return this.#known;
  }

  /**
   * The checked fields, with defaults filled in. A missing input means no fields.
   * @throws InputError with every fault, also of fields that the operation does not take
   */
  read(input: unknown = {}, at: Loc = ["input"]): Fields {
    if (!isObject(input)) throw new InputError([noObject(at)]);
    const faults: Fault[] = this.#unknownFaults(input, at);
    const fields: Fields = {};
    for (const part of this.#parts) {
      const own = pick(input, part.schema);
      const found: Fault[] = [];
      const checked = checkObject(part, own, at, found);
      if (found.length === 0) found.push(...this.#nestedFaults(part, own, at));
      faults.push(...found);
      Object.assign(fields, checked);
    }
    if (faults.length > 0) throw new InputError(orderFaults(faults));
    return fields;
  }

  /** The input with numbers, booleans, lists and objects that came as text turned into such. */
  lenient(input: unknown): unknown {
    if (!isObject(input)) return input;
    const fields = { ...input };
    for (const { schema } of this.#parts) {
      for (const [name, field] of Object.entries(schema.shape)) {
        if (Object.hasOwn(fields, name)) fields[name] = asMeant(field, fields[name]);
      }
    }
    return fields;
  }

  #unknownFaults(input: Fields, at: Loc): Fault[] {
    return Object.keys(input).filter((name) => !this.#known.includes(name)).slice(0, MAX_FAULTS)
      .map((name) => ({ path: [name.slice(0, 64).toWellFormed()], known: this.#known }))
      .map((unknown) => unknownFieldFault(unknown, at, this.operation));
  }

  #nestedFaults({ schema }: Part, fields: Fields, at: Loc): Fault[] {
    return findUnknownFields(schema, fields, MAX_FAULTS)
      .map((unknown) => unknownFieldFault(unknown, at, this.operation));
  }
}

function pick(input: Fields, schema: Schema): Fields {
  const names = Object.keys(schema.shape).filter((name) => Object.hasOwn(input, name));
  return Object.fromEntries(names.map((name) => [name, input[name]]));
}
