/** Runs a part of a test as a user without rights, because root may do everything. */

const NOBODY = 65_534;

/** Whether this process can become somebody else. */
export const MAY_SWITCH = Deno.build.os === "linux" && Deno.uid() === 0;

/** Switches the effective user of the whole process for as long as `work` runs. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const library = Deno.dlopen("libc.so.6", {
    // int seteuid(uid_t euid); the C library does it in every thread
    seteuid: { parameters: ["u32"], result: "i32" },
    setegid: { parameters: ["u32"], result: "i32" },
  });
  const { seteuid, setegid } = library.symbols;
  if (setegid(NOBODY) !== 0 || seteuid(NOBODY) !== 0) throw new Error("Cannot switch the user");
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(0);
    library.close();
  }
}
