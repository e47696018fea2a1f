/** A refusal by the HTTP layer itself, with the headers that the answer needs. */

import { type ErrorCode, ServiceError } from "../core/errors.ts";

export class Refusal extends ServiceError {
  override readonly name = "Refusal";

  constructor(
    code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message);
  }
}
