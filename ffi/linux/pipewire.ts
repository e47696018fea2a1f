/**
 * libpipewire 0.3, declarations only (pipewire/pipewire.h, pipewire/stream.h, spa/buffer/buffer.h,
 * spa/support/loop.h), with the offsets of its structures on 64-bit systems.
 */

const SYMBOLS = {
  // void pw_init(int *argc, char **argv[]);
  pw_init: { parameters: ["pointer", "pointer"], result: "void" },
  // struct pw_main_loop *pw_main_loop_new(const struct spa_dict *props);
  pw_main_loop_new: { parameters: ["pointer"], result: "pointer" },
  // struct pw_loop *pw_main_loop_get_loop(struct pw_main_loop *loop);
  pw_main_loop_get_loop: { parameters: ["pointer"], result: "pointer" },
  // void pw_main_loop_destroy(struct pw_main_loop *loop);
  pw_main_loop_destroy: { parameters: ["pointer"], result: "void" },
  // struct pw_properties *pw_properties_new_string(const char *args);
  pw_properties_new_string: { parameters: ["buffer"], result: "pointer" },
  // struct pw_context *pw_context_new(struct pw_loop *main_loop, struct pw_properties *props, size_t user_data_size);
  pw_context_new: { parameters: ["pointer", "pointer", "usize"], result: "pointer" },
  // struct pw_core *pw_context_connect_fd(struct pw_context *context, int fd, struct pw_properties *properties, size_t user_data_size);
  pw_context_connect_fd: { parameters: ["pointer", "i32", "pointer", "usize"], result: "pointer" },
  // void pw_context_destroy(struct pw_context *context);
  pw_context_destroy: { parameters: ["pointer"], result: "void" },
  // struct pw_stream *pw_stream_new(struct pw_core *core, const char *name, struct pw_properties *props);
  pw_stream_new: { parameters: ["pointer", "buffer", "pointer"], result: "pointer" },
  // void pw_stream_add_listener(struct pw_stream *stream, struct spa_hook *listener, const struct pw_stream_events *events, void *data);
  pw_stream_add_listener: {
    parameters: ["pointer", "pointer", "pointer", "pointer"],
    result: "void",
  },
  // int pw_stream_connect(struct pw_stream *stream, enum pw_direction direction, uint32_t target_id, enum pw_stream_flags flags, const struct spa_pod **params, uint32_t n_params);
  pw_stream_connect: {
    parameters: ["pointer", "i32", "u32", "i32", "buffer", "u32"],
    result: "i32",
  },
  // int pw_stream_set_active(struct pw_stream *stream, bool active);
  pw_stream_set_active: { parameters: ["pointer", "bool"], result: "i32" },
  // struct pw_buffer *pw_stream_dequeue_buffer(struct pw_stream *stream);
  pw_stream_dequeue_buffer: { parameters: ["pointer"], result: "pointer" },
  // int pw_stream_queue_buffer(struct pw_stream *stream, struct pw_buffer *buffer);
  pw_stream_queue_buffer: { parameters: ["pointer", "pointer"], result: "i32" },
  // void pw_stream_destroy(struct pw_stream *stream);
  pw_stream_destroy: { parameters: ["pointer"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PipeWireLibrary = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

export const DIRECTION_INPUT = 0;
/** `PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS` */
export const STREAM_FLAGS = 1 | 4;

/** `enum pw_stream_state` */
export const STREAM_STATE = { error: -1, unconnected: 0, connecting: 1, paused: 2, streaming: 3 };

/** `struct pw_loop`: the loop's `struct spa_loop_control *`. */
export const LOOP_CONTROL = 16;
/** `struct spa_interface`: the functions, and the object that is their first argument. */
export const INTERFACE = { functions: 16, object: 24 } as const;
/** `struct spa_loop_control_methods` */
export const CONTROL_METHODS = { get_fd: 8, enter: 24, leave: 32, iterate: 40 } as const;
// int (*get_fd)(void *object);
export const GET_FD = { parameters: ["pointer"], result: "i32" } as const;
// void (*enter)(void *object);
export const ENTER = { parameters: ["pointer"], result: "void" } as const;
// int (*iterate)(void *object, int timeout);
export const ITERATE = { parameters: ["pointer", "i32"], result: "i32" } as const;

/** `struct spa_hook` is 48 bytes; what the library writes there stays until the stream ends. */
export const HOOK_BYTES = 48;
/** `struct pw_stream_events`, version 0 */
export const STREAM_EVENTS = {
  bytes: 96,
  state_changed: 16,
  param_changed: 40,
  remove_buffer: 56,
  process: 64,
} as const;
// void (*state_changed)(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error);
export const STATE_CHANGED = {
  parameters: ["pointer", "i32", "i32", "pointer"],
  result: "void",
} as const;
// void (*param_changed)(void *data, uint32_t id, const struct spa_pod *param);
export const PARAM_CHANGED = { parameters: ["pointer", "u32", "pointer"], result: "void" } as const;
// void (*remove_buffer)(void *data, struct pw_buffer *buffer);
export const REMOVE_BUFFER = { parameters: ["pointer", "pointer"], result: "void" } as const;
// void (*process)(void *data);
export const PROCESS = { parameters: ["pointer"], result: "void" } as const;

/** `struct spa_buffer { uint32_t n_metas; uint32_t n_datas; struct spa_meta *metas; struct spa_data *datas; }` */
export const BUFFER = { n_metas: 0, n_datas: 4, metas: 8, datas: 16 } as const;
/** `struct spa_meta { uint32_t type; uint32_t size; void *data; }` */
export const META = { bytes: 16, type: 0, size: 4, data: 8 } as const;
/**
 * `struct spa_data { uint32_t type; uint32_t flags; int64_t fd; uint32_t mapoffset; uint32_t
 * maxsize; void *data; struct spa_chunk *chunk; }`
 */
export const DATA = { type: 0, maxsize: 20, data: 24, chunk: 32 } as const;
/** `struct spa_chunk { uint32_t offset; uint32_t size; int32_t stride; int32_t flags; }` */
export const CHUNK = { offset: 0, size: 4, stride: 8, flags: 12 } as const;
/** The content of the buffer is not to be used. */
export const CHUNK_CORRUPTED = 1;
/** `enum spa_data_type` */
export const DATA_TYPE = { memPtr: 1, memFd: 2, dmaBuf: 3 } as const;
/** `enum spa_meta_type` */
export const META_TYPE = { cursor: 5 } as const;
/**
 * `struct spa_meta_cursor { uint32_t id; uint32_t flags; struct spa_point position; struct spa_point
 * hotspot; uint32_t bitmap_offset; }`
 */
export const META_CURSOR = {
  bytes: 28,
  id: 0,
  x: 8,
  y: 12,
  hotX: 16,
  hotY: 20,
  bitmap: 24,
} as const;
/**
 * `struct spa_meta_bitmap { uint32_t format; struct spa_rectangle size; int32_t stride; uint32_t
 * offset; }`
 */
export const META_BITMAP = {
  bytes: 20,
  format: 0,
  width: 4,
  height: 8,
  stride: 12,
  offset: 16,
} as const;

/** @throws when there is no such library. */
export function openPipeWireLibrary(file = "libpipewire-0.3.so.0"): PipeWireLibrary {
  return Deno.dlopen(file, SYMBOLS).symbols;
}
