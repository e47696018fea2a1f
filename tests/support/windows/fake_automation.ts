/** UI Automation on a tree of made-up elements, behind the tables of its real interfaces. */

import { PATTERNS, PROPERTIES, UIA_E_ELEMENTNOTAVAILABLE } from "../../../ffi/windows/com.ts";
import {
  Automation,
  type Property,
} from "../../../src/platform/windows/accessibility/uia/automation.ts";
import { E_FAIL, FakeCom, put, writable } from "./fake_com.ts";

/** VARENUM */
const [VT_I4, VT_R8, VT_BSTR, VT_BOOL, VT_ARRAY] = [3, 5, 8, 11, 0x2000];

export interface FakeNode {
  /** The last number of its runtime id. */
  readonly key: number;
  readonly properties: Partial<Record<Property, string | number | boolean | readonly number[]>>;
  children?: FakeNode[];
  /** Patterns that it has, which note what they are asked; the HRESULT of each call. */
  readonly patterns?: Partial<Record<keyof typeof PATTERNS, number>>;
  gone?: boolean;
  /** Whether its list of children breaks off before the last one. */
  breaksOff?: boolean;
}

export interface FakeAutomation extends Disposable {
  readonly automation: Automation;
  /** What elements were asked to do: `1 Value.SetValue é漢`. */
  readonly asked: string[];
  /** Every time limit that was set. */
  readonly limits: number[];
  /** Requests that have asked for whole trees. */
  subtrees: number;
  readonly com: FakeCom;
  /** References to objects that were given and not released. */
  readonly held: number;
}

export interface FakeDesktop {
  /** Number of a window -> its element. */
  readonly windows: ReadonlyMap<bigint, FakeNode>;
  /** The element at any point. */
  readonly atPoint?: FakeNode;
  /** Whether asking for everything at once fails. */
  readonly refusesSubtrees?: boolean;
}

export function fakeAutomation(desktop: FakeDesktop): FakeAutomation {
  const com = new FakeCom();
  let given = 0;
  const fake = {
    asked: [] as string[],
    limits: [] as number[],
    subtrees: 0,
    com,
    get held() {
      return given - com.released;
    },
  };
  const parents = new Map<FakeNode, FakeNode>();
  const addresses = new Map<FakeNode, bigint>();
  const nodes = new Map<bigint, FakeNode>();
  const scopes = new Map<bigint, number>();

  const array = ({ children: elements = [], breaksOff }: FakeNode) => {
    given++;
    return com.object("IUIAutomationElementArray", {
      get_Length: {
        types: ["usize"],
        call: (out: bigint) => writable(out, 4).setInt32(0, elements.length, true),
      },
      GetElement: {
        types: ["i32", "usize"],
        call: (index: number, out: bigint) => {
          if (breaksOff && index === elements.length - 1) return E_FAIL;
          put(out, element(elements[index]!));
        },
      },
    });
  };

  const give = (node: FakeNode, request: bigint, out: bigint) => {
    if (node.gone) return UIA_E_ELEMENTNOTAVAILABLE;
    if (scopes.get(request) === 7) {
      if (desktop.refusesSubtrees) return E_FAIL;
      fake.subtrees++;
    }
    put(out, element(node));
  };

  const pattern = (node: FakeNode, name: keyof typeof PATTERNS) => {
    given++;
    const code = node.patterns![name]!;
    const note = (what: string) => {
      fake.asked.push(`${node.key} ${name}.${what}`);
      return code;
    };
    if (name === "Value") {
      const setValue = (text: bigint) => note(`SetValue ${readText(text)}`);
      return com.object("Value", { SetValue: { types: ["usize"], call: setValue } });
    }
    if (name === "RangeValue") {
      const setValue = (value: number) => note(`SetValue ${value}`);
      return com.object("RangeValue", { SetValue: { types: ["f64"], call: setValue } });
    }
    if (name === "SelectionItem") {
      const methods = ["Select", "RemoveFromSelection"]
        .map((method) => [method, { call: () => note(method) }]);
      return com.object("SelectionItem", Object.fromEntries(methods));
    }
    if (name === "Toggle") return com.object("Toggle", { Toggle: { call: () => note("Toggle") } });
    return com.object("Invoke", { Invoke: { call: () => note("Invoke") } });
  };

  const element = (node: FakeNode): bigint => {
    given++;
    const known = addresses.get(node);
    if (known !== undefined) return known;
    for (const child of node.children ?? []) parents.set(child, node);
    const address = com.object("IUIAutomationElement", {
      SetFocus: { call: () => void fake.asked.push(`${node.key} SetFocus`) },
      BuildUpdatedCache: {
        types: ["usize", "usize"],
        call: (request: bigint, out: bigint) => give(node, request, out),
      },
      GetCachedPropertyValue: {
        types: ["i32", "usize"],
        call: (id: number, out: bigint) => fill(com, writable(out, 24), node, id),
      },
      GetCachedChildren: {
        types: ["usize"],
        call: (out: bigint) => put(out, node.children ? array(node) : 0n),
      },
      FindAllBuildCache: {
        types: ["i32", "usize", "usize", "usize"],
        call: (_scope: number, _condition: bigint, _request: bigint, out: bigint) =>
          put(out, array(node)),
      },
      GetCurrentPatternAs: {
        types: ["i32", "usize", "usize"],
        call: (id: number, _iid: bigint, out: bigint) => {
          const names = Object.keys(node.patterns ?? {}) as (keyof typeof PATTERNS)[];
          const name = names.find((one) => PATTERNS[one].id === id);
          put(out, name === undefined ? 0n : pattern(node, name));
          return node.gone ? UIA_E_ELEMENTNOTAVAILABLE : 0;
        },
      },
    });
    addresses.set(node, address);
    nodes.set(address, node);
    return address;
  };

  const request = () => {
    const address: bigint = com.object("IUIAutomationCacheRequest", {
      AddProperty: { types: ["i32"], call: () => 0 },
      put_TreeScope: { types: ["i32"], call: (scope: number) => void scopes.set(address, scope) },
    });
    return address;
  };
  const walker = com.object("IUIAutomationTreeWalker", {
    GetParentElementBuildCache: {
      types: ["usize", "usize", "usize"],
      call: (child: bigint, _request: bigint, out: bigint) => {
        const parent = parents.get(nodes.get(child)!);
        put(out, parent === undefined ? 0n : element(parent));
      },
    },
  });
  const limit = { types: ["u32"], call: (ms: number) => void fake.limits.push(ms) } as const;
  const object = com.object("IUIAutomation2", {
    ElementFromHandleBuildCache: {
      types: ["usize", "usize", "usize"],
      call: (window: bigint, how: bigint, out: bigint) => {
        const node = desktop.windows.get(BigInt(window));
        return node === undefined ? E_FAIL : give(node, how, out);
      },
    },
    ElementFromPointBuildCache: {
      types: ["u64", "usize", "usize"],
      call: (_point: bigint, how: bigint, out: bigint) => {
        return desktop.atPoint === undefined ? E_FAIL : give(desktop.atPoint, how, out);
      },
    },
    get_RawViewWalker: { types: ["usize"], call: (out: bigint) => put(out, walker) },
    get_ControlViewCondition: { types: ["usize"], call: (out: bigint) => put(out, 1n) },
    CreateCacheRequest: { types: ["usize"], call: (out: bigint) => put(out, request()) },
    put_ConnectionTimeout: limit,
    put_TransactionTimeout: limit,
  });
  const oleaut32 = {
    SysAllocStringLen: (text: unknown, length: number) => {
      const units = new DataView((text as Uint8Array).buffer);
      const codes = Array.from({ length }, (_, i) => units.getUint16(i * 2, true));
      return com.text(String.fromCharCode(...codes));
    },
    SysFreeString: () => {},
    VariantClear: () => 0,
  };
  const automation = new Automation(object, oleaut32);
  return Object.assign(fake, { automation, [Symbol.dispose]: () => com[Symbol.dispose]() });
}

function fill(com: FakeCom, variant: DataView, node: FakeNode, id: number): void {
  const [name] = Object.entries(PROPERTIES).find(([, one]) => one === id)!;
  const value = name === "RuntimeId" ? [42, node.key] : node.properties[name as Property];
  const set = (kind: number, write: () => void) => {
    variant.setUint16(0, kind, true);
    write();
  };
  if (typeof value === "boolean") set(VT_BOOL!, () => variant.setInt16(8, value ? -1 : 0, true));
  if (typeof value === "string") {
    set(VT_BSTR!, () => variant.setBigUint64(8, com.text(value), true));
  }
  if (typeof value === "object") {
    const kind = name === "RuntimeId" ? VT_I4 : VT_R8;
    const array = com.array(kind as 3 | 5, value);
    set(VT_ARRAY! | kind!, () => variant.setBigUint64(8, array, true));
  }
  if (typeof value !== "number") return;
  if (name === "RangeValueValue") set(VT_R8!, () => variant.setFloat64(8, value, true));
  else set(VT_I4!, () => variant.setInt32(8, value, true));
}

function readText(text: bigint): string {
  const length = writable(text - 4n, 4).getUint32(0, true);
  const units = writable(text, length);
  return String.fromCharCode(
    ...Array.from({ length: length / 2 }, (_, i) => units.getUint16(i * 2, true)),
  );
}
