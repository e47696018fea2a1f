/** The messages of the console's socket: what a page may send, and what it is sent. */

import { z } from "zod";
import type { Size } from "../core/geometry.ts";
import { tryParseJson } from "../core/texts.ts";
import { DeskName } from "../features/on_desk.ts";
import type { PendingApproval } from "../features/control/approvals.ts";
import type { ControlState } from "../features/control/state.ts";
import type { LiveNote } from "../features/live/message.ts";
import type { ActivityEntry } from "./activity.ts";

/** The operations that a person's hands are, each in its order. */
const INPUT_OPERATIONS = [
  ...["mouse.move", "mouse.down", "mouse.up", "mouse.scroll"] as const,
  ...["keyboard.hold", "keyboard.release", "keyboard.type", "keyboard.key"] as const,
  ...["clipboard.set"] as const,
] as const;

const Id = z.string().min(1).max(64);
const Reason = z.string().max(500).optional();

const Incoming = z.discriminatedUnion("t", [
  z.strictObject({
    t: z.literal("watch"),
    display: z.int().min(1).max(999),
    /** The desk whose display it is; absent for those of the service. */
    desk: DeskName.optional(),
    window: z.string().min(1).max(64).optional(),
  }),
  z.strictObject({ t: z.literal("ack"), id: z.int().min(0).max(0xffff_ffff) }),
  z.strictObject({ t: z.literal("take") }),
  z.strictObject({ t: z.literal("hand_back"), reason: Reason }),
  z.strictObject({
    t: z.literal("input"),
    op: z.enum(INPUT_OPERATIONS),
    fields: z.record(z.string().max(40), z.unknown()),
  }),
  /** The page has lost the focus: nothing of its own stays pressed. */
  z.strictObject({ t: z.literal("release") }),
  z.strictObject({
    t: z.literal("answer"),
    id: Id,
    answer: z.enum(["once", "session", "refuse"]),
    reason: Reason,
  }),
  z.strictObject({ t: z.literal("decline"), id: Id, reason: Reason }),
  z.strictObject({ t: z.literal("pictures"), id: z.int().min(1) }),
]);

export type IncomingMessage = z.output<typeof Incoming>;
export type InputMessage = Extract<IncomingMessage, { t: "input" }>;

export type OutgoingMessage =
  | {
    readonly t: "hello";
    /** Who this page is, as `state.by` names it. */
    readonly you: { readonly id: string; readonly name: string };
    /** What it may do; `null` for everything. */
    readonly scopes: readonly string[] | null;
    /** Whether it may only look at the picture. */
    readonly watch_only: boolean;
    readonly computer: string | null;
  }
  | ({ readonly t: "state" } & ControlState)
  /** What waits for a person's word. */
  | { readonly t: "approvals"; readonly pending: readonly PendingApproval[] }
  | { readonly t: "activity"; readonly entries: readonly ActivityEntry[] }
  /** Before and after an operation, as far as they are kept: JPEG files in base64. */
  | {
    readonly t: "pictures";
    readonly id: number;
    readonly before: string | null;
    readonly after: string | null;
    /** Of the display, whose pixels the fields count. */
    readonly size: Size | null;
  }
  /** What the live picture says besides pixels. */
  | ({ readonly t: "live" } & LiveNote)
  | { readonly t: "error"; readonly to: string; readonly code: string; readonly detail: string };

/** `undefined` for what no page of ours sends. */
export function readMessage(data: string | Uint8Array): IncomingMessage | undefined {
  return typeof data === "string" ? Incoming.safeParse(tryParseJson(data)).data : undefined;
}
