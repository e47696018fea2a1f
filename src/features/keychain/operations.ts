/** Defines the keychain operations as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Context } from "../context.ts";
import { DisplayNumber, FrameId, X, Y } from "../fields.ts";
import {
  definingWith,
  INPUT_ERRORS,
  json,
  noContent,
  type Operation,
  TARGET_ERRORS,
} from "../operation.ts";
import {
  FieldName,
  itemToText,
  requireKeychain,
  SecretText,
  ServiceName,
} from "../secrets/stored.ts";
import { FieldRef } from "../input/targets/refs.ts";
import { authenticate } from "./authenticate.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";

const MAX_FIELDS = 64;
const MAX_ELEMENTS = 64;

/** Well-known fields; others may be stored as well. */
const KNOWN_FIELDS = {
  username: "The user name.",
  password: "The password of the account.",
  url: "The address of the service.",
  token: "An access token.",
  email: "An e-mail address.",
  phone: "A telephone number.",
  otp: "A one-time password, or the secret that generates them.",
} as const;

const UNAVAILABLE = { unavailable: "The keychain is not available now." };
const BOUNDARY =
  "No operation returns a stored value. That keeps secrets out of transcripts; it does " +
  "not protect them from a caller who can run commands or see the screen.";

export function keychainOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "keychain", method: "POST", readOnly: false });
  return [
    define({
      id: "setKeychainItem",
      path: "/api/keychain/set-item",
      summary: "Store an item for a service",
      description:
        `Replaces the item that the service already has. Values of fewer than 6 characters, and numbers of fewer than 8 digits, are not redacted in answers. ${BOUNDARY}`,
      body: z.object({ service: ServiceName, item: itemSchema(limits) }),
      answer: noContent("The item is stored persistently."),
      errors: {
        ...UNAVAILABLE,
        too_large: "The system's keychain cannot hold an item of this size.",
      },
      run: setItem,
    }),
    define({
      id: "authenticateService",
      long: true,
      path: "/api/keychain/authenticate",
      summary: "Check values against the stored item, or fill in stored values",
      description:
        "An element with `value` is compared with the stored field. One with `coordinates` or `ref` is filled in: it is clicked " +
        "at the coordinates, or focused by the `ref`, then the field is cleared (`clear`; by default only the field of a `ref`) and the stored value is typed. Typing into an element stops when it loses the keyboard focus. Values are checked first. The answer is `true` if all were right " +
        "and all were typed; it is `false`, with nothing clicked or typed, if a value is wrong or a field is not " +
        `stored. After ${limits.maxWrongTries} wrong values for a service name each further attempt is delayed, from ` +
        `${limits.wrongTryDelayMs} ms up to ${limits.maxWrongTryDelayMs} ms, until right values for the fields that ` +
        `were wrong, or ten minutes without a wrong one, reset that. ${BOUNDARY}`,
      body: z.object({
        authElements: z.array(authElement(limits)).min(1).max(MAX_ELEMENTS)
          .describe("The elements to check or fill in, in this order."),
        service: ServiceName,
        frame: FrameId,
        clear: z.boolean().optional().describe(
          "If true, the fields are cleared first, by selecting and deleting everything in them; if false, they are not. By default those of `ref` are, and those of `coordinates` are not. " +
            "A terminal has no selection to delete, and would take the keys as a part of the value.",
        ),
        display_num: DisplayNumber,
      }),
      answer: json("`true` if all values were right and all were typed.", z.boolean()),
      errors: {
        ...INPUT_ERRORS,
        forbidden:
          "The request has coordinates or a ref, and the group mouse or keyboard is disabled.",
        conflict:
          "`system/release-all` ended the operation, a person is holding down a modifier, a click was " +
          "not delivered, a clicked window did not take the keyboard focus, or an element of `ref` is gone, is not an editable text field, or did not take or keep the focus.",
        timed_out: TARGET_ERRORS.timed_out,
        unavailable:
          "The keychain or the display is not available now, or too many attempts are waiting.",
      },
      uses: ({ authElements }) =>
        authElements.some(({ value }) => value === undefined) ? ["mouse", "keyboard"] : [],
      run: authenticate,
    }),
    define({
      readOnly: true,
      id: "listKeychainServices",
      method: "GET",
      path: "/api/keychain/list-services",
      summary: "List the services that have an item",
      answer: json("The names, sorted.", z.array(z.string())),
      errors: UNAVAILABLE,
      run: listServices,
    }),
    define({
      id: "deleteKeychainItem",
      path: "/api/keychain/delete-item",
      summary: "Delete the item of a service",
      description: "Does nothing if the service has no item.",
      body: z.object({ service: ServiceName }),
      answer: noContent("The service no longer has an item."),
      errors: UNAVAILABLE,
      run: deleteItem,
    }),
  ];
}

function itemSchema(limits: Limits) {
  const value = SecretText(limits).nullable();
  const known = Object.entries(KNOWN_FIELDS)
    .map(([name, meaning]) => [name, value.optional().describe(meaning)]);
  return z.object(Object.fromEntries(known) as Record<string, z.ZodOptional<typeof value>>)
    .catchall(value)
    .superRefine((item, context) => {
      for (const name of Object.keys(item)) {
        const problem = FieldName.safeParse(name).error?.issues[0];
        if (problem === undefined) continue;
        const message = `A field name has 1 to 64 characters and no control characters`;
        context.addIssue({ code: "custom", path: [name.slice(0, 64)], message });
      }
      const values = Object.values(item).filter((each) => typeof each === "string");
      if (values.length === 0 || values.length > MAX_FIELDS) {
        const message = `An item has 1 to ${MAX_FIELDS} fields with a text`;
        context.addIssue({ code: "custom", message });
      }
    })
    .meta({ minProperties: 1, propertyNames: { minLength: 1, maxLength: 64 } })
    .describe(
      "The values by field name. `null` means that there is no such field. Other names are allowed.",
    );
}

const METHODS = ["value", "coordinates", "ref"] as const;

function authElement(limits: Limits) {
  return z.object({
    type: FieldName,
    value: SecretText(limits).optional().describe("The value to compare with the stored one."),
    coordinates: z.object({ x: X, y: Y }).optional()
      .describe("The position of the field that the stored value is typed into."),
    ref: FieldRef,
  }).refine(
    (element) => METHODS.filter((name) => element[name] !== undefined).length === 1,
    "An element has exactly one of value, coordinates and ref",
  ).meta({ oneOf: METHODS.map((name) => ({ required: [name] })) });
}

interface SetInput {
  readonly service: string;
  /** Fields that are `null` are omitted. */
  readonly item: Readonly<Record<string, string | null | undefined>>;
}

async function setItem({ platform, session }: Context, { service, item }: SetInput) {
  const values = Object.entries(item)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const stored = new Map(values);
  const keychain = requireKeychain(platform);
  session.use(KnownSecrets).add(service, stored); // a failed write may have stored the item all the same
  await keychain.write(service, itemToText(stored));
  session.use(KnownSecrets).set(service, stored);
}

/** Deletes the item of a service; succeeds even if there is none. */
async function deleteItem(
  { platform, session }: Context,
  { service }: { readonly service: string },
) {
  await requireKeychain(platform).remove(service);
  session.use(KnownSecrets).delete(service);
}

async function listServices({ platform }: Context): Promise<string[]> {
  return (await requireKeychain(platform).names()).sort(byCodePoint);
}

/** Gives the same order in every locale. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
