/** File systems made for one test; a machine that forbids mounting tells why the test is skipped. */

export interface Mounted extends AsyncDisposable {
  readonly folder: string;
}

/** A small file system in memory; `undefined`, with the reason printed, where mounting is forbidden. */
export async function mountSmall(size: string): Promise<Mounted | undefined> {
  const folder = await Deno.makeTempDir();
  return await mounted(["-t", "tmpfs", "-o", `size=${size},mode=755`, "none", folder], folder);
}

/** Puts one file over another one, as container systems do. */
export async function bindOver(file: string, over: string): Promise<Mounted | undefined> {
  return await mounted(["--bind", file, over], over);
}

async function mounted(args: readonly string[], folder: string): Promise<Mounted | undefined> {
  const { success, stderr } = await run("mount", args);
  if (!success) {
    console.log(`skipped: mount is not possible here: ${stderr}`);
    return undefined;
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await run("umount", [folder]);
    },
  };
}

async function run(
  program: string,
  args: readonly string[],
): Promise<{ success: boolean; stderr: string }> {
  try {
    const output = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
    return { success: output.success, stderr: new TextDecoder().decode(output.stderr).trim() };
  } catch (error) {
    return { success: false, stderr: String(error) };
  }
}
