/** Sets whose members belong to them for a time: listeners above all. */

/** Adds a member until the result is disposed of. */
export function addMember<T>(set: Set<T>, member: T): Disposable {
  set.add(member);
  return { [Symbol.dispose]: () => void set.delete(member) };
}
