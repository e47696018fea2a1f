/** System V shared memory of the C library on Linux (sys/shm.h), declarations only. */

/** `IPC_PRIVATE`: a segment that no other process can find by a key. */
export const IPC_PRIVATE = 0;
export const IPC_CREAT = 0o1000;
/** `IPC_RMID`: the segment is removed with its last mapping. */
export const IPC_RMID = 0;

const SYMBOLS = {
  /** `int shmget(key_t key, size_t size, int shmflg)` */
  shmget: { parameters: ["i32", "usize", "i32"], result: "i32" },
  /** `void *shmat(int shmid, const void *shmaddr, int shmflg)`; `(void *) -1` is a failure */
  shmat: { parameters: ["i32", "pointer", "i32"], result: "pointer" },
  /** `int shmdt(const void *shmaddr)` */
  shmdt: { parameters: ["pointer"], result: "i32" },
  /** `int shmctl(int shmid, int op, struct shmid_ds *buf)` */
  shmctl: { parameters: ["i32", "i32", "pointer"], result: "i32" },
} as const;

export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** @throws Error when there is no glibc. */
export function openLibc(): Libc {
  return Deno.dlopen("libc.so.6", SYMBOLS).symbols;
}
