/**
 * Lets the event loop turn once after the last test of each file: it is loaded before all of them.
 *
 * Deno 2.9.5 ends by SIGSEGV, once in some thousand files, where the turn in which a file ends has done so
 * much that tokio puts the rest off (its cooperative budget): the waker of the file's timers is then called
 * after these are freed. A turn of its own has little to do.
 */

const { setTimeout } = globalThis; // tests may put another one in its place

Deno.test.afterAll(() => new Promise<void>((resolve) => void setTimeout(resolve, 0)));
