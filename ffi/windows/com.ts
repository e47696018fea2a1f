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
  vt: 0, // VARTYPE: a WORD
  value: 8, // The union of all values.
  size: 24,
} as const;

/** Byte offsets of SAFEARRAY with one dimension, on a 64-bit system. */
export const SAFEARRAY = {
  pvData: 16, // PVOID
  cElements: 24, // ULONG rgsabound[0].cElements
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

// UI Automation (uiautomationclient.h): classes, interfaces, and the places in their tables.

/** From Windows 8 on. */
export const CLSID_CUIAutomation8 = "e22ad333-b25f-460c-83d0-0581107395c9";
export const IID_IUIAutomation2 = "34723aff-0c9d-49d0-9896-7ab52df8cd8a";

/** Places in the tables of the interfaces; those before 3 are of IUnknown. */
export const IUIAutomation = {
  ElementFromHandleBuildCache: 10,
  ElementFromPointBuildCache: 11,
  get_RawViewWalker: 16,
  get_ControlViewCondition: 18,
  CreateCacheRequest: 20,
} as const;
export const IUIAutomation2 = { put_ConnectionTimeout: 61, put_TransactionTimeout: 63 } as const;
export const IUIAutomationElement = {
  SetFocus: 3,
  FindAllBuildCache: 8,
  BuildUpdatedCache: 9,
  GetCachedPropertyValue: 12,
  GetCurrentPatternAs: 14,
  GetCachedChildren: 19,
} as const;
export const IUIAutomationElementArray = { get_Length: 3, GetElement: 4 } as const;
export const IUIAutomationCacheRequest = { AddProperty: 3, put_TreeScope: 7 } as const;
export const IUIAutomationTreeWalker = { GetParentElementBuildCache: 9 } as const;

export const TreeScope = { Element: 1, Children: 2, Subtree: 7 } as const;

/** The patterns that are used: number, interface, and the places of the methods. */
export const PATTERNS = {
  Invoke: { id: 10_000, iid: "fb377fbe-8ea6-46d5-9c73-6499642d3059", Invoke: 3 },
  Value: { id: 10_002, iid: "a94cd8b1-0844-4cd6-9d2d-640537ab39e9", SetValue: 3 },
  RangeValue: { id: 10_003, iid: "59213f4f-7346-49e5-b120-80555987a148", SetValue: 3 },
  ExpandCollapse: {
    id: 10_005,
    iid: "619be086-1f4e-4ee4-bafa-210128738730",
    Expand: 3,
    Collapse: 4,
  },
  SelectionItem: {
    id: 10_010,
    iid: "a8efa66a-0fda-421a-9194-38021f3578ea",
    Select: 3,
    RemoveFromSelection: 5,
  },
  Toggle: { id: 10_015, iid: "94cf8058-9b8d-4ab9-8bfd-4cd0a33c8c70", Toggle: 3 },
  ScrollItem: { id: 10_017, iid: "b488300f-d015-4f19-9c29-bb595e3645ef", ScrollIntoView: 3 },
  LegacyIAccessible: {
    id: 10_018,
    iid: "828055ad-355b-4435-86d5-3b51c14a9b1b",
    DoDefaultAction: 4,
  },
} as const;

/** The properties that are read. */
export const PROPERTIES = {
  RuntimeId: 30_000,
  BoundingRectangle: 30_001,
  ProcessId: 30_002,
  ControlType: 30_003,
  Name: 30_005,
  HasKeyboardFocus: 30_008,
  IsKeyboardFocusable: 30_009,
  IsEnabled: 30_010,
  HelpText: 30_013,
  IsPassword: 30_019,
  NativeWindowHandle: 30_020,
  IsOffscreen: 30_022,
  IsRequiredForForm: 30_025,
  IsExpandCollapsePatternAvailable: 30_028,
  IsInvokePatternAvailable: 30_031,
  IsRangeValuePatternAvailable: 30_033,
  IsScrollItemPatternAvailable: 30_035,
  IsSelectionItemPatternAvailable: 30_036,
  IsTogglePatternAvailable: 30_041,
  IsValuePatternAvailable: 30_043,
  ValueValue: 30_045,
  ValueIsReadOnly: 30_046,
  RangeValueValue: 30_047,
  RangeValueIsReadOnly: 30_048,
  ExpandCollapseState: 30_070,
  WindowIsModal: 30_077,
  SelectionItemIsSelected: 30_079,
  ToggleState: 30_086,
  LegacyDefaultAction: 30_100,
  AriaRole: 30_101,
} as const;

export const ExpandCollapseState = { Collapsed: 0, Expanded: 1, PartiallyExpanded: 2 } as const;
export const ToggleState = { Off: 0, On: 1, Indeterminate: 2 } as const;

/** HRESULTs, as signed numbers. */
export const UIA_E_ELEMENTNOTAVAILABLE = 0x8004_0201 | 0;
export const UIA_E_TIMEOUT = 0x8013_1505 | 0;
