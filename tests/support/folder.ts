/** A folder for one test, gone with everything in it when the test ends. */

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** @param dir where it is made, instead of with all temporary files */
export async function testFolder(dir?: string): Promise<TestFolder> {
  const path = await Deno.makeTempDir(dir === undefined ? {} : { dir });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
