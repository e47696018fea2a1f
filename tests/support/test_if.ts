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
