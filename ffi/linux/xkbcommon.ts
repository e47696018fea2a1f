/** Keymaps, from libxkbcommon: declarations only (xkbcommon/xkbcommon.h). */

const SYMBOLS = {
  // struct xkb_context *xkb_context_new(enum xkb_context_flags flags);
  xkb_context_new: { parameters: ["i32"], result: "pointer" },
  // void xkb_context_unref(struct xkb_context *context);
  xkb_context_unref: { parameters: ["pointer"], result: "void" },
  // void xkb_context_set_log_level(struct xkb_context *context, enum xkb_log_level level);
  xkb_context_set_log_level: { parameters: ["pointer", "i32"], result: "void" },
  // struct xkb_keymap *xkb_keymap_new_from_names(struct xkb_context *context,
  //   const struct xkb_rule_names *names, enum xkb_keymap_compile_flags flags);
  xkb_keymap_new_from_names: { parameters: ["pointer", "buffer", "i32"], result: "pointer" },
  // struct xkb_keymap *xkb_keymap_new_from_buffer(struct xkb_context *context, const char *buffer,
  //   size_t length, enum xkb_keymap_format format, enum xkb_keymap_compile_flags flags);
  xkb_keymap_new_from_buffer: {
    parameters: ["pointer", "buffer", "usize", "i32", "i32"],
    result: "pointer",
  },
  // void xkb_keymap_unref(struct xkb_keymap *keymap);
  xkb_keymap_unref: { parameters: ["pointer"], result: "void" },
  // char *xkb_keymap_get_as_string(struct xkb_keymap *keymap, enum xkb_keymap_format format);
  xkb_keymap_get_as_string: { parameters: ["pointer", "i32"], result: "pointer" },
  // xkb_keycode_t xkb_keymap_min_keycode(struct xkb_keymap *keymap);
  xkb_keymap_min_keycode: { parameters: ["pointer"], result: "u32" },
  // xkb_keycode_t xkb_keymap_max_keycode(struct xkb_keymap *keymap);
  xkb_keymap_max_keycode: { parameters: ["pointer"], result: "u32" },
  // xkb_layout_index_t xkb_keymap_num_layouts(struct xkb_keymap *keymap);
  xkb_keymap_num_layouts: { parameters: ["pointer"], result: "u32" },
  // xkb_layout_index_t xkb_keymap_num_layouts_for_key(struct xkb_keymap *keymap,
  //   xkb_keycode_t key);
  xkb_keymap_num_layouts_for_key: { parameters: ["pointer", "u32"], result: "u32" },
  // struct xkb_state *xkb_state_new(struct xkb_keymap *keymap);
  xkb_state_new: { parameters: ["pointer"], result: "pointer" },
  // void xkb_state_unref(struct xkb_state *state);
  xkb_state_unref: { parameters: ["pointer"], result: "void" },
  // enum xkb_state_component xkb_state_update_key(struct xkb_state *state, xkb_keycode_t key,
  //   enum xkb_key_direction direction);
  xkb_state_update_key: { parameters: ["pointer", "u32", "i32"], result: "i32" },
  // enum xkb_state_component xkb_state_update_mask(struct xkb_state *state,
  //   xkb_mod_mask_t depressed_mods, xkb_mod_mask_t latched_mods, xkb_mod_mask_t locked_mods,
  //   xkb_layout_index_t depressed_layout, xkb_layout_index_t latched_layout,
  //   xkb_layout_index_t locked_layout);
  xkb_state_update_mask: {
    parameters: ["pointer", "u32", "u32", "u32", "u32", "u32", "u32"],
    result: "i32",
  },
  // xkb_mod_mask_t xkb_state_serialize_mods(struct xkb_state *state,
  //   enum xkb_state_component components);
  xkb_state_serialize_mods: { parameters: ["pointer", "i32"], result: "u32" },
  // xkb_keysym_t xkb_state_key_get_one_sym(struct xkb_state *state, xkb_keycode_t key);
  xkb_state_key_get_one_sym: { parameters: ["pointer", "u32"], result: "u32" },
  // void free(void *ptr); of the C library, which libxkbcommon brings along
  free: { parameters: ["pointer"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

export type XkbcommonLibrary = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** `XKB_LOG_LEVEL_CRITICAL`: errors of a keymap are reported by its absence. */
export const LOG_LEVEL_CRITICAL = 10;
/** `XKB_KEYMAP_FORMAT_TEXT_V1` */
export const KEYMAP_FORMAT_TEXT_V1 = 1;
/** `enum xkb_key_direction` */
export const KEY_DIRECTION = { up: 0, down: 1 } as const;
/** `XKB_STATE_MODS_DEPRESSED`, `XKB_STATE_MODS_LOCKED` */
export const STATE_MODS = { depressed: 1, locked: 4 } as const;
/** `struct xkb_rule_names`: five pointers, each the default where it is null. */
export const RULE_NAMES = { bytes: 40, layout: 16 } as const;

/** @throws when there is no such library, or one before version 0.5. */
export function openXkbcommonLibrary(file = "libxkbcommon.so.0"): XkbcommonLibrary {
  return Deno.dlopen(file, SYMBOLS).symbols;
}
