/** Whether Deno traces this program (`OTEL_DENO=true`). */

/** By which the API of OpenTelemetry finds what traces; Deno sets it before the program starts. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

export function isTelemetryOn(): boolean {
  return Object.hasOwn(globalThis, REGISTERED);
}
