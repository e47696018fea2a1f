/** Reads what happens in the browser besides its pages, without values of the keychain. */

import type { Context } from "../context.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import { inBrowser } from "./in_browser.ts";

interface LogInput {
  readonly tab_id?: string | undefined;
  readonly since: number;
  readonly max: number;
}

export async function readConsole(context: Context, { tab_id: tab, since, max }: LogInput) {
  return await redactAll(context, await inBrowser(context, "console", { tab, since, max }));
}

export async function readNetwork(context: Context, { tab_id: tab, since, max }: LogInput) {
  return await redactAll(context, await inBrowser(context, "network", { tab, since, max }));
}

export async function listDialogs(context: Context) {
  return await redactAll(context, await inBrowser(context, "dialogs", {}));
}

export async function listDownloads(context: Context) {
  return await redactAll(context, await inBrowser(context, "downloads", {}));
}

export async function answerDialog(
  context: Context,
  { tab_id: tab, accept, text }: {
    readonly tab_id?: string | undefined;
    readonly accept: boolean;
    readonly text?: string | undefined;
  },
) {
  return await redactAll(context, await inBrowser(context, "answerDialog", { tab, accept, text }));
}

/** All texts at once, since they are bounded; names of fields and numbers stay. */
export async function redactAll<T>(context: Context, value: T): Promise<T> {
  const texts: string[] = [];
  mapTexts(value, (text) => void texts.push(text));
  const { shown } = await redactTexts(context, texts);
  let at = 0;
  return mapTexts(value, () => shown[at++]);
}

function mapTexts<T>(value: T, change: (text: string) => string | undefined | void): T {
  return JSON.parse(
    JSON.stringify(value, (_, each) => typeof each === "string" ? change(each) ?? "" : each),
  );
}
