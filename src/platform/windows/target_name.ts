/** Service names as names of credentials, where case does not matter and `*` has a meaning. */

/** Target names begin with this. */
const PREFIX = "computer-control:";

/** What {@link toTargetName} leaves as it is; capital letters are not among it, so that they can be told. */
const PLAIN = /^[a-z0-9._-]$/;
const ENCODED = /^(?:[a-z0-9._-]|%[0-9a-f]{2})*$/;

const encoder = new TextEncoder();

/** Finds every credential of ours. */
export const ALL_TARGETS = `${PREFIX}*`;

/** `github` stays readable, `GitHub` becomes `%47it%48ub`; different names are never the same target. */
export function toTargetName(service: string): string {
  const bytes = [...encoder.encode(service)];
  return PREFIX + bytes.map((byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}

/** The service name; `undefined` for a target that is not ours. */
export function toServiceName(target: string): string | undefined {
  const encoded = target.slice(PREFIX.length);
  if (!target.startsWith(PREFIX) || !ENCODED.test(encoded)) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // not UTF-8
  }
}
