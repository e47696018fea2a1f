/** A compositor that speaks just enough to be connected to, and whatever else a test makes it say. */

import {
  argumentsOf,
  decodeArguments,
  encodeMessage,
  type InterfaceTable,
  MessageReader,
  type WireMessage,
  type WireValue,
} from "../../../src/platform/linux/wayland/wire/encoding.ts";
import {
  type InterfaceName,
  INTERFACES,
} from "../../../src/platform/linux/wayland/protocols/mod.ts";

const GET_REGISTRY = 1;

export interface FakeOptions {
  /** `[interface, version]` of each. */
  readonly globals?: readonly (readonly [string, number])[];
  /** Answers nothing from the start. */
  readonly isMute?: boolean;
  /** Sends every byte on its own. */
  readonly inPieces?: boolean;
}

export class FakeCompositor implements AsyncDisposable {
  readonly #connections: Deno.Conn[] = [];
  readonly #listening: Promise<void>;
  /** The requests that came after the registry's, but `sync`. */
  readonly requests: WireMessage[] = [];
  isMute: boolean;

  private constructor(
    private readonly folder: string,
    private readonly server: Deno.Listener,
    private readonly options: FakeOptions,
  ) {
    this.isMute = options.isMute ?? false;
    this.#listening = this.#listen();
  }

  static async start(options: FakeOptions = {}): Promise<FakeCompositor> {
    const folder = await Deno.makeTempDir();
    const server = Deno.listen({ transport: "unix", path: `${folder}/wayland-7` });
    return new FakeCompositor(folder, server, options);
  }

  get path(): string {
    return `${this.folder}/wayland-7`;
  }

  /** Sends an event to every client. */
  async send(object: number, name: InterfaceName, event: string, ...values: WireValue[]) {
    const { events }: InterfaceTable = INTERFACES[name];
    const opcode = events.findIndex((each) => each.name === event);
    await this.sendBytes(encodeMessage(object, opcode, argumentsOf(events[opcode]!), values).bytes);
  }

  async sendBytes(bytes: Uint8Array): Promise<void> {
    for (const connection of this.#connections) await this.#write(connection, bytes);
  }

  /** Closes the connections. */
  hangUp(): void {
    for (const connection of this.#connections.splice(0)) connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.hangUp();
    await this.#listening;
    await Deno.remove(this.folder, { recursive: true });
  }

  async #listen(): Promise<void> {
    const serving: Promise<void>[] = [];
    for await (const connection of this.server) {
      this.#connections.push(connection);
      serving.push(this.#serve(connection).catch(() => {})); // the client has left
    }
    await Promise.all(serving);
  }

  async #serve(connection: Deno.Conn): Promise<void> {
    const reader = new MessageReader();
    const buffer = new Uint8Array(65536);
    for (let count = 0; count !== null; count = await connection.read(buffer) as number) {
      reader.push(buffer.slice(0, count), []);
      for (let next = reader.next(); next !== undefined; next = reader.next()) {
        await this.#answer(connection, next);
      }
    }
  }

  async #answer(connection: Deno.Conn, message: WireMessage): Promise<void> {
    if (this.isMute) return;
    if (message.object !== 1) return void this.requests.push(message);
    const [id] = decodeArguments(message.body, [NEW_ID], () => 0);
    if (message.opcode !== GET_REGISTRY) {
      await this.#event(connection, id as number, "wl_callback", 0, [7]);
      await this.#event(connection, 1, "wl_display", 1, [id]);
      return;
    }
    for (const [i, [name, version]] of (this.options.globals ?? []).entries()) {
      await this.#event(connection, id as number, "wl_registry", 0, [i + 1, name, version]);
    }
  }

  async #event(
    connection: Deno.Conn,
    object: number,
    name: InterfaceName,
    opcode: number,
    values: readonly WireValue[],
  ): Promise<void> {
    const types = argumentsOf(INTERFACES[name].events[opcode]!);
    await this.#write(connection, encodeMessage(object, opcode, types, values).bytes);
  }

  async #write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
    const step = this.options.inPieces ? 1 : bytes.length;
    for (let at = 0; at < bytes.length;) {
      at += await connection.write(bytes.subarray(at, at + step));
    }
  }
}

const NEW_ID = { type: "new_id", isNullable: false, interface: undefined } as const;
