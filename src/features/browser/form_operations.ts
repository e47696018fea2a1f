/** Defines the operations that fill fields of pages as data. */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Filled } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { PathField, resolvePath } from "../filesystem/paths.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { requireGroup } from "../switched_off.ts";
import { BROWSER_ERRORS, RequiredPageRef } from "./fields.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

const MAX_VALUE = 1_000_000;
const Text = z.string().max(MAX_VALUE);

const FilledField = z.object({
  result: z.enum(["confirmed", "unverified"]).describe(
    "`confirmed` if the field had the requested value when it was read again.",
  ),
  reason: z.string().describe("The reason for the result."),
});

export function formOperations(): readonly Operation[] {
  const common = { group: "browser", method: "POST", readOnly: false } as const;
  return [
    defineOperation({
      ...common,
      id: "fillField",
      path: "/api/browser/fill",
      summary: "Fill a field of a page",
      description:
        "Replaces the content of a text field, checks or unchecks a box, chooses options by value or label, or sets a date, a number or a color; then reads the field again. " +
        "A value that the field does not accept is 422; the message says what it accepts.",
      body: z.object({
        ref: RequiredPageRef,
        value: z.union([Text, z.number(), z.boolean(), z.array(Text).max(1_000)]).describe(
          "A text; true or false for a checkbox, a switch or a radio button; an option, or a list of them; a date as `YYYY-MM-DD`.",
        ),
      }),
      answer: json("The field was filled.", FilledField),
      errors: BROWSER_ERRORS,
      run: (context, { ref, value }) =>
        inBrowser(context, "fill", { element: findPageElement(context, ref), value }),
    }),
    defineOperation({
      ...common,
      id: "uploadFiles",
      path: "/api/browser/upload",
      summary: "Set the files of a file field of a page",
      description:
        "Chooses existing files for a file field, as its dialog would. Needs the group `filesystem`.",
      body: z.object({
        ref: RequiredPageRef,
        paths: z.array(PathField("path of a file")).min(1).max(100).describe(
          "The paths of the files.",
        ),
      }),
      answer: json("The field was filled.", FilledField),
      errors: {
        ...BROWSER_ERRORS,
        not_found: "A file does not exist.",
        is_a_directory: "A path is a folder.",
        not_a_file: "A path leads through a loop of symbolic links.",
        not_a_directory: "A component of a path is a file.",
        permission_denied: "The service lacks the permission for a file.",
        forbidden: "The group `filesystem` is disabled.",
      },
      run: uploadFiles,
    }),
  ];
}

// Fills fields of pages.

async function uploadFiles(
  context: Context,
  { ref, paths }: { readonly ref: string; readonly paths: readonly string[] },
): Promise<Filled> {
  requireGroup(context.config, "filesystem");
  const element = findPageElement(context, ref);
  const found = await Promise.all(paths.map((path, index) => findFile(context, path, index)));
  return await inBrowser(context, "upload", { element, paths: found });
}

async function findFile({ config }: Context, path: string, index: number): Promise<string> {
  const field = ["paths", index] as const;
  const found = resolvePath(path, config.home, field);
  const looking = { action: "Cannot upload", path: found, field };
  const { isDirectory } = await translating(looking, () => Deno.stat(found));
  if (!isDirectory) return found;
  throw new ServiceError("is_a_directory", `"${found}" is a folder: give its files instead`);
}
