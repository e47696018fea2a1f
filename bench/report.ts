/** Prints figures so that they can be read, and pasted into RESULTS.md. */

export function section(title: string): void {
  console.log(`\n### ${title}\n`);
}

export function row(label: string, figures: readonly (string | number)[]): void {
  console.log(
    `${label.padEnd(72)} ${figures.map((figure) => String(figure).padStart(10)).join("")}`,
  );
}

/** The machine, as far as it explains the figures. */
export async function describeMachine(): Promise<string> {
  const cpuinfo = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  const model = cpuinfo.match(/^model name\s*:\s*(.*)$/m)?.[1] ?? Deno.build.arch;
  const gib = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `${navigator.hardwareConcurrency} cores of ${model}, ${gib} GiB, Deno ${Deno.version.deno}`;
}
