/** Reads what objects of COM give: texts, and values of any kind. */

import { type Oleaut32, SAFEARRAY, VARIANT, VT } from "../../../../ffi/windows/com.ts";

/** The number of bytes of a BSTR stands before it. */
const LENGTH_BYTES = 4n;

export type ComValue = string | number | boolean | readonly number[] | undefined;

/** The value of a VARIANT, which is cleared; `undefined` for kinds that are not used here. */
export function takeValue(
  oleaut32: Pick<Oleaut32, "VariantClear">,
  variant: Uint8Array<ArrayBuffer>,
): ComValue {
  try {
    return readValue(variant);
  } finally {
    oleaut32.VariantClear(variant);
  }
}

function readValue(variant: Uint8Array<ArrayBuffer>): ComValue {
  const view = new DataView(variant.buffer, variant.byteOffset, variant.byteLength);
  const at = VARIANT.value;
  const kind = view.getUint16(VARIANT.vt, true);
  if (kind === VT.I4) return view.getInt32(at, true);
  if (kind === VT.R8) return view.getFloat64(at, true);
  if (kind === VT.BOOL) return view.getInt16(at, true) !== 0;
  const address = view.getBigUint64(at, true);
  if (address === 0n) return undefined;
  if (kind === VT.BSTR) return readText(address);
  if (kind === (VT.ARRAY | VT.I4)) return readArray(address, 4);
  if (kind === (VT.ARRAY | VT.R8)) return readArray(address, 8);
  return undefined;
}

function readText(text: bigint): string {
  const bytes = copy(text, copy(text - LENGTH_BYTES, 4).getUint32(0, true));
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes);
}

/** @param size 4 for whole numbers, 8 for others */
function readArray(array: bigint, size: 4 | 8): number[] {
  const head = copy(array, SAFEARRAY.cElements + 4);
  const count = head.getUint32(SAFEARRAY.cElements, true);
  const data = copy(head.getBigUint64(SAFEARRAY.pvData, true), count * size);
  return Array.from(
    { length: count },
    (_, i) => size === 4 ? data.getInt32(i * 4, true) : data.getFloat64(i * 8, true),
  );
}

function copy(address: bigint, size: number): DataView<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  if (size > 0) {
    new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!).copyInto(bytes);
  }
  return new DataView(bytes.buffer);
}
