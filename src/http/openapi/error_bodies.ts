/** The bodies of error answers, in the form that clients of this interface know. */

import { z } from "zod";

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

const HTTPValidationError = z.object({
  detail: z.array(ValidationError).meta({ title: "Detail" }).optional(),
}).meta({ title: "HTTPValidationError" });

const ErrorBody = z.object({
  detail: z.string().meta({
    description: "A sentence that says what is wrong, and what to do about it.",
    examples: ['Cannot open display 7: no X server answers at ":7"'],
  }),
}).meta({ title: "Error" });

export const ERROR_BODIES = { HTTPValidationError, ValidationError, Error: ErrorBody };
