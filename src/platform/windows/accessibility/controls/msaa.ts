/** What Microsoft Active Accessibility tells of a control: its name, and its role. */

import {
  callMethod,
  type ComPointer,
  guidBytes,
  type Oleacc,
  type Oleaut32,
  release,
  S_OK,
  VARIANT,
  VT,
} from "../../../../../ffi/windows/com.ts";
import {
  IAccessible,
  IID_IAccessible,
  OBJID_CLIENT,
  ROLE_SYSTEM,
} from "../../../../../ffi/windows/oleacc.ts";
import type { Role } from "../../../types/mod.ts";
import type { Handle } from "../../windows/native_windows.ts";
import { takeText } from "../com_values.ts";

export interface MsaaCalls {
  readonly oleacc: Pick<Oleacc, "AccessibleObjectFromWindow">;
  readonly oleaut32: Pick<Oleaut32, "SysFreeString">;
}

export interface MsaaAnswer {
  readonly name?: string;
  /** Absent where it says no more than that it is something. */
  readonly role?: Role;
}

const ROLES: Readonly<Record<number, Role>> = {
  [ROLE_SYSTEM.DOCUMENT]: "document",
  [ROLE_SYSTEM.TABLE]: "table",
  [ROLE_SYSTEM.LINK]: "link",
  [ROLE_SYSTEM.LIST]: "list",
  [ROLE_SYSTEM.OUTLINE]: "tree",
  [ROLE_SYSTEM.GRAPHIC]: "img",
  [ROLE_SYSTEM.STATICTEXT]: "text",
  [ROLE_SYSTEM.TEXT]: "textbox",
  [ROLE_SYSTEM.PUSHBUTTON]: "button",
  [ROLE_SYSTEM.CHECKBUTTON]: "checkbox",
  [ROLE_SYSTEM.RADIOBUTTON]: "radio",
  [ROLE_SYSTEM.COMBOBOX]: "combobox",
  [ROLE_SYSTEM.SLIDER]: "slider",
};

export function askMsaa(calls: MsaaCalls, control: Handle): MsaaAnswer {
  const found = new BigUint64Array(1);
  const iid = guidBytes(IID_IAccessible);
  const { AccessibleObjectFromWindow } = calls.oleacc;
  if (AccessibleObjectFromWindow(control, OBJID_CLIENT, iid, found) !== S_OK) return {};
  const object = found[0]!;
  try {
    const name = readName(calls, object);
    const role = readRole(object);
    return { ...(name && { name }), ...(role && { role }) };
  } finally {
    release(object);
  }
}

function readName({ oleaut32 }: MsaaCalls, object: ComPointer): string | undefined {
  const text = new BigUint64Array(1);
  const types = ["buffer", "buffer"] as const;
  if (callMethod(object, IAccessible.get_accName, types, itself(), text) !== S_OK) return undefined;
  return takeText(oleaut32, text[0]!);
}

function readRole(object: ComPointer): Role | undefined {
  const value = new Uint8Array(VARIANT.size);
  const types = ["buffer", "buffer"] as const;
  if (callMethod(object, IAccessible.get_accRole, types, itself(), value) !== S_OK) {
    return undefined;
  }
  const view = new DataView(value.buffer);
  const isNumber = view.getUint16(VARIANT.vt, true) === VT.I4;
  return isNumber ? ROLES[view.getInt32(VARIANT.value, true)] : undefined;
}

/** CHILDID_SELF. A structure of this size is passed by its address. */
function itself(): Uint8Array<ArrayBuffer> {
  const value = new Uint8Array(VARIANT.size);
  new DataView(value.buffer).setUint16(VARIANT.vt, VT.I4, true);
  return value;
}
