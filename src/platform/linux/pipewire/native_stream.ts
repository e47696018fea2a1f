/** A stream of libpipewire in this thread: keeps the newest frame, and listens for what changes. */

import { POLLIN } from "../../../../ffi/linux/sockets.ts";
import {
  CONTROL_METHODS,
  DATA_TYPE,
  DIRECTION_INPUT,
  ENTER,
  GET_FD,
  HOOK_BYTES,
  INTERFACE,
  ITERATE,
  LOOP_CONTROL,
  META_BITMAP,
  META_CURSOR,
  META_TYPE,
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
import { joinBytes, roundUp } from "../../../core/bytes.ts";
import { pollFile } from "../sockets/message_socket.ts";
import {
  type CursorNews,
  FrameBuffer,
  type FramePixels,
  RED_FIRST,
  type VideoFormat,
} from "./frame.ts";

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

// Parameters of PipeWire streams as "pods" (spa/pod/pod.h, spa/param/video/raw.h): what we accept,
// and what was agreed on.

/** In the order of preference: BGRx, which needs no conversion, and BGRA before those. */
const PREFERRED = [8, 12, ...RED_FIRST];

const TYPE = { id: 3, int: 4, rectangle: 10, fraction: 11, object: 15, choice: 19 } as const;
const CHOICE = { none: 0, range: 1, enumeration: 3, flags: 4 } as const;
const OBJECT = { format: 0x40003, buffers: 0x40004, meta: 0x40005 } as const;
/** `enum spa_param_type` */
const PARAM = { enumFormat: 3, format: 4, buffers: 5, meta: 6 } as const;
const FORMAT_KEY = {
  mediaType: 1,
  mediaSubtype: 2,
  format: 0x20001,
  size: 0x20003,
  framerate: 0x20004,
  maxFramerate: 0x20005,
} as const;
const BUFFERS_KEY = { buffers: 1, dataType: 6 } as const;
/** One is held for readers; a compositor that is not limited takes 16, half a gigabyte at 4K. */
const BUFFERS = { normal: 5, least: 3, most: 8 } as const;
const META_KEY = { type: 1, size: 2 } as const;
const VIDEO = 2;
const RAW = 1;
const MAX_SIDE = 16_384;
/** The largest cursor that is asked for. */
const CURSOR_SIDE = 384;

/**
 * The parameters of a stream that takes pictures in plain memory. Buffers of the graphics card
 * (DMA-BUF) are refused, because only its driver can read them.
 */
function streamParameters(): Uint8Array<ArrayBuffer>[] {
  const cursorHeaderBytes = META_CURSOR.bytes + META_BITMAP.bytes;
  const cursorBytes = cursorHeaderBytes + CURSOR_SIDE * CURSOR_SIDE * 4;
  const smallCursor = cursorHeaderBytes + 4;
  return [
    object(OBJECT.format, PARAM.enumFormat, [
      [FORMAT_KEY.mediaType, pod(TYPE.id, words(VIDEO))],
      [FORMAT_KEY.mediaSubtype, pod(TYPE.id, words(RAW))],
      [
        FORMAT_KEY.format,
        choice(CHOICE.enumeration, TYPE.id, [[PREFERRED[0]!], ...PREFERRED.map((each) => [each])]),
      ],
      [
        FORMAT_KEY.size,
        choice(CHOICE.range, TYPE.rectangle, [[1280, 800], [1, 1], [MAX_SIDE, MAX_SIDE]]),
      ],
      [FORMAT_KEY.framerate, choice(CHOICE.range, TYPE.fraction, [[0, 1], [0, 1], [1000, 1]])],
      [FORMAT_KEY.maxFramerate, choice(CHOICE.range, TYPE.fraction, [[60, 1], [1, 1], [1000, 1]])],
    ]),
    object(OBJECT.buffers, PARAM.buffers, [
      [
        BUFFERS_KEY.buffers,
        choice(CHOICE.range, TYPE.int, [[BUFFERS.normal], [BUFFERS.least], [BUFFERS.most]]),
      ],
      [
        BUFFERS_KEY.dataType,
        choice(CHOICE.flags, TYPE.int, [[1 << DATA_TYPE.memPtr | 1 << DATA_TYPE.memFd]]),
      ],
    ]),
    object(OBJECT.meta, PARAM.meta, [
      [META_KEY.type, pod(TYPE.id, words(META_TYPE.cursor))],
      [
        META_KEY.size,
        choice(CHOICE.range, TYPE.int, [[cursorBytes], [smallCursor], [cursorBytes]]),
      ],
    ]),
  ];
}

/**
 * The format in a pod of the library.
 * @returns `undefined` for what is no picture format that was offered.
 */
function parseFormat(bytes: Uint8Array<ArrayBuffer>): VideoFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let format: number | undefined;
  let size: { width: number; height: number } | undefined;
  for (let at = FIRST_PROPERTY; at + PROPERTY_HEADER <= bytes.length;) {
    const key = view.getUint32(at, true);
    const length = view.getUint32(at + 8, true);
    const value = valueAt(view, at + 16);
    if (key === FORMAT_KEY.format) format = view.getUint32(value, true);
    if (key === FORMAT_KEY.size) {
      size = { width: view.getUint32(value, true), height: view.getUint32(value + 4, true) };
    }
    at += PROPERTY_HEADER + roundUp(length, PADDING);
  }
  if (format === undefined || !PREFERRED.includes(format)) return undefined;
  return size && { isRedFirst: RED_FIRST.includes(format), ...size };
}

/** The total length of a pod, from its header `{ uint32_t size, type; }`. */
function podLength(header: DataView): number {
  return POD_HEADER + header.getUint32(0, true);
}

const POD_HEADER = 8;
/** Pods begin at multiples of this. */
const PADDING = 8;
/** Where the properties of an object begin: after its header, its type and its id. */
const FIRST_PROPERTY = 16;
/** Key and flags, then the header of the value. */
const PROPERTY_HEADER = 16;
/** A choice of no alternatives has its value after its own header. */
const CHOICE_HEADER = 16;

function valueAt(view: DataView, content: number): number {
  const isChoice = view.getUint32(content - 4, true) === TYPE.choice;
  return isChoice ? content + CHOICE_HEADER : content;
}

function object(type: number, id: number, properties: [number, Uint8Array][]) {
  const body = properties.flatMap(([key, value]) => [words(key, 0), value]);
  return pod(TYPE.object, joinBytes([words(type, id), ...body]));
}

/** Several values, of which the first is the default. */
function choice(kind: number, type: number, values: readonly (readonly number[])[]): Uint8Array {
  const header = words(kind, 0, values[0]!.length * 4, type);
  return pod(TYPE.choice, joinBytes([header, ...values.map((each) => words(...each))]));
}

function pod(type: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(roundUp(content.length, PADDING) - content.length);
  return joinBytes([words(content.length, type), content, padding]);
}

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
