/** readPlaces(): home and state folder by the customs of each system. */

import { expect } from "expect";
import { isAbsolute } from "node:path";
import { findUserFolders } from "../../src/config/environment.ts";

const table: [string, string, Record<string, string>, string, string][] = [
  [
    "Linux",
    "linux",
    { HOME: "/home/me" },
    "/home/me",
    "/home/me/.local/state/computer-control",
  ],
  [
    "Linux with XDG_STATE_HOME",
    "linux",
    { HOME: "/home/me", XDG_STATE_HOME: "/state" },
    "/home/me",
    "/state/computer-control",
  ],
  [
    "Linux with a relative XDG_STATE_HOME",
    "linux",
    { HOME: "/home/me", XDG_STATE_HOME: "state" },
    "/home/me",
    "/home/me/.local/state/computer-control",
  ],
  [
    "macOS",
    "darwin",
    { HOME: "/Users/me" },
    "/Users/me",
    "/Users/me/Library/Application Support/computer-control",
  ],
  [
    "Windows",
    "windows",
    { USERPROFILE: "C:\\Users\\me", LOCALAPPDATA: "D:\\Local" },
    "C:\\Users\\me",
    "D:\\Local\\computer-control",
  ],
  [
    "Windows without LOCALAPPDATA",
    "windows",
    { USERPROFILE: "C:\\Users\\me" },
    "C:\\Users\\me",
    "C:\\Users\\me\\AppData\\Local\\computer-control",
  ],
];

for (const [what, os, env, home, stateDir] of table) {
  Deno.test(`readPlaces() on ${what}`, () => {
    expect(findUserFolders(os, env, undefined)).toEqual({ home, stateDir });
    expect(findUserFolders(os, env, "/given")).toEqual({ home, stateDir: "/given" });
  });
}

Deno.test("readPlaces() finds the home of a user without variables", () => {
  const { home } = findUserFolders("linux", {}, undefined);
  expect(isAbsolute(home)).toBe(true);
});
