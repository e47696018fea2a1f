/** Opens functions of the C library of Linux. */

/** @throws when there is no glibc, or it lacks one of them. */
export function openLibc<const S extends Deno.ForeignLibraryInterface>(
  symbols: S,
): Deno.DynamicLibrary<S> {
  return Deno.dlopen("libc.so.6", symbols);
}
