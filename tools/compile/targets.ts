/** The systems that executables are made for. */

export interface Target {
  /** As Deno and Rust call it. */
  readonly triple: string;
  /** The end of the file name: `linux-x86_64`. */
  readonly name: string;
  readonly os: "linux" | "macos" | "windows";
  readonly arch: "x86_64" | "aarch64";
  /** The npm package that brings Deno for it. */
  readonly runtimePackage: string;
}

export const TARGETS: readonly Target[] = [
  target("x86_64-unknown-linux-gnu", "linux", "x86_64", "@deno/linux-x64-glibc"),
  target("aarch64-unknown-linux-gnu", "linux", "aarch64", "@deno/linux-arm64-glibc"),
  target("x86_64-pc-windows-msvc", "windows", "x86_64", "@deno/win32-x64"),
  target("x86_64-apple-darwin", "macos", "x86_64", "@deno/darwin-x64"),
  target("aarch64-apple-darwin", "macos", "aarch64", "@deno/darwin-arm64"),
];

function target(
  triple: string,
  os: Target["os"],
  arch: Target["arch"],
  runtimePackage: string,
): Target {
  return { triple, name: `${os}-${arch}`, os, arch, runtimePackage };
}

/**
 * `all`, a triple, or nothing for the system that asks.
 * @throws Error with what can be said.
 */
export function readTargets(text: string | undefined, here: string): readonly Target[] {
  if (text === "all") return TARGETS;
  const wanted = text ?? here;
  const found = TARGETS.filter(({ triple }) => triple === wanted);
  if (found.length > 0) return found;
  const known = TARGETS.map(({ triple }) => triple).join(", ");
  throw new Error(`--target "${wanted}": must be all or one of ${known}`);
}

/** `computer-control-linux-x86_64`, `computer-control-windows-x86_64.exe` */
export function executableName({ name, os }: Target): string {
  return `computer-control-${name}${os === "windows" ? ".exe" : ""}`;
}
