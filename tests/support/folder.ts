/** A folder for one test, gone with everything in it when the test ends. */

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

export async function testFolder(): Promise<TestFolder> {
  const path = await Deno.makeTempDir();
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
