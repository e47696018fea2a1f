/** What a recording and its thread share: whether pictures are withheld, and how often they were. */

/** Posted between the threads as it is. */
export type Withholding = Int32Array<SharedArrayBuffer>;

/** Fields that are being filled in now. */
const NOW = 0;
/** Fields that have ever been filled in; only its changes count. */
const EVER = 1;

export function createWithholding(): Withholding {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export function beginWithholding(shared: Withholding): void {
  Atomics.add(shared, EVER, 1);
  Atomics.add(shared, NOW, 1);
}

/** Call it when what must be black from then on is known. */
export function endWithholding(shared: Withholding): void {
  Atomics.sub(shared, NOW, 1);
}

export function isWithheld(shared: Withholding): boolean {
  return Atomics.load(shared, NOW) !== 0;
}

/** A picture may be kept only if this is the same as when its covers were known. */
export function countWithholdings(shared: Withholding): number {
  return Atomics.load(shared, EVER);
}
