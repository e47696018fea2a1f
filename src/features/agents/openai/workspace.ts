/** The folder that the paths of `apply_patch` are relative to. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { translating } from "../../filesystem/file_errors.ts";
import { resolvePath } from "../../filesystem/path.ts";
import { realEntryPath } from "../../filesystem/real_entry_path.ts";
import { requireGroup } from "../../switched_off.ts";

/**
 * The absolute path of an entry. With a workspace the entry must be inside it, also when `..` and
 * links are followed; without one any path will do, relative to the home.
 * @param follow whether a link at the end is followed too, as an update does
 * @throws ServiceError `forbidden` for what is outside
 */
export async function pathInside(
  { config }: Context,
  workspace: string | undefined,
  { path: text, follow }: { readonly path: string; readonly follow: boolean },
): Promise<string> {
  requireGroup(config, "editor"); // a refusal must not tell what is there
  if (workspace === undefined) return resolvePath(text, config.home, "path");
  const root = resolvePath(workspace, config.home, "workspace");
  const path = resolvePath(isAbsolute(text) ? text : resolve(root, text), root, "path");
  const attempt = { action: "Cannot use", path, field: "path" };
  const real = await translating(attempt, async () => {
    const entry = await realEntryPath(path);
    return follow ? await Deno.realPath(entry).catch(() => entry) : entry;
  });
  const realRoot = await translating({ ...attempt, path: root }, () => Deno.realPath(root));
  const way = relative(realRoot, real);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    const message = `${JSON.stringify(text)} is not inside the workspace ${JSON.stringify(root)}`;
    throw new ServiceError("forbidden", message);
  }
  return path;
}
