/** Asks controls to do something, by the messages that mouse and keyboard make of input. */

import { wideText } from "../../../../../ffi/memory.ts";
import {
  BM_CLICK,
  CB,
  CBN_SELCHANGE,
  EM_REPLACESEL,
  EM_SETSEL,
  LB,
  LBN_SELCHANGE,
  LBS_EXTENDEDSEL,
  LBS_MULTIPLESEL,
  WM,
} from "../../../../../ffi/windows/user32_controls.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Element, ElementAction } from "../../../types/mod.ts";
import type { Handle } from "../../windows/native_windows.ts";
import { isEdit } from "./classes.ts";
import type { ControlId } from "./control_id.ts";
import type { NativeControls } from "./native_controls.ts";

/** A program that has opened a dialog answers when that is closed. */
const ACTION_MS = 1_000;
const LAST = -1;

type Action<Kind extends ElementAction["kind"]> = Extract<ElementAction, { kind: Kind }>;

/**
 * Resolves as the port says.
 * @throws ServiceError `unsupported`
 */
export function performOnControl(
  controls: NativeControls,
  { control, item }: ControlId,
  { abilities }: Pick<Element, "abilities">,
  action: ElementAction,
): boolean | undefined {
  if (!abilities.has(action.kind)) throw notTaken(action.kind);
  switch (action.kind) {
    case "click":
      return answered(controls.send(control, BM_CLICK, 0, 0n, ACTION_MS));
    case "focus":
      return focus(controls, control);
    case "set value":
      return isEdit(controls.className(control))
        ? replaceText(controls, control, action.value)
        : chooseText(controls, control, action.value);
    case "select":
      return select(controls, control, item!, action);
    case "scroll to":
      return answered(controls.send(control, LB.SETTOPINDEX, item!));
    case "expand":
      return answered(controls.send(control, CB.SHOWDROPDOWN, action.expanded ? 1 : 0));
  }
}

/** As typing does, so that the program knows of the change, and can take it back. */
function replaceText(controls: NativeControls, control: Handle, value: string) {
  const text = wideText(value.replace(/\r\n|\r|\n/g, "\r\n"));
  if (controls.send(control, EM_SETSEL, 0, LAST) === undefined) return undefined;
  return answered(controls.send(control, EM_REPLACESEL, 1, text, ACTION_MS));
}

/** An entry of a list that drops down. */
function chooseText(controls: NativeControls, control: Handle, value: string) {
  const index = controls.send(control, CB.FINDSTRINGEXACT, LAST, wideText(value));
  if (index === undefined) return undefined;
  if (index < 0n) return answered(controls.send(control, WM.SETTEXT, 0, wideText(value)));
  controls.send(control, CB.SETCURSEL, index);
  return notify(controls, control, CBN_SELCHANGE);
}

function select(
  controls: NativeControls,
  control: Handle,
  item: number,
  { selected }: Action<"select">,
) {
  const takesSeveral = (controls.style(control) & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) !== 0;
  const done = takesSeveral
    ? controls.send(control, LB.SETSEL, selected ? 1 : 0, item)
    : controls.send(control, LB.SETCURSEL, selected ? item : LAST);
  return done === undefined ? undefined : notify(controls, control, LBN_SELCHANGE);
}

/** Tells the parent, which a change by a message does not. */
function notify(controls: NativeControls, control: Handle, code: number) {
  const id = controls.user32.GetDlgCtrlID(control) & 0xffff;
  const parent = controls.parent(control);
  return answered(controls.send(parent, WM.COMMAND, code << 16 | id, control, ACTION_MS));
}

/** Windows lets a thread set the focus of another one while their input is joined. */
function focus(controls: NativeControls, control: Handle): boolean | undefined {
  const { user32 } = controls;
  const thread = controls.owner(control)?.thread ?? 0;
  const own = user32.GetCurrentThreadId();
  if (!controls.answers(control)) return undefined; // it would hold up this thread, too
  user32.SetForegroundWindow(controls.root(control));
  if (user32.AttachThreadInput(own, thread, 1) === 0) return false;
  try {
    user32.SetFocus(control);
    return controls.hasFocus(control);
  } finally {
    user32.AttachThreadInput(own, thread, 0);
  }
}

function answered(result: bigint | undefined): true | undefined {
  return result === undefined ? undefined : true;
}

function notTaken(what: ElementAction["kind"]): ServiceError {
  return new ServiceError("unsupported", `The element does not take "${what}"`);
}
