/** Reads what happens in the browser besides its pages, without values of the keychain. */

import type { Context } from "../context.ts";
import { redactText } from "./redact_text.ts";
import { inBrowser } from "./use_browser.ts";

interface LogInput {
  readonly tab_id?: string | undefined;
  readonly since: number;
  readonly max: number;
}

export async function readConsole(context: Context, { tab_id: tab, since, max }: LogInput) {
  return await redacted(context, await inBrowser(context, "console", { tab, since, max }));
}

export async function readNetwork(context: Context, { tab_id: tab, since, max }: LogInput) {
  return await redacted(context, await inBrowser(context, "network", { tab, since, max }));
}

export async function listDialogs(context: Context) {
  return await redacted(context, await inBrowser(context, "dialogs", {}));
}

export async function listDownloads(context: Context) {
  return await redacted(context, await inBrowser(context, "downloads", {}));
}

export async function answerDialog(
  context: Context,
  { tab_id: tab, accept, text }: {
    readonly tab_id?: string | undefined;
    readonly accept: boolean;
    readonly text?: string | undefined;
  },
) {
  return await redacted(context, await inBrowser(context, "answerDialog", { tab, accept, text }));
}

/** All texts at once: they are bounded. */
async function redacted<T>(context: Context, value: T): Promise<T> {
  const text = JSON.stringify(value);
  const shown = await redactText(context, text);
  return shown === text ? value : JSON.parse(shown);
}
