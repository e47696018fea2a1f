/** Turns of a Claude model, as tests send them to the service and read the answers. */

import { expect } from "expect";
import { type Service, startService } from "./service.ts";
import { decode } from "fast-png";

/** A block of a result. */
export interface ResultPart {
  readonly type: "text" | "image";
  readonly text?: string;
  readonly source?: { readonly media_type: string; readonly data: string };
}

export interface TurnResult {
  readonly type: string;
  readonly tool_use_id: string;
  readonly toolset_name?: string;
  readonly content: readonly ResultPart[];
  readonly is_error?: boolean;
}

/** An X display that no server can have: the service has no display, and starts none. */
const NO_DISPLAY = ":59535";

/** The service for tools that need no display. */
export function startWithoutDisplay(): Promise<Service> {
  return startService({ displays: Deno.build.os === "linux" ? [NO_DISPLAY] : [] });
}

/** A call of a member of the computer toolset. */
export function member(name: string, input: unknown = {}, id = name) {
  return { type: "tool_use", id, name, toolset_name: "computer", input };
}

/** A call of a tool with a name. */
export function use(name: string, input: unknown, id = "toolu_1") {
  return { type: "tool_use", id, name, input };
}

/** Sends a turn, which must be answered with 200; gives the results. */
export async function turn(
  service: Pick<Service, "call">,
  content: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly TurnResult[]> {
  const answer = await service.call("/api/agents/anthropic", { content, ...more });
  return (answer as { content: TurnResult[] }).content;
}

/** A turn without a picture after it. */
export function blindTurn(
  service: Pick<Service, "call">,
  content: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly TurnResult[]> {
  return turn(service, content, { then_screenshot: false, ...more });
}

/** The text of a single result, which must be no error. */
export async function textOf(
  service: Pick<Service, "call">,
  call: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const [result] = await blindTurn(service, [call], more);
  expect(result).not.toMatchObject({ is_error: true });
  return result!.content.map(({ text }) => text).join("\n");
}

/** The text of a single result, which must be an error that has text only. */
export async function errorOf(
  service: Pick<Service, "call">,
  call: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const [result] = await turn(service, [call], more);
  const types = result!.content.map(({ type }) => type);
  expect({ call, isError: result!.is_error, types })
    .toEqual({ call, isError: true, types: ["text"] });
  return result!.content[0]!.text!;
}

/** The picture of a result. */
export function pictureOf(result: TurnResult | undefined) {
  const image = result?.content.find(({ type }) => type === "image");
  expect(image?.source?.media_type).toBe("image/png");
  return decode(Uint8Array.fromBase64(image!.source!.data));
}
