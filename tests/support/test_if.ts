/** Tests that need something which not every computer has. */

/** Registers tests when the condition holds; else each is ignored, and says why. */
export function testIf(condition: boolean, reason: string) {
  return (name: string, run: (test: Deno.TestContext) => void | Promise<void>): void => {
    if (!condition) console.log(`Ignored: "${name}": ${reason}`);
    Deno.test({ name, ignore: !condition, fn: run });
  };
}

/** For `ignore` of a test: whether the condition does not hold, which is printed with the reason. */
export function unless(condition: boolean, reason: string): boolean {
  if (!condition) console.log(`A test is ignored: ${reason}`);
  return !condition;
}

/** Whether a program is there and ends well: what such tests ask before they are registered. */
export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    const io = { stdin: "null", stdout: "null", stderr: "null" } as const;
    return (await new Deno.Command(program, { args: [...args], ...io }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** @param program its name, or its path where it is none of the path's folders */
export function isOnPath(program: string): boolean {
  if (program.startsWith("/")) return isFile(program);
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => isFile(`${folder}/${program}`));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
