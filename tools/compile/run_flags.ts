/** How Deno runs the bundled program: everything allowed, nothing looked up. */

/** `deno.json` does not come along, so what it switches on is said here; a test compares the two. */
export const UNSTABLE_FLAGS = [
  "--unstable-lazy-dynamic-imports",
  "--unstable-no-legacy-abort",
] as const;

export const RUN_FLAGS = [
  ...["--allow-all", "--no-config", "--no-lock", "--no-remote", "--no-npm"],
  ...UNSTABLE_FLAGS,
] as const;
