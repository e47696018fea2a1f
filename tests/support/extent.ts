/** How long the tests are that repeat something many times: in full where `CI=true`, otherwise in a shorter form. */

const IS_FULL = Deno.env.get("CI") === "true";

export function inFull<T>(full: T, otherwise: T): T {
  return IS_FULL ? full : otherwise;
}
