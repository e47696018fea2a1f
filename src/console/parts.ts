/** What the console is joined to: who controls the computer, and its live picture. */

import type { PendingApproval } from "../features/control/approvals.ts";
import { Control } from "../features/control/control.ts";
import { LiveDisplays, type LiveMessage } from "../features/live/live_displays.ts";
import type { Session } from "../features/session.ts";

/** Who controls the computer, as all pages are told. */
export type ControlState = Control["state"];

export interface ConsoleParts {
  readonly control: Control;
  readonly live: LiveDisplays;
}

export function joinParts(session: Session): ConsoleParts {
  return { control: session.use(Control), live: session.use(LiveDisplays) };
}

/** What the live picture says besides pixels. */
export type LiveNote = Exclude<LiveMessage, ArrayBuffer>;

export type { LiveMessage, PendingApproval };
