/** The service with a home and a state folder of its own, for tests on real files. */

import { expect } from "expect";
import { join } from "node:path";
import type { Limits } from "../../../src/config/limits.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { type Received, type TestApp, testApp } from "../../support/client.ts";

export interface FilesApp extends AsyncDisposable {
  readonly app: TestApp;
  /** The home, which is empty at first. */
  readonly home: string;
  readonly stateDir: string;
  /** A path below the home. */
  at(...names: string[]): string;
  /** Writes a file below the home, with its folders. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  /** Calls `editor/view` and the like; it must succeed. Gives its JSON, or `undefined` for 204. */
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  call(operation: string, body: unknown): Promise<any>;
  /** Calls it; it must fail with this status. Gives `detail`. */
  // deno-lint-ignore no-explicit-any -- a sentence, or a list of errors
  refused(status: number, operation: string, body: unknown): Promise<any>;
  info(path: string): Promise<Received>;
  /** What is left in the journal's folder. */
  journal(): string[];
}

export interface FilesAppOptions {
  readonly limits?: Partial<Limits>;
  /** Where the home and the state folder are made. */
  readonly folder?: string;
  readonly stateDir?: string;
  /** One that is there already, and stays. */
  readonly home?: string;
}

export async function openFilesApp(options: FilesAppOptions = {}): Promise<FilesApp> {
  const folder = await Deno.makeTempDir(options.folder ? { dir: options.folder } : {});
  const home = options.home ?? join(await Deno.realPath(folder), "home");
  const stateDir = options.stateDir ?? join(folder, "state");
  await Deno.mkdir(home, { recursive: true });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const app = testApp({ config: { home, stateDir, limits } });
  const at = (...names: string[]) => join(home, ...names);
  return {
    app,
    home,
    stateDir,
    at,
    async put(name, content) {
      await Deno.mkdir(join(at(name), ".."), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(at(name), content);
      else await Deno.writeFile(at(name), content);
      return at(name);
    },
    async call(operation, body) {
      const { status, text, json } = await app.post(`/api/${operation}`, body);
      expect({ operation, body, status, text }).toMatchObject({
        status: text === "" ? 204 : 200,
      });
      return json;
    },
    async refused(status, operation, body) {
      const answer = await app.post(`/api/${operation}`, body);
      expect({ operation, body, status: answer.status, text: answer.text })
        .toMatchObject({ status });
      return answer.json.detail;
    },
    info: (path) => app.send("GET", `/api/filesystem/info/${path}`),
    journal: () => namesIn(join(stateDir, "journal")),
    async [Symbol.asyncDispose]() {
      await app.session[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The names in a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
