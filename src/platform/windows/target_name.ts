/** Converts service names to names of credentials, which ignore case and give `*` a meaning. */

/** The prefix of all our target names. */
const PREFIX = "computer-control:";

/** Characters that {@link toTargetName} keeps: no capitals, because target names ignore case. */
const PLAIN = /^[a-z0-9._-]$/;
const ENCODED = /^(?:[a-z0-9._-]|%[0-9a-f]{2})*$/;

const encoder = new TextEncoder();

/** The filter that matches all our credentials. */
export const ALL_TARGETS = `${PREFIX}*`;

/** `github` stays readable, `GitHub` becomes `%47it%48ub`; different names never share a target. */
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
