/** Objects of COM in the memory of this process, with the tables of the real interfaces, on any system. */

/** The methods of the interfaces in their order: uiautomationclient.h, as Windows and wine have it. */
export const ORDER = {
  IUIAutomation2:
    "QueryInterface AddRef Release CompareElements CompareRuntimeIds GetRootElement " +
    "ElementFromHandle ElementFromPoint GetFocusedElement GetRootElementBuildCache " +
    "ElementFromHandleBuildCache ElementFromPointBuildCache GetFocusedElementBuildCache " +
    "CreateTreeWalker get_ControlViewWalker get_ContentViewWalker get_RawViewWalker " +
    "get_RawViewCondition get_ControlViewCondition get_ContentViewCondition " +
    "CreateCacheRequest CreateTrueCondition CreateFalseCondition CreatePropertyCondition " +
    "CreatePropertyConditionEx CreateAndCondition CreateAndConditionFromArray " +
    "CreateAndConditionFromNativeArray CreateOrCondition CreateOrConditionFromArray " +
    "CreateOrConditionFromNativeArray CreateNotCondition AddAutomationEventHandler " +
    "RemoveAutomationEventHandler AddPropertyChangedEventHandlerNativeArray " +
    "AddPropertyChangedEventHandler RemovePropertyChangedEventHandler " +
    "AddStructureChangedEventHandler RemoveStructureChangedEventHandler " +
    "AddFocusChangedEventHandler RemoveFocusChangedEventHandler RemoveAllEventHandlers " +
    "IntNativeArrayToSafeArray IntSafeArrayToNativeArray RectToVariant VariantToRect " +
    "SafeArrayToRectNativeArray CreateProxyFactoryEntry get_ProxyFactoryMapping " +
    "GetPropertyProgrammaticName GetPatternProgrammaticName " +
    "PollForPotentialSupportedPatterns PollForPotentialSupportedProperties CheckNotSupported " +
    "get_ReservedNotSupportedValue get_ReservedMixedAttributeValue ElementFromIAccessible " +
    "ElementFromIAccessibleBuildCache get_AutoSetFocus put_AutoSetFocus " +
    "get_ConnectionTimeout put_ConnectionTimeout get_TransactionTimeout " +
    "put_TransactionTimeout",
  IUIAutomationElement: "QueryInterface AddRef Release SetFocus GetRuntimeId FindFirst FindAll " +
    "FindFirstBuildCache FindAllBuildCache BuildUpdatedCache GetCurrentPropertyValue " +
    "GetCurrentPropertyValueEx GetCachedPropertyValue GetCachedPropertyValueEx " +
    "GetCurrentPatternAs GetCachedPatternAs GetCurrentPattern GetCachedPattern " +
    "GetCachedParent GetCachedChildren",
  IUIAutomationCacheRequest:
    "QueryInterface AddRef Release AddProperty AddPattern Clone get_TreeScope put_TreeScope",
  IUIAutomationElementArray: "QueryInterface AddRef Release get_Length GetElement",
  IUIAutomationTreeWalker:
    "QueryInterface AddRef Release GetParentElement GetFirstChildElement GetLastChildElement " +
    "GetNextSiblingElement GetPreviousSiblingElement NormalizeElement " +
    "GetParentElementBuildCache",
  Invoke: "QueryInterface AddRef Release Invoke",
  Value: "QueryInterface AddRef Release SetValue",
  RangeValue: "QueryInterface AddRef Release SetValue",
  Toggle: "QueryInterface AddRef Release Toggle",
  SelectionItem: "QueryInterface AddRef Release Select AddToSelection RemoveFromSelection",
} as const satisfies Record<string, string>;

export const E_NOTIMPL = 0x8000_4001 | 0;
export const E_FAIL = 0x8000_4005 | 0;

/** A method: the types of its parameters after the object, and what it does; it returns an HRESULT. */
export interface FakeMethod {
  readonly types?: readonly ("i32" | "u32" | "u64" | "f64" | "usize")[];
  // deno-lint-ignore no-explicit-any -- by the types beside it
  call(...args: any[]): number | void;
}

/** What keeps objects alive while their addresses are in use. */
export class FakeCom implements Disposable {
  readonly #alive: unknown[] = [];
  readonly #callbacks: Deno.UnsafeCallback[] = [];
  /** How many times objects have been released. */
  released = 0;

  /** The address of an object with these methods; the others answer that they are missing. */
  object(order: keyof typeof ORDER, methods: Readonly<Record<string, FakeMethod>>): bigint {
    const names = ORDER[order].split(" ");
    for (const name of Object.keys(methods)) {
      if (!names.includes(name)) throw new Error(`${order} has no ${name}`);
    }
    const release: FakeMethod = { call: () => void this.released++ };
    const missing: FakeMethod = { call: () => E_NOTIMPL };
    const table = BigUint64Array.from(names, (name) => {
      return this.#callback(methods[name] ?? (name === "Release" ? release : missing));
    });
    return this.address(new BigUint64Array([this.address(table)]));
  }

  /** The address of memory. */
  address(memory: BigUint64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>): bigint {
    this.#alive.push(memory);
    return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(memory)));
  }

  /** The address of a BSTR. */
  text(value: string): bigint {
    const bytes = new Uint8Array(4 + (value.length + 1) * 2);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, value.length * 2, true);
    for (let i = 0; i < value.length; i++) view.setUint16(4 + i * 2, value.charCodeAt(i), true);
    return this.address(bytes) + 4n;
  }

  /** The address of a SAFEARRAY with one dimension. */
  array(kind: 3 | 5, values: readonly number[]): bigint {
    const size = kind === 3 ? 4 : 8;
    const data = new Uint8Array(values.length * size + 8);
    const view = new DataView(data.buffer);
    values.forEach((value, i) =>
      kind === 3 ? view.setInt32(i * 4, value, true) : view.setFloat64(i * 8, value, true)
    );
    const head = new Uint8Array(32);
    const fields = new DataView(head.buffer);
    fields.setUint16(0, 1, true);
    fields.setUint32(4, size, true);
    fields.setBigUint64(16, this.address(data), true);
    fields.setUint32(24, values.length, true);
    return this.address(head);
  }

  [Symbol.dispose](): void {
    for (const callback of this.#callbacks) callback.close();
  }

  #callback({ types = [], call }: FakeMethod): bigint {
    const definition = { parameters: ["usize", ...types], result: "i32" } as const;
    const callback = new Deno.UnsafeCallback(
      definition as Deno.UnsafeCallbackDefinition,
      ((_object: bigint, ...args: unknown[]) => call(...args) ?? 0) as never,
    ) as unknown as Deno.UnsafeCallback;
    this.#callbacks.push(callback);
    return BigInt(Deno.UnsafePointer.value(callback.pointer));
  }
}

/** Writes an address where a method was told to put an object. */
export function put(where: bigint, address: bigint): void {
  writable(where, 8).setBigUint64(0, address, true);
}

/** Memory at an address, to be written. */
export function writable(address: bigint, size: number): DataView {
  const pointer = Deno.UnsafePointer.create(address)!;
  return new DataView(Deno.UnsafePointerView.getArrayBuffer(pointer, size));
}
