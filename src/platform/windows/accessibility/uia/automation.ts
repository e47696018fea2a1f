/** UI Automation's objects: finding elements, with all that is asked of them in one go. */

import {
  type Argument,
  type ArgumentType,
  callMethod,
  CLSCTX_INPROC_SERVER,
  CLSID_CUIAutomation8,
  type ComPointer,
  guidBytes,
  IID_IUIAutomation2,
  IUIAutomation,
  IUIAutomation2,
  IUIAutomationCacheRequest,
  IUIAutomationElement,
  IUIAutomationElementArray,
  IUIAutomationTreeWalker,
  type Ole32,
  type Oleaut32,
  PROPERTIES,
  release,
  S_OK,
  SAFEARRAY,
  TreeScope,
  VARIANT,
  VT,
} from "../../../../../ffi/windows/com.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Point } from "../../../types/mod.ts";
import type { Handle } from "../../windows/native_windows.ts";

export type Property = keyof typeof PROPERTIES;

/** @throws ServiceError `unsupported`: wine has none */
export function openAutomation(
  ole32: Pick<Ole32, "CoCreateInstance">,
  oleaut32: Oleaut32,
): Automation {
  const out = new BigUint64Array(1);
  const code = ole32.CoCreateInstance(
    guidBytes(CLSID_CUIAutomation8),
    null,
    CLSCTX_INPROC_SERVER,
    guidBytes(IID_IUIAutomation2),
    out,
  );
  if (code === S_OK) return new Automation(out[0]!, oleaut32);
  const reason = `This Windows does not offer UI Automation: ${new ComFailure(code).message}`;
  throw new ServiceError("unsupported", reason);
}

/** Every object that it gives belongs to the caller, who releases it. */
export class Automation {
  /** Asks for an element alone. */
  readonly #one: ComPointer;
  /** Asks for an element and everything below it. */
  readonly #all: ComPointer;
  readonly #controls: ComPointer;
  readonly #walker: ComPointer;

  constructor(private readonly object: ComPointer, readonly oleaut32: Oleaut32) {
    this.#one = this.#createRequest(TreeScope.Element);
    this.#all = this.#createRequest(TreeScope.Subtree);
    this.#controls = callForObject(object, IUIAutomation.get_ControlViewCondition);
    this.#walker = callForObject(object, IUIAutomation.get_RawViewWalker);
  }

  /** How long a program may take for one answer from now on. */
  limit(ms: number): void {
    const { put_ConnectionTimeout, put_TransactionTimeout } = IUIAutomation2;
    for (const slot of [put_ConnectionTimeout, put_TransactionTimeout]) {
      callMethod(this.object, slot, ["u32"], Math.max(1, Math.ceil(ms)));
    }
  }

  /**
   * The element of a window, on request with all that is in it.
   * @throws ComFailure
   */
  fromWindow(window: Handle, what: "one" | "all"): ComPointer {
    const slot = IUIAutomation.ElementFromHandleBuildCache;
    const request = what === "one" ? this.#one : this.#all;
    return callForObject(this.object, slot, ["usize", "usize"], window, request);
  }

  /** @throws ComFailure */
  fromPoint({ x, y }: Point): ComPointer {
    const point = new BigUint64Array(new Int32Array([x, y]).buffer)[0]!;
    const slot = IUIAutomation.ElementFromPointBuildCache;
    return callForObject(this.object, slot, ["u64", "usize"], point, this.#one);
  }

  /** @throws ComFailure */
  updated(element: ComPointer, what: "one" | "all"): ComPointer {
    const request = what === "one" ? this.#one : this.#all;
    return callForObject(element, IUIAutomationElement.BuildUpdatedCache, ["usize"], request);
  }

  /** @throws ComFailure */
  parent(element: ComPointer): ComPointer {
    const slot = IUIAutomationTreeWalker.GetParentElementBuildCache;
    return callForObject(this.#walker, slot, ["usize", "usize"], element, this.#one);
  }

  cachedChildren(element: ComPointer): ComPointer[] {
    return this.#takeArray(callForObject(element, IUIAutomationElement.GetCachedChildren));
  }

  /**
   * Asks for the children now.
   * @throws ComFailure
   */
  children(element: ComPointer): ComPointer[] {
    const slot = IUIAutomationElement.FindAllBuildCache;
    const given = [TreeScope.Children, this.#controls, this.#one] as const;
    return this.#takeArray(callForObject(element, slot, ["i32", "usize", "usize"], ...given));
  }

  property(element: ComPointer, property: Property): ComValue {
    const value = new Uint8Array(VARIANT.size);
    const slot = IUIAutomationElement.GetCachedPropertyValue;
    const code = callMethod(element, slot, ["i32", "buffer"], PROPERTIES[property], value);
    return code === S_OK ? takeValue(this.oleaut32, value) : undefined;
  }

  #createRequest(scope: number): ComPointer {
    const request = callForObject(this.object, IUIAutomation.CreateCacheRequest);
    const { AddProperty, put_TreeScope } = IUIAutomationCacheRequest;
    check(callMethod(request, put_TreeScope, ["i32"], scope));
    // a property that this Windows does not have is left out
    for (const id of Object.values(PROPERTIES)) callMethod(request, AddProperty, ["i32"], id);
    return request;
  }

  #takeArray(array: ComPointer): ComPointer[] {
    if (array === 0n) return [];
    const elements: ComPointer[] = [];
    try {
      const length = new Uint8Array(4);
      check(callMethod(array, IUIAutomationElementArray.get_Length, ["buffer"], length));
      const count = new DataView(length.buffer).getInt32(0, true);
      const slot = IUIAutomationElementArray.GetElement;
      for (let i = 0; i < count; i++) elements.push(callForObject(array, slot, ["i32"], i));
      return elements;
    } catch (error) {
      elements.forEach(release);
      throw error;
    } finally {
      release(array);
    }
  }
}

// Calls of methods that give an object, or nothing.

export class ComFailure extends Error {
  override readonly name = "ComFailure";

  /** @param code the HRESULT */
  constructor(readonly code: number) {
    super(`Windows answers 0x${(code >>> 0).toString(16)}`);
  }
}

/**
 * Calls a method whose last parameter is where it puts an object; 0 where it gives none.
 * @throws ComFailure
 */
function callForObject(
  object: ComPointer,
  slot: number,
  types: readonly ArgumentType[] = [],
  ...args: readonly Argument[]
): ComPointer {
  const out = new BigUint64Array(1);
  check(callMethod(object, slot, [...types, "buffer"], ...args, out));
  return out[0]!;
}

/** @throws ComFailure */
function check(code: number): void {
  if (code !== S_OK) throw new ComFailure(code);
}

// Reads what objects of COM give: texts, and values of any kind.

/** The number of bytes of a BSTR stands before it. */
const LENGTH_BYTES = 4n;

export type ComValue = string | number | boolean | readonly number[] | undefined;

/** The value of a VARIANT, which is cleared; `undefined` for kinds that are not used here. */
function takeValue(
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
