/** Objects over a message socket: encodes their requests, and hands events to their listeners. */

import { joinBytes } from "../../../../core/bytes.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { isTraced, trace } from "../../../../core/log.ts";
import { type InterfaceName, INTERFACES, type WaylandObject } from "../protocols/mod.ts";
import {
  type Argument,
  argumentsOf,
  DamagedMessageError,
  decodeArguments,
  type EncodedMessage,
  encodeMessage,
  type InterfaceTable,
  MessageReader,
  type MessageTable,
  type WireMessage,
  type WireValue,
} from "./encoding.ts";
import { closeFile, type MessageSocket } from "../../sockets/message_socket.ts";

export interface GlobalEntry {
  /** The compositor's number for it. */
  readonly name: number;
  readonly interface: string;
  /** The latest version that the compositor speaks. */
  readonly version: number;
}

export class Connection {
  readonly #closing = Promise.withResolvers<ServiceError>();
  readonly closed = this.#closing.promise;
  readonly #objects = new ObjectTable();
  readonly #reader = new MessageReader();
  readonly #outgoing: OutgoingMessages;
  #connected = true;
  #isDispatching = false;

  constructor(private readonly socket: MessageSocket, private readonly name: string) {
    this.#outgoing = new OutgoingMessages(socket, (error) => this.#lose(error));
    this.#receive();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Requests that were sent so far; another number means that something was sent in between. */
  get requests(): number {
    return this.#outgoing.count;
  }

  /** Hands on the events that have arrived, without waiting for the event loop to notice them. */
  readArrived(): void {
    if (!this.#connected) return;
    try {
      this.#readArrived();
    } catch (error) {
      this.#lose(error);
    }
  }

  create<I extends InterfaceName>(name: I, version: number): WaylandObject<I> {
    return this.#create(name, version) as unknown as WaylandObject<I>;
  }

  /** The only request whose new object has the interface that its arguments name. */
  bind<I extends InterfaceName>(
    registry: WaylandObject<"wl_registry">,
    global: GlobalEntry & { readonly interface: I },
  ): WaylandObject<I> {
    const object = this.create(global.interface, global.version);
    const types = (["uint", "string", "uint", "new_id"] as const)
      .map((type) => ({ type, isNullable: false, interface: undefined }));
    const values = [global.name, global.interface, global.version, object.id];
    if (this.#connected) this.#outgoing.add(encodeMessage(registry.id, 0, types, values));
    return object;
  }

  /** The compositor has ended an object. */
  forget(id: number): void {
    this.#objects.release(id);
  }

  /** The compositor reports a protocol error, after which it closes the connection. */
  refuse(id: number, code: number, message: string): void {
    const refused = this.#objects.get(id);
    const [word] =
      Object.entries(refused?.table.errors ?? {}).find(([, value]) => value === code) ??
        [`error ${code}`];
    const object = refused === undefined ? `object ${id}` : refused.interface;
    const why = `${object}: ${word}: ${message}`;
    const text = `The Wayland compositor at "${this.name}" refused a request: ${why}`;
    this.end(new ServiceError("unavailable", text));
  }

  end(reason: ServiceError): void {
    if (!this.#connected) return;
    this.#outgoing.flush();
    this.#connected = false;
    this.socket[Symbol.dispose]();
    this.#reader.takeFiles().forEach(closeFile);
    this.#closing.resolve(reason);
  }

  #create(name: InterfaceName, version: number): ObjectProxy {
    return this.#objects.create((id) => this.#make(id, name, version));
  }

  #make(id: number, name: InterfaceName, version: number): ObjectProxy {
    return new ObjectProxy(
      { id, interface: name, version },
      (object, request, args) => this.#send(object, request, args),
    );
  }

  #send(object: ObjectProxy, name: string, args: readonly unknown[]): ObjectProxy | undefined {
    const { opcode, request } = object.findRequest(name);
    const types = argumentsOf(request);
    const isSent = this.#connected && object.isAlive;
    const made = types.some(({ type }) => type === "new_id")
      ? this.#createBy(object, newInterface(types), isSent)
      : undefined;
    const left = [...args];
    const values = types.map(({ type }) => type === "new_id" ? made!.id : toWire(left.shift()));
    if (isSent) {
      const message = encodeMessage(object.id, opcode, types, values);
      if (isTraced("wayland")) trace("wayland", "to", `${object.interface}#${object.id}.${name}`);
      this.#outgoing.add(message);
    }
    if (request.destructor) object.isAlive = false;
    return made;
  }

  /** What an object without effect makes has no effect either, and no number. */
  #createBy({ version }: ObjectProxy, name: InterfaceName, isSent: boolean): ObjectProxy {
    if (isSent) return this.#create(name, version);
    const made = this.#make(0, name, version);
    made.isAlive = false;
    return made;
  }

  async #receive(): Promise<void> {
    try {
      while (this.#connected) {
        await this.socket.arrival();
        this.#readArrived();
      }
    } catch (error) {
      this.#lose(error);
    }
  }

  #readArrived(): void {
    if (this.#isDispatching) return;
    const received = this.socket.receiveArrived();
    if (received === undefined) return;
    this.#isDispatching = true;
    try {
      this.#reader.push(received.bytes, received.files);
      for (let next = this.#next(); next; next = this.#next()) this.#dispatch(next);
    } finally {
      this.#isDispatching = false;
    }
  }

  #next(): WireMessage | undefined {
    return this.#connected ? this.#reader.next() : undefined;
  }

  #dispatch({ object: id, opcode, body }: WireMessage): void {
    const object = this.#objects.get(id);
    const event = object?.table.events[opcode];
    if (object === undefined || event === undefined) {
      throw new DamagedMessageError(`event ${opcode} of object ${id}, which is unknown`);
    }
    if (isTraced("wayland")) trace("wayland", "from", `${object.interface}#${id}.${event.name}`);
    const types = argumentsOf(event);
    const values = decodeArguments(body, types, () => this.#reader.takeFile());
    const args = types.map((type, i) => {
      if (type.type === "new_id") return this.#accept(values[i] as number, type, object);
      if (type.type !== "object" || type.interface === undefined) return values[i];
      const found = this.#objects.get(values[i] as number);
      return found?.isAlive ? found : undefined;
    });
    const listeners = object.isAlive ? object.listenersOf(event.name) : [];
    if (event.destructor) object.isAlive = false;
    if (listeners.length === 0) {
      types.forEach(({ type }, i) => type === "fd" && closeFile(args[i] as number));
    }
    for (const listener of listeners) listener(...args);
  }

  #accept(id: number, type: Argument, { version }: ObjectProxy): ObjectProxy {
    const made = this.#make(id, newInterface([type]), version);
    if (this.#objects.accept(made)) return made;
    throw new DamagedMessageError(`a new object with the number ${id}`);
  }

  #lose(error: unknown): void {
    const text = `The Wayland compositor at "${this.name}" went away: ${(error as Error).message}`;
    this.end(new ServiceError("unavailable", text, { cause: error }));
  }
}

function newInterface(types: readonly Argument[]): InterfaceName {
  const name = types.find(({ type }) => type === "new_id")?.interface;
  if (name !== undefined && Object.hasOwn(INTERFACES, name)) return name as InterfaceName;
  throw new TypeError(`No table has the interface ${name}`); // a request that needs `bind()`
}

function toWire(value: unknown): WireValue {
  return value instanceof ObjectProxy ? value.id : value as WireValue;
}

// The objects of a connection, by the numbers that both sides give them.

/** The number of the `wl_display`, which ends with the connection. */
const DISPLAY = 1;
/** The compositor gives numbers from here on. */
const FIRST_OF_SERVER = 0xff00_0000;

class ObjectTable {
  readonly #objects = new Map<number, ObjectProxy>();
  readonly #free: number[] = [];
  #last = 0;

  get(id: number): ObjectProxy | undefined {
    return this.#objects.get(id);
  }

  /** Adds an object of ours, under the next number. */
  create(make: (id: number) => ObjectProxy): ObjectProxy {
    const object = make(this.#free.pop() ?? ++this.#last);
    this.#objects.set(object.id, object);
    return object;
  }

  /** Adds an object to which the compositor has given its number; `false` if it must not. */
  accept(object: ObjectProxy): boolean {
    if (object.id < FIRST_OF_SERVER || this.#objects.get(object.id)?.isAlive) return false;
    this.#objects.set(object.id, object);
    return true;
  }

  /** The compositor has forgotten an object of ours: its number can be given again. */
  release(id: number): void {
    const object = this.#objects.get(id);
    if (object === undefined || id === DISPLAY || id >= FIRST_OF_SERVER) return;
    object.isAlive = false;
    this.#objects.delete(id);
    this.#free.push(id);
  }
}

// Joins the requests of one turn of the event loop, so that they leave in one packet.

class OutgoingMessages {
  readonly #messages: Uint8Array[] = [];
  #isPlanned = false;
  /** Requests added so far. */
  count = 0;

  /** @param onError the connection cannot be used any more */
  constructor(
    private readonly socket: MessageSocket,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Sends a message at the end of the turn, or at once if it passes a descriptor. */
  add({ bytes, files }: EncodedMessage): void {
    this.count++;
    this.#messages.push(bytes);
    if (files.length > 0) return this.flush(files);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.flush();
    });
  }

  flush(files: readonly number[] = []): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages.splice(0);
    try {
      this.socket.send(joinBytes(messages), files);
    } catch (error) {
      this.onError(error);
    }
  }
}

// What users of a connection hold of an object; `WaylandObject` gives it the types of its table.

type Listener = (...args: unknown[]) => void;

type Send = (object: ObjectProxy, request: string, args: readonly unknown[]) =>
  | ObjectProxy
  | undefined;

class ObjectProxy {
  readonly id: number;
  readonly interface: InterfaceName;
  readonly version: number;
  readonly table: InterfaceTable;
  isAlive = true;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(
    object: Pick<ObjectProxy, "id" | "interface" | "version">,
    private readonly sendRequest: Send,
  ) {
    this.id = object.id;
    this.interface = object.interface;
    this.version = object.version;
    this.table = INTERFACES[object.interface];
  }

  send(request: string, ...args: unknown[]): ObjectProxy | undefined {
    return this.sendRequest(this, request, args);
  }

  on(event: string, listener: Listener): void {
    this.#listeners.getOrInsertComputed(event, () => []).push(listener);
  }

  listenersOf(event: string): readonly Listener[] {
    return this.#listeners.get(event) ?? [];
  }

  findRequest(name: string): { readonly opcode: number; readonly request: MessageTable } {
    const opcode = this.table.requests.findIndex((each) => each.name === name);
    if (opcode < 0) throw new TypeError(`${this.interface} has no request "${name}"`);
    return { opcode, request: this.table.requests[opcode]! };
  }
}
