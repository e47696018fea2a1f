/** Finds an installed browser, and says how it is started on display 1. */

import { ServiceError } from "../../core/errors.ts";
import type { Host } from "../host.ts";
import type { BrowserSource } from "./source.ts";

/** In order of preference. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  linux: [
    ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    ...["microsoft-edge", "microsoft-edge-stable"],
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
};

const ARGS = [
  ...["--no-first-run", "--no-default-browser-check", "--password-store=basic"],
  // a container has little memory in /dev/shm
  ...["--use-mock-keychain", "--disable-dev-shm-usage", "--disable-session-crashed-bubble"],
  // a window behind others is read and used, too
  ...["--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"],
  "--disable-background-timer-throttling",
  // what it draws over its pages takes clicks and keys that are meant for them
  ...["--hide-crash-restore-bubble", "--deny-permission-prompts", "--disable-features=Translate"],
  "--disable-search-engine-choice-screen",
  // a page that has painted nothing yet would not get the press of a button
  "--allow-pre-commit-input",
];

export function findProgram(host: Host): string | undefined {
  return (NAMES[host.os] ?? []).map((name) => host.which(name)).find((path) => path !== undefined);
}

/** The variables by which a program finds display 1; `undefined` while there is no display. */
export type DisplayVariables = () => Readonly<Record<string, string>> | undefined;

/** @throws ServiceError `unavailable` when there is no display yet */
export function describeOwnBrowser(
  { env, uid }: Host,
  own: { readonly program: string; readonly url: string; readonly stateDirs: readonly string[] },
  variables: DisplayVariables,
): BrowserSource {
  const display = variables();
  if (display === undefined) {
    throw new ServiceError("unavailable", "Cannot start the browser: there is no display 1 now");
  }
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = env;
  const given = Object.entries(rest)
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  const asRoot = uid === 0 ? ["--no-sandbox"] : []; // Chromium refuses to start otherwise
  return {
    kind: "own",
    ...own,
    args: [...ARGS, ...asRoot],
    env: { ...Object.fromEntries(given), ...display },
  };
}
