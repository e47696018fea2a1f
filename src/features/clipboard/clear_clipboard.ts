/** Leaves nothing on the clipboard. */

import type { Context } from "../context.ts";
import { useClipboard } from "./use_clipboard.ts";

export async function clearClipboard(
  context: Context,
  { display_num }: { readonly display_num: number },
): Promise<void> {
  const { signal } = context;
  await useClipboard(context, display_num, "writing", (clipboard) => clipboard.clear(signal));
}
