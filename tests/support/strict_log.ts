/** The log of a service under test: it takes no operation that answers with an error which it did not declare. */

import { createLog, type Log } from "../../src/core/log.ts";

/** What is thrown in place of an undeclared error makes the answer a 500, which no test expects. */
export function createStrictLog(write: (line: string) => void = () => {}): Log {
  const log = createLog(write);
  return {
    ...log,
    error(event, fields) {
      if (event === "undeclared error") {
        throw new Error(`${fields?.["operation"]} does not declare "${fields?.["code"]}"`);
      }
      log.error(event, fields);
    },
  };
}
