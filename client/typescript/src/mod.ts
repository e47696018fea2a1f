/**
 * A client of the Computer Control Service: `new ComputerControl({ url, token })`, then one method
 * for each operation, by group: `computer.mouse.leftClick({ x: 10, y: 20 })`.
 */

import { Connection, type ConnectOptions } from "./connection.ts";
import { Operations } from "./generated/operations.gen.ts";

export type { CallOptions, ConnectOptions } from "./connection.ts";
export { ComputerControlError, type ErrorCode, type ValidationError } from "./errors.ts";
export { type Box, type Picture, toDataUrl } from "./picture.ts";
export type * from "./generated/types.gen.ts";

export class ComputerControl extends Operations {
  constructor(options: ConnectOptions = {}) {
    super(new Connection(options));
  }
}
