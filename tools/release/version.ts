/** The version of this program, from the one place that says it. */

const CONFIG = new URL("../../deno.json", import.meta.url);

/** `0.1.0` */
export async function readVersion(): Promise<string> {
  return JSON.parse(await Deno.readTextFile(CONFIG)).version;
}
