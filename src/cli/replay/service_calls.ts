/** Calls operations of the service that performs a recording. */

import { tryParseJson } from "../../core/texts.ts";
import { isObject } from "../../features/call/check_fields.ts";
import type { Operation } from "../../features/operation.ts";
import { makeRequest, type ServiceAddress } from "../call/call.ts";

/** What the service has refused. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /**
   * @param code `conflict`, `not_found` ...; `unreachable` where nobody has answered, and `no_desk` where
   * the desk is missing
   */
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

export class ServiceCalls {
  /** Whether its desk is missing: asked once, however often something else is looked for in vain. */
  #isMissing: Promise<boolean> | undefined;

  constructor(
    private readonly operations: ReadonlyMap<string, Operation>,
    private readonly address: ServiceAddress,
    private readonly desk?: unknown,
  ) {}

  /** What is called there, where it is one. */
  onDesk(desk: unknown): ServiceCalls {
    return new ServiceCalls(this.operations, this.address, desk);
  }

  /**
   * The JSON of the answer; `undefined` where it has none.
   * @throws Refusal
   */
  async call(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { desk = this.desk } = fields;
    const request = makeRequest(this.operations.get(name)!, { ...fields, desk }, this.address);
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(request);
      text = await answer.text();
    } catch (cause) {
      throw new Refusal("unreachable", `The service does not answer: ${(cause as Error).message}`);
    }
    const value = tryParseJson(text);
    if (answer.ok) return value;
    const { code, detail } = isObject(value) ? value : {};
    const reason = typeof detail === "string" ? detail : text.slice(0, MAX_TEXT);
    if (code === "not_found" && await (this.#isMissing ??= this.#findMissing(desk))) {
      throw new Refusal("no_desk", reason);
    }
    throw new Refusal(typeof code === "string" ? code : String(answer.status), reason);
  }

  /** Whether there is no such desk, as far as the service says. */
  async #findMissing(desk: unknown): Promise<boolean> {
    if (desk === undefined) return false;
    const all = await this.onDesk(undefined).call("desk.list").catch(() => undefined);
    return Array.isArray(all) && !all.some(({ name }) => name === desk);
  }
}

const MAX_TEXT = 1_000;
