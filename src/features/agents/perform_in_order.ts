/** Performs the actions of a turn one after the other, each with a result; none is left out. */

import { failureText, type FieldNames } from "./failure_text.ts";

/** How a vendor's actions are performed, and how their results look. */
export interface ActionRules<A, R> {
  /** Performs one action; what it throws is its failure. */
  perform(action: A): R | Promise<R>;
  /** The result of an action that failed, with a text that the model can act on. */
  failed(action: A, text: string): R;
  /** The result of an action that was not run because an earlier one of its chain has failed. */
  notRun(action: A): R;
  /** Actions of one chain depend on each other; by default all do. `undefined` depends on none. */
  chainOf?(action: A): string | undefined;
  /** The vendor's names of our operations' fields, for the text of a failure. */
  readonly fieldNames?: FieldNames;
}

/**
 * The results, in the order of the actions.
 * @throws the reason of `signal` when it aborts, and nothing else
 */
export async function performInOrder<A, R>(
  actions: readonly A[],
  signal: AbortSignal,
  rules: ActionRules<A, R>,
): Promise<R[]> {
  const failedChains = new Set<string>();
  const results: R[] = [];
  for (const action of actions) {
    signal.throwIfAborted();
    const chain = rules.chainOf ? rules.chainOf(action) : "all";
    if (chain !== undefined && failedChains.has(chain)) {
      results.push(rules.notRun(action));
      continue;
    }
    try {
      results.push(await rules.perform(action));
    } catch (error) {
      signal.throwIfAborted();
      if (chain !== undefined) failedChains.add(chain);
      results.push(rules.failed(action, failureText(error, rules.fieldNames)));
    }
  }
  return results;
}
