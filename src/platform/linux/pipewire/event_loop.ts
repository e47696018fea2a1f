/**
 * The event loop of libpipewire, driven by the thread that opens it: no thread of the library calls
 * back, and no call waits.
 */

import {
  CONTROL_METHODS,
  ENTER,
  GET_FD,
  INTERFACE,
  ITERATE,
  LOOP_CONTROL,
  type PipeWireLibrary,
} from "../../../../ffi/linux/pipewire.ts";
import { POLLFD, POLLIN } from "../../../../ffi/linux/message_sockets.ts";
import { messageSocketLibrary } from "../wayland/wire/library.ts";

/** The most turns before other work of this thread has its own. */
const MAX_TURNS = 20;

export class EventLoop {
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
    const method = <T extends Deno.ForeignFunction>(offset: number) =>
      required(functions.getPointer<T>(offset), "a function");
    this.#iterate = new Deno.UnsafeFnPointer(
      method<typeof ITERATE>(CONTROL_METHODS.iterate),
      ITERATE,
    );
    this.#file = new Deno.UnsafeFnPointer(method<typeof GET_FD>(CONTROL_METHODS.get_fd), GET_FD)
      .call(
        this.#object,
      );
    new Deno.UnsafeFnPointer(method<typeof ENTER>(CONTROL_METHODS.enter), ENTER).call(this.#object);
  }

  /** Whether the loop has something to do; waits in a thread of the runtime's pool. */
  async waitForWork(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    const poll = new Uint8Array(POLLFD.bytes);
    const view = new DataView(poll.buffer);
    view.setInt32(POLLFD.fd, this.#file, true);
    view.setInt16(POLLFD.events, POLLIN, true);
    const ready = await messageSocketLibrary().poll(poll, 1n, timeoutMs);
    return ready > 0 && !this.#isClosed;
  }

  /** Does what is due, without waiting; the callbacks of the library run inside. */
  runDue(): void {
    for (let turn = 0; turn < MAX_TURNS && !this.#isClosed; turn++) {
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
export function required<T>(pointer: Deno.PointerValue<T>, what: string): Deno.PointerObject<T> {
  if (pointer === null) throw new Error(`libpipewire cannot create ${what}`);
  return pointer;
}
