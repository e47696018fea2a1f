/** Defines the operations on saved logins as data. */

import { z } from "zod";
import { DESK_NAME } from "../../core/groups.ts";
import { definingWith, type Operation } from "../operation.ts";
import { json, noContent } from "../outcomes.ts";
import { BROWSER_ERRORS } from "./fields.ts";
import { inBrowser } from "./in_browser.ts";
import { SavedStates } from "./saved_states.ts";

const Name = z.string().regex(
  DESK_NAME,
  "Name should have 1 to 32 characters of a-z, 0-9 and -, and - neither first nor last",
).describe("The name of the saved login.");

const Counts = z.object({
  cookies: z.int().describe("The number of cookies."),
  origins: z.int().describe("The number of origins whose local storage it has."),
});

export function loginOperations(): readonly Operation[] {
  const define = definingWith({
    group: "browser",
    method: "POST",
    uses: () => ["keychain"] as const,
  });
  const { not_found: _, conflict: __, ...errors } = BROWSER_ERRORS;
  const unavailable =
    `${errors.unavailable} Or the keychain, or the folder of saved logins, cannot be used.`;
  const MISSING = { not_found: "There is no saved login of this name." };
  const REFUSED = { unavailable: "The folder of saved logins cannot be used." };
  return [
    define({
      id: "saveLogin",
      readOnly: false,
      path: "/api/browser/state/save",
      summary: "Save what the browser is signed in by",
      description:
        "Keeps all cookies of the browser, and the local storage of its open pages, under a name, encrypted with a key of the keychain. An earlier one of this name is replaced.",
      body: z.object({ name: Name }),
      answer: json("It is saved.", Counts),
      errors: {
        ...errors,
        unavailable,
        conflict: "There are 100 saved logins.",
        too_large: "The cookies and the storage have more than 4 Mi characters.",
      },
      async run(context, { name }) {
        const { text, ...counts } = await inBrowser(context, "saveState", {});
        await context.session.use(SavedStates).save(name, text);
        return counts;
      },
    }),
    define({
      id: "loadLogin",
      readOnly: false,
      path: "/api/browser/state/load",
      summary: "Sign the browser in by a saved login",
      description:
        "Adds the saved cookies and storage to those of the browser, on a desk too; pages that are open must be loaded again.",
      body: z.object({ name: Name }),
      answer: json("It is loaded.", Counts),
      errors: { ...errors, unavailable, ...MISSING },
      async run(context, { name }) {
        const text = await context.session.use(SavedStates).load(name);
        return await inBrowser(context, "loadState", { text });
      },
    }),
    define({
      id: "listLogins",
      method: "GET",
      readOnly: true,
      path: "/api/browser/state/list",
      summary: "List the saved logins",
      answer: json("The names of the saved logins.", z.array(z.string())),
      errors: REFUSED,
      run: ({ session }) => session.use(SavedStates).list(),
    }),
    define({
      id: "deleteLogin",
      readOnly: false,
      path: "/api/browser/state/delete",
      summary: "Delete a saved login",
      body: z.object({ name: Name }),
      answer: noContent("It is deleted."),
      errors: { ...MISSING, ...REFUSED },
      run: ({ session }, { name }) => session.use(SavedStates).delete(name),
    }),
  ];
}

const COUNTS = { cookies: 12, origins: 2 };

export const LOGIN_EXAMPLES = {
  saveLogin: { body: { name: "shop" }, answer: COUNTS },
  loadLogin: { body: { name: "shop", desk: "alice" }, answer: COUNTS },
  listLogins: { answer: ["shop"] },
  deleteLogin: { body: { name: "shop" } },
};
