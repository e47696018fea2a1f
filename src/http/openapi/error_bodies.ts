/** The bodies of error answers, in the form that clients of this interface know. */

import { z } from "zod";
import { type ErrorCode, MEANINGS } from "../../core/errors.ts";

const ValidationError = z.object({
  loc: z.array(z.union([z.string(), z.int()])).meta({
    title: "Location",
    description:
      "The location of the fault: `body`, `query`, `path` or `header`, then the field, then indexes.",
    examples: [["body", "x"]],
  }),
  msg: z.string().meta({ title: "Message", examples: ["Field required"] }),
  type: z.string().meta({ title: "Error Type", examples: ["missing"] }),
}).meta({ title: "ValidationError" });

const RequestId = z.string().meta({
  description:
    "The log of the service has the request under this id, which `X-Request-Id` has too.",
  examples: ["5d1c2a90-17"],
});

const CODES = Object.keys(MEANINGS).filter((code) => code !== "invalid") as ErrorCode[];

const HTTPValidationError = z.object({
  detail: z.array(ValidationError).meta({ title: "Detail" }).optional(),
  code: z.literal("invalid").meta({ description: "This word says what went wrong." }),
  request_id: RequestId,
}).meta({ title: "HTTPValidationError" });

const ErrorBody = z.object({
  detail: z.string().meta({
    description: "A sentence that says what is wrong, and what to do about it.",
    examples: ['Cannot open display 7: no X server answers at ":7"'],
  }),
  code: z.enum(CODES).meta({
    description: [
      "This word says what went wrong.",
      ...CODES.map((code) => `\`${code}\`: ${MEANINGS[code]}`),
    ].join(" "),
    examples: ["unavailable"],
  }),
  request_id: RequestId,
}).meta({ title: "Error" });

export const ERROR_BODIES = { HTTPValidationError, ValidationError, Error: ErrorBody };
