/** A folder for one test, gone with everything in it when the test ends. */

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** @param dir where it is made, instead of with all temporary files */
export async function testFolder(dir?: string): Promise<TestFolder> {
  const path = await Deno.makeTempDir(dir === undefined ? {} : { dir });
  return {
    path,
    [Symbol.asyncDispose]: () => removeAll(path),
  };
}

/** Once more where a program that has just been ended has made something meanwhile. */
async function removeAll(path: string, tries = 20): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (tries === 0 || !/not empty/i.test(String(error))) throw error;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await removeAll(path, tries - 1);
  }
}
