/** Asks programs to do something with an element. What they answer proves nothing. */

import { ServiceError, throwUnless } from "../../../core/errors.ts";
import type { ElementAction } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import { isLate } from "./budget.ts";
import {
  type Address,
  addressOf,
  type AtspiClient,
  type Method,
  type Reference,
} from "./client.ts";
import { resolveElement } from "./element_id.ts";
import { fetchNode, type Node, offers } from "./node.ts";
import { hasState, roleNumber } from "./states.ts";

/** A program that opens a dialog of its own answers when that is closed. */
const ANSWER_TIMEOUT_MS = 1_000;

/** @throws ServiceError as {@link Accessibility.perform} */
export async function performAction(
  client: AtspiClient,
  id: string,
  action: ElementAction,
): Promise<boolean | undefined> {
  const address = await resolveElement(client, id);
  const node = await fetchPresent(client, address);
  try {
    return await ASK[action.kind]({ client, node }, action as never);
  } catch (error) {
    if (isLate(error)) return undefined;
    if (!(error instanceof BusError)) throw error;
    await fetchPresent(client, address);
    throw unsupported(`its program returned ${error.errorName}`);
  }
}

/** @throws ServiceError `conflict`: it is gone; `timed_out` */
async function fetchPresent(client: AtspiClient, address: Address): Promise<Node> {
  const node = await fetchNode(client, address, ANSWER_TIMEOUT_MS)
    .catch(throwUnless((error) => error instanceof BusError));
  if (node && !hasState(node.states, "defunct")) return node;
  throw new ServiceError("conflict", "The element is gone");
}

interface Asked {
  readonly client: AtspiClient;
  readonly node: Node;
}

type Ask<Kind extends ElementAction["kind"]> = (
  asked: Asked,
  action: Extract<ElementAction, { kind: Kind }>,
) => Promise<boolean>;

const ASK: { readonly [Kind in ElementAction["kind"]]: Ask<Kind> } = {
  "click": (asked) => act(asked, (name) => !NO_CLICK.test(name)),
  "focus": (asked) => answer(asked, "Component.GrabFocus"),
  "set value": (asked, { value }) => setValue(asked, value),
  "select": select,
  "scroll to": (asked) => answer(asked, "Component.ScrollTo", ANYWHERE),
  "expand": expand,
};

/** Scrolls as little as possible. */
const ANYWHERE = 6;
/** Actions of Qt and of Chromium that are no click. */
const NO_CLICK = /^(set ?focus|show ?(context)? ?menu|increase|decrease|scroll.*)$/i;
const EXPAND = /expand|collapse|contract|toggle|open|press|click|activate|default/i;

/** Carries out the first action whose name is accepted. */
async function act({ client, node }: Asked, accepts: (name: string) => boolean): Promise<boolean> {
  if (!offers(node, "Action")) throw unsupported("its program offers no action for it");
  const [actions] = await client.call(node, "Action.GetActions", ANSWER_TIMEOUT_MS);
  const index = (actions as [string][]).findIndex(([name]) => accepts(name));
  if (index < 0) throw unsupported("its program offers no such action for it");
  return await answer({ client, node }, "Action.DoAction", index);
}

const SPIN_BUTTON = roleNumber("spin-button");

/** @param method one that answers whether the program has done it */
async function answer(
  { client, node }: Asked,
  method: Method,
  ...body: readonly unknown[]
): Promise<boolean> {
  const [interfaceName] = method.split(".");
  if (!offers(node, interfaceName!)) throw unsupported("its program does not support that");
  const [accepted] = await client.call(node, method, ANSWER_TIMEOUT_MS, ...body);
  return accepted === true;
}

async function setValue(asked: Asked, value: string): Promise<boolean> {
  const { client, node } = asked;
  const number = Number(value);
  const isNumber = offers(node, "Value") && value.trim() !== "" && Number.isFinite(number);
  // the text of a number can be one that its program does not accept, or has not taken over yet
  const isText = offers(node, "EditableText") && !(isNumber && node.role === SPIN_BUTTON);
  if (isText) return await answer(asked, "EditableText.SetTextContents", value);
  if (!isNumber) throw unsupported("its program does not accept this value");
  await client.set(node, "Value.CurrentValue", ["d", number], ANSWER_TIMEOUT_MS);
  return true;
}

async function select(
  { client, node }: Asked,
  { selected }: Extract<ElementAction, { kind: "select" }>,
): Promise<boolean> {
  const reference = await client.get(node, "Accessible.Parent", ANSWER_TIMEOUT_MS);
  const [index] = await client.call(node, "Accessible.GetIndexInParent", ANSWER_TIMEOUT_MS);
  const parent = addressOf(reference as Reference);
  if (parent === undefined) throw unsupported("its container does not support selection");
  const list = await fetchNode(client, parent, ANSWER_TIMEOUT_MS);
  const method = selected ? "Selection.SelectChild" : "Selection.DeselectChild";
  return await answer({ client, node: list }, method, index);
}

async function expand(
  asked: Asked,
  { expanded }: Extract<ElementAction, { kind: "expand" }>,
): Promise<boolean> {
  if (hasState(asked.node.states, "expanded") === expanded) return true;
  return await act(asked, (name) => EXPAND.test(name));
}

function unsupported(reason: string): ServiceError {
  return new ServiceError("unsupported", `The element does not support this: ${reason}`);
}
