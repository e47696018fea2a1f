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
        "All steps are checked before the first one runs: when one of them is wrong, nothing runs. It stops " +
        "at the first step that fails, and says what became of each. Keys and buttons that its steps " +
        "left pressed are released at its end, those that others hold are not. When the client " +
        "leaves, the running step stops and everything is released; release-all ends it too. " +
        `The values and the picture of an answer have at most ${limits.maxBatchBytes} bytes together: ` +
        "a value that does not fit is left out, and the answer says so; for the picture, the last " +
        "values are.",
      body: z.object(batchFields(limits)),
      answer: json("The outcome of each step.", BatchAnswer),
      errors: {
        forbidden: "A step is switched off, or changes something with --read-only; nothing ran.",
      },
      run: batch,
    }),
  ];
}
