/**
 * Takes what password fields hold out of an accessibility tree. Browsers give masks in its place, but pages can take
 * these away (`-webkit-text-security: none`), so that the field itself is asked.
 */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { callOnNodes, ifGone } from "../isolated_world.ts";
import type { Tab } from "../tab.ts";

/** What browsers show in place of a password; pages choose between these. */
export const MASK = /^[•◦■]+$/;
/** Fields of one call. */
const BATCH = 500;

const ARE_PASSWORDS = `(_, ...elements) => elements.map((element) => element.type === "password")`;

/** What is read and changed of a node of the tree. */
interface Field extends Pick<Protocol.Accessibility.AXNode, "value" | "childIds"> {
  readonly backendDOMNodeId: number;
}

interface InFrame {
  readonly frame: string;
  /** Of `performance.now()`. */
  readonly endMs: number;
}

/**
 * The nodes of a frame, in their order; password fields, and fields that are gone meanwhile, have neither a value nor
 * anything inside.
 * @throws ServiceError `timed_out`; `conflict` when a dialog is open
 */
export async function withoutPasswords<N extends Field>(
  tab: Pick<Tab, "call" | "sessionOf">,
  nodes: readonly N[],
  { frame, endMs }: InFrame,
): Promise<readonly (Omit<N, "value"> & Pick<Field, "value">)[]> {
  const fields = nodes.filter(isReadable).map(({ backendDOMNodeId }) => backendDOMNodeId);
  const others = new Set<number>();
  for (let from = 0; from < fields.length; from += BATCH) {
    const batch = fields.slice(from, from + BATCH);
    const call = { frame, nodes: batch, script: ARE_PASSWORDS, endMs };
    const answers = await callOnNodes(tab, call).catch(ifGone);
    answers?.forEach((isPassword, at) => isPassword === false && others.add(batch[at]!));
  }
  return nodes.map((node) =>
    isReadable(node) && !others.has(node.backendDOMNodeId) ? emptied(node) : node
  );
}

/** Whether it has a value that is no mask, and no number such as that of a slider. */
function isReadable({ value }: Field): boolean {
  return typeof value?.value === "string" && value.value !== "" && !MASK.test(value.value);
}

function emptied<N extends Field>({ value: _, ...node }: N): Omit<N, "value"> {
  return { ...node, childIds: [] };
}
