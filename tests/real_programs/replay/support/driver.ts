/** Operates programs as an agent does, by what the service says of them, while the service records it. */

import { flatten, pageNodes, type TreeNode } from "../../../../src/features/trail/locator.ts";
import { waitFor } from "../../../support/wait.ts";

type Fields = Record<string, unknown>;
type Call = <T = unknown>(operation: string, body?: Fields) => Promise<T>;

export interface Wanted {
  readonly role: string;
  readonly name?: string;
  readonly label?: string;
  /** Which one of several, counted from 0. */
  readonly nth?: number;
}

export class Driver {
  private constructor(
    private readonly call: Call,
    private readonly surface: "desktop" | "page",
    private readonly id: string,
  ) {}

  /** From now on the service records. */
  static async start(call: Call, surface: "desktop" | "page"): Promise<Driver> {
    const { id } = await call<{ id: string }>("trail/start", { texts: true });
    return new Driver(call, surface, id);
  }

  /** Waits for an element, and gives it. */
  async find({ role, name, label, nth = 0 }: Wanted, needs?: "bounds"): Promise<TreeNode> {
    let seen: string[] = [];
    return await waitFor(async () => {
      const all = flatten(await this.#read());
      seen = all.map((each) => `${each.role} "${each.name}" ${each.label ?? ""}`);
      const found = all.filter((each) =>
        each.role === role && (name === undefined || each.name === name) &&
        (label === undefined || each.label === label) &&
        (needs === undefined || each.bounds !== undefined)
      );
      return found[nth];
    }, { what: `${role} "${name ?? label}"` }).catch((cause) => {
      throw new Error(`${cause.message} among\n${seen.join("\n")}`, { cause });
    });
  }

  /** Performs an operation on an element by its ref. */
  async on(wanted: Wanted, operation: string, fields: Fields = {}): Promise<void> {
    const { ref } = await this.find(wanted);
    await this.do(operation, { ref, ...fields });
  }

  /** The same by the point in the middle of the element. */
  async at(wanted: Wanted, operation: string, fields: Fields = {}): Promise<void> {
    const { bounds } = await this.find(wanted, "bounds");
    const { x, y, width, height } = bounds!;
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    await this.do(operation, { ...middle, ...fields });
  }

  /** Performs an operation, such as `mouse.left-click`. */
  async do(operation: string, fields: Fields = {}): Promise<void> {
    await this.call(operation.replace(".", "/"), fields);
  }

  /** Ends the recording, and writes it into a new folder. */
  async export(path: string): Promise<void> {
    await this.call("trail/stop", { id: this.id });
    await this.call("trail/export", { id: this.id, format: "atif", path });
  }

  async #read(): Promise<readonly TreeNode[]> {
    if (this.surface === "page") {
      return await pageNodes((await this.call<{ text: string }>("browser/snapshot")).text);
    }
    const fields = { window: "focused", format: "json", max_chars: 1_000_000 };
    const read = await this.call<{ elements: TreeNode[] }>("accessibility/snapshot", fields);
    return read.elements;
  }
}
