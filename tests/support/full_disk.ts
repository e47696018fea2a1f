/** Fills a small file system, but for a few pages: each number of them stops a program at another step. */

const PAGE = 4_096;

/** Leaves `pages` of 4 KiB free; disposing gives all room back. */
export async function fillBut(folder: string, pages: number): Promise<AsyncDisposable> {
  const filler = `${folder}/filler`;
  let size = 0;
  {
    using file = await Deno.open(filler, { createNew: true, write: true });
    const page = new Uint8Array(PAGE);
    try {
      while (true) size += await file.write(page);
    } catch (error) {
      if (!String(error).includes("No space")) throw error;
    }
  }
  await Deno.truncate(filler, Math.max(0, size - pages * PAGE));
  return { [Symbol.asyncDispose]: () => Deno.remove(filler) };
}
