/** A folder for caches, for one test, and what the self-extracting file does with it. */

import { expect } from "expect";
import { bareEnvironment, builtExecutable, type Ended, runBare } from "./executable.ts";
import { testFolder } from "./folder.ts";

const VERSION = /^\d+\.\d+\.\d+ \(self-extracting, Deno \d+\.\d+\.\d+\)\n$/;

export interface Cache extends AsyncDisposable {
  /** What COMPUTER_CONTROL_CACHE names. */
  readonly path: string;
  /** The folder of the user in it. */
  readonly own: string;
  /** The unpacked files, when there are some. */
  unpacked(): Promise<string>;
  /** Prints the version, with `env` added. */
  version(env?: Readonly<Record<string, string>>, shell?: readonly string[]): Promise<Ended>;
}

export async function emptyCache(): Promise<Cache> {
  const folder = await testFolder();
  const path = `${folder.path}/cache`;
  const own = `${path}/computer-control`;
  const executable = await builtExecutable();
  await Deno.mkdir(path);
  return {
    path,
    own,
    async unpacked() {
      const entries = await Array.fromAsync(Deno.readDir(own));
      const [only, ...more] = entries.filter(({ name }) => /^\d/.test(name));
      expect(more).toEqual([]);
      return `${own}/${only!.name}`;
    },
    version(env = {}, shell = []) {
      const all = { ...bareEnvironment(folder.path), COMPUTER_CONTROL_CACHE: path, ...env };
      return runBare([...shell, executable, "--version"], all);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Nothing is left but what belongs there. */
export async function leftovers({ own }: Cache): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(own));
  return entries.map(({ name }) => name).filter((name) => !/^(\d.*|deno)$/.test(name));
}

export function expectVersion(ended: Ended, said = ""): void {
  expect(ended).toEqual({
    code: 0,
    stdout: expect.stringMatching(VERSION),
    stderr: said === "" ? "" : expect.stringContaining(said),
  });
}

export function expectRefusal(ended: Ended, ...parts: readonly string[]): void {
  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  for (const part of parts) expect(ended.stderr).toContain(part);
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
}
