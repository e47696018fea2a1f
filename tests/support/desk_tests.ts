/** Tests of others with desks: the service for them, their process, and what they leave of a failure. */

import { expect } from "expect";
import { startCommand } from "./command.ts";
import type { TestFolder } from "./folder.ts";
import { decodePng } from "./png.ts";
import { readChapters } from "./recorded_file.ts";

const TOKEN = "s3cret-token-of-this-test";

export interface DeskService extends AsyncDisposable {
  /** By which clients find it. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of its desks. */
  desks(): Promise<string[]>;
}

/** The service with a virtual display, and a token. */
export async function startDeskService({ path }: TestFolder): Promise<DeskService> {
  const tokenFile = `${path}/token`;
  await Deno.writeTextFile(tokenFile, TOKEN, { mode: 0o600 });
  const service = await startCommand([
    ...["--no-setup", "--virtual-display", "800x600", "--token-file", tokenFile],
  ]);
  const { address } = service;
  return {
    env: { COMPUTER_CONTROL_URL: address, COMPUTER_CONTROL_TOKEN: TOKEN },
    async desks() {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const response = await fetch(`${address}/api/desk/list`, { headers });
      expect(response.status).toBe(200);
      return (await response.json() as { name: string }[]).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export interface EndedTests {
  readonly code: number;
  /** What they wrote to both of their outputs. */
  readonly said: string;
}

/** Runs a command to its end. */
export async function runTests(command: Deno.Command): Promise<EndedTests> {
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, said: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The files of a failing test: a picture of its desk, the trail as a page, and a video. */
export async function expectEvidence(folder: string, operation: string): Promise<void> {
  expect(namesIn(folder)).toEqual(["picture.png", "trail.html", "video.webm"]);
  const { width, height } = decodePng(await Deno.readFile(`${folder}/picture.png`));
  expect([width, height]).toEqual([1280, 800]);
  const trail = await Deno.readTextFile(`${folder}/trail.html`);
  expect(trail).toMatch(/^<!doctype html>/i);
  expect(trail).toContain(operation);
  const chapters = await readChapters(await Deno.readFile(`${folder}/video.webm`));
  expect(chapters.map(({ title }) => title)).toContain(operation);
}

/** The names in a folder, in order; none where there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
