/** Defines the keyboard operations as data. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { DisplayNumber, DurationMs, KeyName, Repeat } from "../../fields.ts";
import { Clear, DEFAULT_PACE, typeText } from "./type_text.ts";
import { SecretName } from "../../secrets/stored.ts";
import {
  definingWith,
  INPUT_ERRORS,
  json,
  type Operation,
  TARGET_ERRORS,
} from "../../operation.ts";
import { Effect, EffectField } from "../effect.ts";
import { FocusRef } from "../targets/refs.ts";
import { holdKey, listHeldKeys, pressHotkey, pressKey, releaseKey } from "./press.ts";

/** Allows no control characters except tab and line breaks. */
const TYPED = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$";
const MAX_GROUP_SIZE = 100_000;

const ERRORS = {
  ...INPUT_ERRORS,
  conflict:
    "`system/release-all` ended the operation, a person is holding down a modifier, or an earlier click " +
    "was not delivered.",
};

/** The answer of keyboard operations: `null`, or what is known of the effect. */
function done(description: string) {
  return json(
    `${description} The answer is \`null\`; with \`effect\` it reports what is known about the effect.`,
    z.union([z.null(), Effect]),
  );
}

export function keyboardOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({
    group: "keyboard",
    method: "POST",
    readOnly: false,
    errors: ERRORS,
  });
  const maxHoldS = limits.maxHoldMs / 1000;
  const oneKey = z.object({ key: KeyName, effect: EffectField, display_num: DisplayNumber });
  return [
    define({
      id: "typeText",
      long: true,
      path: "/api/keyboard/type",
      summary: "Type a text",
      description:
        "Types any Unicode text on any keyboard layout. `\\n`, `\\r\\n` and `\\r` are one Enter, `\\t` is Tab; " +
        "other control characters are an error. `secret` names a value of the keychain, which is typed and never returned. " +
        "If one character cannot be typed, nothing is typed. With `ref` the element gets the focus first. With `clear` the focused field " +
        "is cleared first; with an empty text it is only cleared.",
      body: z.object({
        text: z.string().max(limits.maxTextLength).optional().meta({ pattern: TYPED })
          .describe("The text to type. Give exactly one of `text` and `secret`."),
        secret: SecretName.optional(),
        typing_delay: z.int().min(0).max(limits.maxTypingDelayMs).default(DEFAULT_PACE.typing_delay)
          .describe("The time between two keystrokes, in milliseconds."),
        typing_group_size: z.int().gt(0).max(MAX_GROUP_SIZE).default(DEFAULT_PACE.typing_group_size)
          .describe(
            "The number of characters sent as one batch. With a `typing_delay`, as by default, the service checks after " +
              "every key whether the client is still connected; with 0 between batches (at least every 50 characters). " +
              "The focus of the element of `ref` is checked between batches.",
          ),
        method: z.enum(["auto", "keys", "paste"]).default("auto").describe(
          "`auto`: by keys, and through the clipboard if this desktop has no key for a character. `keys`: never through the clipboard. `paste`: sets the clipboard to the text, presses Ctrl+V (Command+V on macOS), and restores the clipboard; fast for long texts, in programs that paste with that shortcut.",
        ),
        clear: Clear.default(false),
        ref: FocusRef,
        effect: EffectField,
        display_num: DisplayNumber,
      }).superRefine(checkTextOrSecret)
        .meta({ oneOf: [{ required: ["text"] }, { required: ["secret"] }] }),
      answer: done("The text was typed."),
      errors: {
        ...ERRORS,
        conflict:
          `${ERRORS.conflict} The focused program did not take the pasted text; the element of \`ref\` is gone, or did not take the focus.`,
        timed_out: TARGET_ERRORS.timed_out,
        forbidden:
          "The request has `secret`, and the group keychain is disabled; `method` is `paste`, and a flag forbids that; or the element of `ref` takes the focus only with a click, and the group mouse is disabled.",
        unavailable:
          "The display or the keychain is not available now, or too many input operations are waiting.",
      },
      uses: ({ secret }) => secret === undefined ? [] : ["keychain"],
      run: typeText,
    }),
    define({
      id: "pressKey",
      path: "/api/keyboard/key",
      summary: "Press a key or a combination",
      description:
        "A combination is written `ctrl+shift+t`; the plus key is `+`, also after a final `+` (`ctrl++`). " +
        "In a combination, ASCII letters are lower-case: add `shift` for upper case. " +
        "A shortcut such as `ctrl+a` works on every layout, even one without Latin letters. " +
        "With `repeat` the whole combination is pressed and released that many times.",
      body: z.object({
        key: z.string().min(1).max(256).describe(
          "A key name, or several joined by `+`: `enter`, `ctrl+shift+t`, `ctrl++`.",
        ),
        duration_ms: DurationMs(limits, "The time for which the key is held down each time"),
        repeat: Repeat,
        effect: EffectField,
        display_num: DisplayNumber,
      }),
      answer: done("The keys were pressed and released."),
      run: pressKey,
    }),
    define({
      id: "pressHotkey",
      path: "/api/keyboard/hotkey",
      summary: "Press several keys together",
      description:
        "Presses the keys in the order of the list and releases them in reverse, `repeat` times.",
      body: z.object({
        keys: z.array(KeyName).min(1).max(16).describe(
          "The key names, in the order in which they are pressed.",
        ),
        repeat: Repeat,
        effect: EffectField,
        display_num: DisplayNumber,
      }),
      answer: done("The keys were pressed and released."),
      run: pressHotkey,
    }),
    define({
      id: "holdKey",
      path: "/api/keyboard/hold",
      summary: "Press a key and hold it",
      description:
        `The key is held until \`release\`, release-all, ${maxHoldS} seconds or the end of the service.`,
      body: oneKey,
      answer: done("The key is held down."),
      run: holdKey,
    }),
    define({
      id: "releaseKey",
      path: "/api/keyboard/release",
      summary: "Release a key held by `hold`",
      description: "Does nothing if the key is not held.",
      body: oneKey,
      answer: done("The key is not held."),
      run: releaseKey,
    }),
    define({
      id: "listHeldKeys",
      readOnly: true,
      method: "GET",
      path: "/api/keyboard/held",
      summary: "List the keys held by `hold`",
      query: z.object({ display_num: DisplayNumber }),
      answer: json(
        "The held keys, by the names with which they were pressed, in that order.",
        z.array(z.string()),
      ),
      errors: INPUT_ERRORS,
      run: listHeldKeys,
    }),
  ];
}

/** If neither is present, reports a missing `text`, which the client has probably forgotten. */
function checkTextOrSecret(
  { text, secret }: { readonly text?: string | undefined; readonly secret?: unknown },
  context: z.RefinementCtx,
): void {
  if (text === undefined && secret === undefined) {
    context.addIssue({
      code: "invalid_type",
      expected: "string",
      input: undefined,
      path: ["text"],
    });
  }
  if (text !== undefined && secret !== undefined) {
    const message = "Give either text or secret, not both";
    context.addIssue({ code: "custom", path: ["secret"], message });
  }
}
