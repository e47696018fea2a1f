/** Defines the operations on links to watch as data. */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { requireCapability } from "../../platform/capability.ts";
import { MAX_NAME_LENGTH, NAME, NAME_RULE } from "../actor.ts";
import type { Context } from "../context.ts";
import { DisplayNumber } from "../fields.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import { type NewLink, WatchLinks } from "./watch_links.ts";

const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const MAX_WINDOW_LENGTH = 64;

const LinkId = z.string().min(1).max(32).describe("The `id` of the link.");
const Expires = z.string().describe("When it ends, in ISO 8601.");

const LinkEntry = z.object({
  id: LinkId,
  name: z.string().describe("Who watches by it, as the console shows it."),
  display_num: z.int().describe("The display that it shows."),
  window: z.string().optional().describe("The one window that it shows."),
  by: z.string().describe("The name of the token that made it."),
  created: z.string().describe("When it was made, in ISO 8601."),
  expires: Expires,
});

export function linkOperations(): readonly Operation[] {
  const define = definingWith({ group: "control", method: "POST", readOnly: false });
  return [
    define({
      id: "createLink",
      path: "/api/control/link",
      summary: "Make a link to watch",
      description:
        "Whoever opens the link sees the live picture of the display, or of one window, and can do nothing else. It is for any number of viewers. It ends at its time, with `control/revoke-link`, with the token that made it, or with the service.",
      body: z.object({
        expires_in_seconds: z.int().min(MIN_SECONDS).max(MAX_SECONDS)
          .describe("After how many seconds it ends."),
        window: z.string().min(1).max(MAX_WINDOW_LENGTH).optional()
          .describe("The `id` of the one window to show, from `window/list`; else the display."),
        name: z.string().min(1).max(MAX_NAME_LENGTH)
          .refine((name) => NAME.test(name), `Name should have ${NAME_RULE}`).optional()
          .describe(
            `Who watches by it, as the console shows it: ${NAME_RULE}; \`link\` and its id if absent.`,
          ),
        display_num: DisplayNumber,
      }),
      answer: json(
        "The link is made.",
        z.object({
          url_path: z.string().describe(
            "The address below that of the service. It cannot be read again: whoever has it can watch.",
          ),
          id: LinkId,
          expires: Expires,
        }),
      ),
      errors: {
        forbidden: "The group `display` is disabled, or the token may not `view` itself.",
        conflict: "There are 100 links.",
        locked: "A program asks while a person has control, it is paused, or leased to another.",
      },
      uses: () => ["display"],
      run: createLink,
    }),
    define({
      id: "listLinks",
      method: "GET",
      readOnly: true,
      path: "/api/control/links",
      summary: "List the links to watch",
      answer: json("The links that have not ended, the oldest first.", z.array(LinkEntry)),
      run: ({ session }) => session.use(WatchLinks).list(),
    }),
    define({
      id: "revokeLink",
      path: "/api/control/revoke-link",
      summary: "End a link to watch",
      description: "Whoever watches by it sees nothing more.",
      body: z.object({ id: LinkId }),
      answer: noContent("The link has ended."),
      errors: { not_found: "There is no link with this id." },
      run: revokeLink,
    }),
  ];
}

type Fields = Omit<NewLink, "expiresInSeconds"> & { readonly expires_in_seconds: number };

async function createLink(context: Context, fields: Fields) {
  const { actor, session } = context;
  const { expires_in_seconds: expiresInSeconds, ...watched } = fields;
  const pid = await ownerOf(context, fields).catch(() => undefined); // it is not there now
  context.signal.throwIfAborted(); // the token of its maker may have ended
  const wanted = { ...watched, pid, expiresInSeconds };
  const { link, secret } = session.use(WatchLinks).create(actor, wanted);
  return { url_path: `/console#watch=${secret}`, id: link.id, expires: link.expires };
}

/** The process of the window: once it is closed, the window of another one can get its id. */
async function ownerOf({ platform, signal }: Context, { display_num, window }: Fields) {
  if (window === undefined) return undefined;
  const { windows } = await platform.displays.open(display_num);
  return (await requireCapability(windows).find(window, signal)).pid;
}

function revokeLink({ session }: Context, { id }: { readonly id: string }): void {
  if (session.use(WatchLinks).revoke(id)) return;
  throw new ServiceError("not_found", `There is no link ${JSON.stringify(id)}, or it has ended`);
}

const LINK = {
  id: "5f0c2a9b1d3e",
  name: "Ben",
  display_num: 1,
  by: "main",
  created: "2026-03-09T14:05:11.123Z",
  expires: "2026-03-09T15:05:11.123Z",
};

export const LINK_EXAMPLES = {
  createLink: {
    body: { expires_in_seconds: 3_600, name: "Ben" },
    answer: {
      url_path: "/console#watch=ccw_Jm1bUeTn0xQ7vZkq3Rr8sYpD2LhWcAi5gXoFt4MuEyN",
      id: LINK.id,
      expires: LINK.expires,
    },
  },
  listLinks: { answer: [LINK] },
  revokeLink: { body: { id: LINK.id } },
};
