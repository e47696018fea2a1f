/** Fills fields of pages. */

import { requireGroup } from "../switched_off.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Filled, FillValue } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

export async function fillField(
  context: Context,
  { ref, value }: { readonly ref: string; readonly value: FillValue },
): Promise<Filled> {
  return await inBrowser(context, "fill", { element: findPageElement(context, ref), value });
}

export async function uploadFiles(
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
  throw new ServiceError("is_a_directory", `"${found}" is a folder: give the files in it`);
}
