/**
 * Calls of AT-SPI on the accessibility bus.
 * https://gitlab.gnome.org/GNOME/at-spi2-core/-/tree/main/xml
 */

import { Semaphore } from "../../../core/locks.ts";
import { openBus } from "../bus/open_bus.ts";
import { hasCode, ServiceError, throwUnless } from "../../../core/errors.ts";
import {
  type BusCall,
  BusError,
  type BusSignal,
  type CallOptions,
  DAEMON,
  type MessageBus,
  type SignalMatch,
} from "../bus/types.ts";

export const ATSPI = "org.a11y.atspi.";
const PROPERTIES = "org.freedesktop.DBus.Properties";
const REGISTRY = `${ATSPI}Registry`;
/** The object of a program that holds its top elements. */
export const ROOT = "/org/a11y/atspi/accessible/root";
const EVENTS = { bus: REGISTRY, path: "/org/a11y/atspi/registry" };
/** What stands for no object. */
const NULL = "/org/a11y/atspi/null";

/** Where an object is: the name of its program on the bus, and its path there. */
export interface Address {
  readonly bus: string;
  readonly path: string;
}

/** A running program that offers elements. */
export interface Program extends Address {
  /** `undefined` where the bus does not know it. */
  readonly pid: number | undefined;
}

/** `[name, path]` as the bus sends it. */
export type Reference = readonly [bus: string, path: string];

/**
 * A connection to the bus. It ends when the bus itself does not respond any more, which nothing else shows, so
 * that the next one is opened.
 */
export class AtspiClient implements Disposable {
  readonly #pids = new Map<string, Promise<number | undefined>>();
  readonly #calls = new Semaphore({ capacity: CALLS_AT_ONCE });
  #checking: Promise<void> | undefined;
  /** Why the bus was given up. */
  #silence: ServiceError | undefined;

  private constructor(readonly bus: MessageBus, readonly guid: string) {}

  /** @param address such as `unix:path=/run/user/1000/at-spi/bus_0,guid=...` */
  static async open(address: string): Promise<AtspiClient> {
    using opening = new DisposableStack();
    const options = { name: "accessibility bus", maxMessageBytes: MAX_CACHE_BYTES };
    const bus = opening.use(await openBus(address, options));
    const { body } = await bus.call(GET_ID).catch((error) => {
      throw hasCode(error, "timed_out") ? silent(error) : error;
    });
    const client = new AtspiClient(bus, String(body[0]).slice(0, 8));
    // programs of GTK 3 offer their cache only while somebody listens for something
    await client.listen("object:state-changed:defunct");
    opening.move();
    return client;
  }

  /** Makes programs send an event, such as `object:state-changed`, until this connection ends. */
  async listen(event: string): Promise<void> {
    await this.call(EVENTS, "Registry.RegisterEvent", REGISTRY_MS, event, [], "");
  }

  /** Ends {@link listen}. */
  async ignore(event: string): Promise<void> {
    await this.call(EVENTS, "Registry.DeregisterEvent", REGISTRY_MS, event);
  }

  /**
   * @param method such as `Accessible.GetState`
   * @throws BusError, also for an answer that has other types than the method, or is too long
   */
  async call(
    { bus, path }: Address,
    method: Method,
    timeoutMs: number,
    ...body: readonly unknown[]
  ): Promise<readonly unknown[]> {
    const [name, member] = method.split(".") as [string, string];
    const [signature, types] = METHODS[method];
    const call = { destination: bus, path, interface: ATSPI + name, member, signature, body };
    const maxBytes = MAX_BYTES[method] ?? MAX_ANSWER_BYTES;
    return await this.#call(call, { types, maxBytes, timeoutMs });
  }

  /**
   * @param property such as `Accessible.Name`
   * @throws BusError as {@link call}
   */
  async get(
    { bus, path }: Address,
    property: keyof typeof PROPERTY_TYPES,
    timeoutMs: number,
  ): Promise<unknown> {
    const [name, member] = property.split(".") as [string, string];
    const call = { destination: bus, path, interface: PROPERTIES, member: "Get" };
    const asked = { ...call, signature: "ss", body: [ATSPI + name, member] };
    const types = `v:${PROPERTY_TYPES[property]}`;
    return (await this.#call(asked, { types, maxBytes: MAX_ANSWER_BYTES, timeoutMs }))[0];
  }

  /** @param value signature and value, such as `["d", 5]` */
  async set(
    { bus, path }: Address,
    property: string,
    value: readonly [string, unknown],
    timeoutMs: number,
  ): Promise<void> {
    const [name, member] = property.split(".") as [string, string];
    const call = { destination: bus, path, interface: PROPERTIES, member: "Set" };
    const body = [ATSPI + name, member, value];
    await this.#call({ ...call, signature: "ssv", body }, { timeoutMs });
  }

  /** Receives events until it is disposed. */
  async on(match: SignalMatch, listener: (signal: BusSignal) => void): Promise<Disposable> {
    return await this.#unlessSilent(() => this.bus.on(match, listener));
  }

  async listPrograms(): Promise<Program[]> {
    const root = { bus: REGISTRY, path: ROOT };
    const [list] = await this.call(root, "Accessible.GetChildren", REGISTRY_MS);
    const some = (list as Reference[]).slice(0, MAX_PROGRAMS);
    return await Promise.all(some.map(async ([bus, path]) => ({
      bus,
      path,
      pid: await this.findProcess(bus),
    })));
  }

  /** The process of a name on the bus. */
  findProcess(bus: string): Promise<number | undefined> {
    let pid = this.#pids.get(bus);
    if (pid !== undefined) return pid;
    if (this.#pids.size >= MAX_PROGRAMS) this.#pids.clear();
    this.#pids.set(bus, pid = this.#askProcess(bus));
    pid.catch(() => this.#pids.delete(bus)); // the next one asks again
    return pid;
  }

  /**
   * @throws ServiceError `timed_out`, which names the process; `unavailable`: it is the bus that does not respond
   */
  async #call(call: BusCall, limits: CallOptions): Promise<readonly unknown[]> {
    const asked = () => this.#calls.run(() => this.bus.call(call, limits));
    try {
      return (await this.#unlessSilent(asked)).body;
    } catch (cause) {
      if (!hasCode(cause, "timed_out")) throw cause;
      throw new ServiceError("timed_out", `${await this.#describe(call)} does not respond`, {
        cause,
      });
    }
  }

  async #describe({ destination }: BusCall): Promise<string> {
    if (destination === REGISTRY) return "The registry of the accessibility bus";
    const pid = await this.#pids.get(destination);
    return pid === undefined ? "A program" : `Process ${pid}`;
  }

  /** @throws ServiceError `unavailable` in place of the error of `ask` where the bus does not respond, or has not */
  async #unlessSilent<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (hasCode(error, "timed_out")) await (this.#checking ??= this.#check());
      throw this.#silence ?? error;
    }
  }

  /** Asks the bus itself, once for all who wait; ends a connection on which nobody answers. */
  async #check(): Promise<void> {
    try {
      await this.bus.call(GET_ID, { timeoutMs: BUS_MS });
    } catch (error) {
      if (!hasCode(error, "timed_out")) return; // it has ended, or refuses, which is an answer
      this.#silence = silent(error);
      this.bus[Symbol.dispose]();
    } finally {
      this.#checking = undefined;
    }
  }

  [Symbol.dispose](): void {
    this.bus[Symbol.dispose]();
  }

  async #askProcess(bus: string): Promise<number | undefined> {
    const call = { ...DAEMON, member: "GetConnectionUnixProcessID", signature: "s", body: [bus] };
    const answer = await this.#unlessSilent(() => this.bus.call(call))
      .catch(throwUnless((error) => error instanceof BusError));
    return answer?.body[0] as number | undefined;
  }
}

/** The types that methods take, and those that they answer; what answers otherwise is not read. */
const METHODS = {
  "Accessible.GetChildAtIndex": ["i", "(so)"],
  "Accessible.GetChildren": ["", "a(so)"],
  "Accessible.GetIndexInParent": ["", "i"],
  "Accessible.GetInterfaces": ["", "as"],
  "Accessible.GetRelationSet": ["", "a(ua(so))"],
  "Accessible.GetRole": ["", "u"],
  "Accessible.GetState": ["", "au"],
  "Action.DoAction": ["i", "b"],
  "Action.GetActions": ["", "a(sss)"],
  "Cache.GetItems": ["", "a((so)(so)(so)iiassusau)"],
  "Component.GetAccessibleAtPoint": ["iiu", "(so)"],
  "Component.GetExtents": ["u", "(iiii)"],
  "Component.GrabFocus": ["", "b"],
  "Component.ScrollTo": ["u", "b"],
  "EditableText.SetTextContents": ["s", "b"],
  "Registry.DeregisterEvent": ["s", ""],
  "Registry.RegisterEvent": ["sass", ""],
  "Selection.DeselectChild": ["i", "b"],
  "Selection.SelectChild": ["i", "b"],
  "Table.GetAccessibleAt": ["ii", "(so)"],
  "Table.GetColumnAtIndex": ["i", "i"],
  "Table.GetRowAtIndex": ["i", "i"],
  "Text.GetText": ["ii", "s"],
} as const;

export type Method = keyof typeof METHODS;

const PROPERTY_TYPES = {
  "Accessible.ChildCount": "i",
  "Accessible.Description": "s",
  "Accessible.Name": "s",
  "Accessible.Parent": "(so)",
  "Application.ToolkitName": "s",
  "Text.CharacterCount": "i",
  "Value.CurrentValue": "d",
} as const;

/** The longest answer, in bytes: a list of 5,000 children has some 300 kB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The cache of a page with 100,000 elements has some 40 MB. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const MAX_BYTES: Readonly<Partial<Record<Method, number>>> = {
  "Cache.GetItems": MAX_CACHE_BYTES,
  "Text.GetText": 4 * MAX_ANSWER_BYTES,
};
/** Programs on the bus that are looked at. */
const MAX_PROGRAMS = 1_000;
/** Characters of the name on the bus and the path of an object; others are not there. */
const MAX_REFERENCE = 1_000;
/** Calls that wait for answers at once; others wait for them. */
const CALLS_AT_ONCE = 8_000;

/** How long the registry may take; it is a program of the desktop that always answers. */
const REGISTRY_MS = 5_000;

const GET_ID = { ...DAEMON, member: "GetId" };
/** How long the bus itself may take, which does nothing but pass messages on. */
const BUS_MS = 2_000;

function silent(cause: ServiceError): ServiceError {
  const message = "The accessibility bus does not respond: the next call connects to it anew";
  return new ServiceError("unavailable", message, { cause });
}

/** The address of a reference; `undefined` for the one that stands for nothing, or is too long. */
export function addressOf([bus, path]: Reference): Address | undefined {
  const isNone = path === NULL || bus === "" || bus.length + path.length > MAX_REFERENCE;
  return isNone ? undefined : { bus, path };
}
