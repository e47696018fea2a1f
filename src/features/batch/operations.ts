/** Defines the batch as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { batch } from "./batch.ts";
import { BatchAnswer, batchFields } from "./fields.ts";

export function batchOperations(limits: Limits): readonly Operation[] {
  return [
    defineOperation({
      id: "runBatch",
      group: "batch",
      readOnly: false,
      runsOthers: true,
      long: true,
      method: "POST",
      path: "/api/batch",
      summary: "Run several operations one after the other",
      description:
        "All steps are checked before the first one runs: if one of them is invalid, nothing runs. The batch stops " +
        "at the first step that fails, and reports the result of each. Keys and buttons that its steps " +
        "left pressed are released at its end, but not those that others hold. When the client " +
        "disconnects, the running step stops and everything is released; release-all ends it, too. " +
        `The values and the picture of an answer have at most ${limits.maxBatchBytes} bytes together: ` +
        "a value that does not fit is omitted, and the answer says so; for the picture, the last " +
        "values are.",
      body: z.object(batchFields(limits)),
      answer: json("The outcome of each step.", BatchAnswer),
      errors: {
        forbidden:
          "A step is disabled, or changes something while --read-only is set; nothing ran.",
      },
      run: batch,
    }),
  ];
}
