/** Creates a folder and any missing folders above it. */

import { ServiceError } from "../../core/errors.ts";
import { translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { resolvePath } from "./path.ts";

export async function createDirectory(
  { config }: Context,
  input: { readonly path: string },
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  await translating({ action: "Cannot make folder", path, field: "path" }, async () => {
    try {
      await Deno.mkdir(path, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const message = `Cannot make folder ${JSON.stringify(path)}: a file of that name exists`;
      throw new ServiceError("already_exists", message, { cause: error });
    }
  });
}
