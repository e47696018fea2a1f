/** ole32.dll and oleaut32.dll: objects of COM, and the values that they give (combaseapi.h, oaidl.h). */

/** An interface of an object: its address. */
export type ComPointer = bigint;

export const S_OK = 0;
export const COINIT_MULTITHREADED = 0;
export const CLSCTX_INPROC_SERVER = 1;

/** Places in the table of every interface (IUnknown). */
const IUnknown = { Release: 2 } as const;

/** Kinds of values, VARENUM. */
export const VT = { I4: 3, R8: 5, BSTR: 8, BOOL: 11, ARRAY: 0x2000 } as const;

/** Byte offsets of VARIANT on a 64-bit system. */
export const VARIANT = {
  /** VARTYPE: a WORD */
  vt: 0,
  /** The union of all values. */
  value: 8,
  size: 24,
} as const;

/** Byte offsets of SAFEARRAY with one dimension, on a 64-bit system. */
export const SAFEARRAY = {
  /** PVOID */
  pvData: 16,
  /** ULONG rgsabound[0].cElements */
  cElements: 24,
} as const;

const OLE32 = {
  // HRESULT CoInitializeEx(LPVOID pvReserved, DWORD dwCoInit)
  CoInitializeEx: { parameters: ["pointer", "u32"], result: "i32" },
  // HRESULT CoCreateInstance(REFCLSID rclsid, LPUNKNOWN pUnkOuter, DWORD dwClsContext, REFIID riid,
  //   LPVOID *ppv)
  CoCreateInstance: { parameters: ["buffer", "pointer", "u32", "buffer", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const OLEAUT32 = {
  // BSTR SysAllocStringLen(const OLECHAR *strIn, UINT ui)
  SysAllocStringLen: { parameters: ["buffer", "u32"], result: "usize" },
  // void SysFreeString(BSTR bstrString)
  SysFreeString: { parameters: ["usize"], result: "void" },
  // HRESULT VariantClear(VARIANTARG *pvarg)
  VariantClear: { parameters: ["buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type Ole32 = Deno.DynamicLibrary<typeof OLE32>["symbols"];
export type Oleaut32 = Deno.DynamicLibrary<typeof OLEAUT32>["symbols"];

/** @throws an error on systems other than Windows. */
export function openOle32(): Ole32 {
  return Deno.dlopen("ole32.dll", OLE32).symbols;
}

/** @throws an error on systems other than Windows. */
export function openOleaut32(): Oleaut32 {
  return Deno.dlopen("oleaut32.dll", OLEAUT32).symbols;
}

/** A GUID in memory: its first three parts are numbers, the others bytes. */
export function guidBytes(guid: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(guid.replaceAll("-", "").match(/../g)!, (hex) => parseInt(hex, 16));
  for (const [from, to] of [[0, 4], [4, 6], [6, 8]] as const) bytes.subarray(from, to).reverse();
  return bytes;
}

export type ArgumentType = "i32" | "u32" | "u64" | "f64" | "usize" | "buffer";
export type Argument = number | bigint | Uint8Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

/** Address of a method and types of its parameters -> the function. */
const methods = new Map<string, (...args: readonly (Argument | bigint)[]) => number>();

/**
 * Calls the method at a place of the object's table; returns the HRESULT.
 * @param types of the parameters after the object itself
 */
export function callMethod(
  object: ComPointer,
  slot: number,
  types: readonly ArgumentType[] = [],
  ...args: readonly Argument[]
): number {
  const table = readAddress(object);
  const address = readAddress(table + BigInt(slot * 8));
  const key = `${address} ${types.join()}`;
  let method = methods.get(key);
  if (method === undefined) {
    const call = new Deno.UnsafeFnPointer(Deno.UnsafePointer.create(address)!, {
      parameters: ["usize", ...types],
      result: "i32",
    }) as unknown as { call: (...args: unknown[]) => number };
    method = (...all) => call.call(...all);
    methods.set(key, method);
  }
  return method(object, ...args);
}

function readAddress(at: bigint): bigint {
  return new Deno.UnsafePointerView(Deno.UnsafePointer.create(at)!).getBigUint64(0);
}

/** Gives up one reference to an object. */
export function release(object: ComPointer): void {
  if (object !== 0n) callMethod(object, IUnknown.Release);
}
