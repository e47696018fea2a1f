/** The files of the console's page. */

import { once } from "../core/shared_run.ts";

interface PageFile {
  readonly mediaType: string;
  text(): Promise<string>;
}

/** The page itself is "". Its links are relative, so that it works under every computer's name. */
export async function readPageFile(
  name: string,
): Promise<{ readonly mediaType: string; readonly text: string } | undefined> {
  const file = FILES.get(name);
  return file && { mediaType: file.mediaType, text: await file.text() };
}

const FILES: ReadonlyMap<string, PageFile> = new Map<string, PageFile>([
  ["", {
    mediaType: "text/html; charset=utf-8",
    text: once(async () => (await import("./page/page.html", { with: { type: "text" } })).default),
  }],
  ["console.js", {
    mediaType: "text/javascript; charset=utf-8",
    text: once(async () => (await import("./page/bundle.js", { with: { type: "text" } })).default),
  }],
  ["console.css", {
    mediaType: "text/css; charset=utf-8",
    text: once(async () => (await import("./page/style.css", { with: { type: "text" } })).default),
  }],
]);
