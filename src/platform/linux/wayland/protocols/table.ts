/** The form of the protocol tables, which `tools/wayland_protocols.ts` makes from XML files. */

export interface InterfaceTable {
  readonly version: number;
  readonly requests: readonly MessageTable[];
  readonly events: readonly MessageTable[];
  /** The names of its protocol errors. */
  readonly errors?: Readonly<Record<string, number>>;
}

/** A request or an event; its index in the list is its number on the wire. */
export interface MessageTable {
  readonly name: string;
  /** The version of the interface that has brought it; 1 if absent. */
  readonly since?: number;
  /** The object ends with it. */
  readonly destructor?: true;
  /**
   * `name:type`, with `:interface` where objects of one interface only are meant, and `?` before the
   * type of what may be absent: `x:int`, `output:?object:wl_output`.
   */
  readonly args: readonly string[];
}

export type ProtocolTable = Readonly<Record<string, InterfaceTable>>;

export type ArgumentType =
  | "int"
  | "uint"
  | "fixed"
  | "string"
  | "object"
  | "new_id"
  | "array"
  | "fd";
