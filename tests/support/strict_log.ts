/** The log of a service under test: it takes no operation that answers with an error which it did not declare. */

import { createLog, type Log } from "../../src/core/log.ts";

/** The error that is thrown in place of an undeclared one makes the answer a 500, which no test expects. */
export function createStrictLog(write: (line: string) => void = () => {}): Log {
  return createLog((line) => {
    if (line.includes(" error undeclared error ")) throw new Error(line);
    write(line);
  });
}
