/** A stream of libpipewire in this thread: keeps the newest frame, and listens for what changes. */

import { POLLIN } from "../../../../ffi/linux/sockets.ts";
import {
  CONTROL_METHODS,
  DIRECTION_INPUT,
  ENTER,
  GET_FD,
  HOOK_BYTES,
  INTERFACE,
  ITERATE,
  LOOP_CONTROL,
  PARAM_CHANGED,
  type PipeWireLibrary,
  PROCESS,
  REMOVE_BUFFER,
  STATE_CHANGED,
  STREAM_EVENTS,
  STREAM_FLAGS,
  STREAM_STATE,
} from "../../../../ffi/linux/pipewire.ts";
import { keepAlive, memory, pointerAddress } from "../../../../ffi/memory.ts";
import { pollFile } from "../sockets/message_socket.ts";
import { type CursorNews, FrameBuffer, type FramePixels } from "./frame.ts";
import { PARAM, parseFormat, podLength, streamParameters, type VideoFormat } from "./pods.ts";

export interface StreamTarget {
  readonly node: number;
  /** The descriptor of a connection to PipeWire, which then belongs to the stream. */
  readonly file: number;
}

export interface StreamListener {
  frame(): void;
  cursor(news: CursorNews): void;
  /** There is no newest frame any more, until the next one comes. */
  forgotten(): void;
  /** The stream has ended, and why. */
  ended(reason: string): void;
}

const PROPERTIES =
  "media.type=Video media.category=Capture media.role=Screen node.dont-reconnect=true";
const NAME = "computer-control";

export class NativeStream {
  readonly loop: EventLoop;
  readonly #context: Deno.PointerObject;
  readonly #stream: Deno.PointerObject;
  readonly #callbacks: Deno.UnsafeCallback[] = [];
  readonly #events = memory(STREAM_EVENTS.bytes);
  readonly #hook = memory(HOOK_BYTES);
  #format: VideoFormat | undefined;
  /** The buffer of the newest frame, which is not given back before there is a newer one. */
  #held: Deno.PointerObject | undefined;
  #newest: FramePixels | undefined;
  #isClosed = false;
  #isActive = true;

  /** @throws Error when PipeWire cannot be reached. */
  constructor(
    private readonly library: PipeWireLibrary,
    { node, file }: StreamTarget,
    private readonly listener: StreamListener,
  ) {
    library.pw_init(null, null);
    this.loop = new EventLoop(library);
    this.#context = required(library.pw_context_new(this.loop.loop, null, 0n), "a context");
    const core = library.pw_context_connect_fd(this.#context, file, null, 0n);
    if (core === null) {
      this.#closeLoop();
      throw new Error("PipeWire is not running, or does not accept this user");
    }
    const properties = library.pw_properties_new_string(text(PROPERTIES));
    this.#stream = required(library.pw_stream_new(core, text(NAME), properties), "a stream");
    this.#listen();
    this.#connect(node);
  }

  get newest(): FramePixels | undefined {
    return this.#newest;
  }

  /**
   * Stops the stream, or starts it again, at which the compositor draws: it does not send the first
   * frame again that it drew before the stream had memory for it.
   */
  toggle(): void {
    this.setActive(!this.#isActive);
  }

  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.library.pw_stream_set_active(this.#stream, isActive);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#held = this.#newest = undefined;
    this.library.pw_stream_destroy(this.#stream);
    this.#closeLoop();
    for (const callback of this.#callbacks) callback.close();
    keepAlive(this.#events, this.#hook);
  }

  #closeLoop(): void {
    this.library.pw_context_destroy(this.#context); // with the connection
    this.loop.close();
  }

  #connect(node: number): void {
    const parameters = streamParameters();
    const list = BigUint64Array.from(parameters, pointerAddress);
    const bytes = new Uint8Array(list.buffer);
    const { library } = this;
    const result = library.pw_stream_connect(
      this.#stream,
      DIRECTION_INPUT,
      node,
      STREAM_FLAGS,
      bytes,
      parameters.length,
    );
    keepAlive(bytes, ...parameters); // the library has copied them
    if (result < 0) throw new Error(`PipeWire refused node ${node} (error ${-result})`);
  }

  #listen(): void {
    const view = new DataView(this.#events.buffer);
    const on = <const D extends Deno.UnsafeCallbackDefinition>(
      offset: number,
      definition: D,
      listener: Deno.UnsafeCallbackFunction<D["parameters"], D["result"]>,
    ) => {
      const callback = new Deno.UnsafeCallback(definition, listener);
      this.#callbacks.push(callback as unknown as Deno.UnsafeCallback);
      view.setBigUint64(offset, Deno.UnsafePointer.value(callback.pointer), true);
    };
    on(STREAM_EVENTS.state_changed, STATE_CHANGED, (_data, _old, state, error) => {
      this.#changeState(state, error);
    });
    on(STREAM_EVENTS.param_changed, PARAM_CHANGED, (_data, id, pod) => {
      this.#changeParameter(id, pod);
    });
    on(STREAM_EVENTS.remove_buffer, REMOVE_BUFFER, (_data, buffer) => this.#forget(buffer));
    on(STREAM_EVENTS.process, PROCESS, () => this.#process());
    const [hook, events] = [this.#hook, this.#events].map((bytes) => Deno.UnsafePointer.of(bytes));
    this.library.pw_stream_add_listener(this.#stream, hook!, events!, null);
  }

  #changeState(state: number, error: Deno.PointerValue): void {
    if (this.#isClosed || (state !== STREAM_STATE.error && state !== STREAM_STATE.unconnected)) {
      return;
    }
    const why = error === null ? "" : Deno.UnsafePointerView.getCString(error);
    this.listener.ended(why || "the compositor has ended the stream");
  }

  #changeParameter(id: number, pod: Deno.PointerValue): void {
    if (id !== PARAM.format || pod === null) return;
    const view = new Deno.UnsafePointerView(pod);
    const bytes = new Uint8Array(podLength(new DataView(view.getArrayBuffer(8))));
    view.copyInto(bytes);
    this.#format = parseFormat(bytes);
    if (this.#format === undefined) {
      this.listener.ended("the compositor offers no supported pixel format");
    }
  }

  #forget(buffer: Deno.PointerValue): void {
    if (buffer === null || this.#held === undefined) return;
    if (!Deno.UnsafePointer.equals(buffer, this.#held)) return;
    this.#held = this.#newest = undefined;
    this.listener.forgotten();
  }

  /** Takes every buffer that is ready, and holds the last that has a picture. */
  #process(): void {
    while (!this.#isClosed) {
      const pointer = this.library.pw_stream_dequeue_buffer(this.#stream);
      if (pointer === null) return;
      const buffer = new FrameBuffer(pointer);
      const pixels = this.#format && buffer.pixels(this.#format);
      const cursor = buffer.cursor();
      if (pixels === undefined) this.library.pw_stream_queue_buffer(this.#stream, pointer);
      else this.#hold(pointer, pixels);
      if (cursor !== undefined) this.listener.cursor(cursor);
      if (pixels !== undefined) this.listener.frame();
    }
  }

  #hold(pointer: Deno.PointerObject, pixels: FramePixels): void {
    if (this.#held !== undefined) this.library.pw_stream_queue_buffer(this.#stream, this.#held);
    this.#held = pointer;
    this.#newest = pixels;
  }
}

function text(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${value}\0`);
}

// The event loop of libpipewire, driven by the thread that opens it: no thread of the library calls
// back, and no call waits.

/** The most iterations before other work of this thread can run. */
const MAX_ITERATIONS = 20;

class EventLoop {
  /** `struct pw_loop *` */
  readonly loop: Deno.PointerObject;
  readonly #main: Deno.PointerObject;
  readonly #object: Deno.PointerValue;
  readonly #iterate: Deno.UnsafeFnPointer<typeof ITERATE>;
  readonly #file: number;
  #isClosed = false;

  constructor(private readonly library: PipeWireLibrary) {
    this.#main = required(library.pw_main_loop_new(null), "a loop");
    this.loop = required(library.pw_main_loop_get_loop(this.#main), "a loop");
    const control = required(new Deno.UnsafePointerView(this.loop).getPointer(LOOP_CONTROL), "it");
    const view = new Deno.UnsafePointerView(control);
    this.#object = view.getPointer(INTERFACE.object);
    const functions = new Deno.UnsafePointerView(
      required(view.getPointer(INTERFACE.functions), "it"),
    );
    const method = <const T extends Deno.ForeignFunction>(offset: number, definition: T) =>
      new Deno.UnsafeFnPointer<T>(required(functions.getPointer(offset), "a function"), definition);
    this.#iterate = method(CONTROL_METHODS.iterate, ITERATE);
    this.#file = method(CONTROL_METHODS.get_fd, GET_FD).call(this.#object);
    method(CONTROL_METHODS.enter, ENTER).call(this.#object);
  }

  /** Whether the loop has something to do; waits in a thread of the runtime's pool. */
  async waitForWork(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    const isReady = await pollFile({ file: this.#file, events: POLLIN }, timeoutMs);
    return isReady && !this.#isClosed;
  }

  /** Does what is due, without waiting; the callbacks of the library run inside. */
  runDue(): void {
    for (let count = 0; count < MAX_ITERATIONS && !this.#isClosed; count++) {
      if (this.#iterate.call(this.#object, 0) <= 0) return;
    }
  }

  /** What lives on the loop must have been destroyed. */
  close(): void {
    this.#isClosed = true;
    this.library.pw_main_loop_destroy(this.#main);
  }
}

/** @throws when the library gives nothing: it lacks memory, descriptors or its own files. */
function required<T>(pointer: Deno.PointerValue<T>, what: string): Deno.PointerObject<T> {
  if (pointer === null) throw new Error(`libpipewire cannot create ${what}`);
  return pointer;
}
