/** Requests to a service that may be killed at any moment: each is done, refused with a documented reason, or of unknown outcome. */

/** What may be answered while something is missing that is not the caller's fault. */
const TROUBLE = new Set([409, 429, 503, 504]);
/** No answer may take longer, whatever has happened. */
const MAX_MS = 15_000;

export type Outcome =
  | { readonly kind: "done"; readonly json: unknown }
  | { readonly kind: "refused"; readonly status: number; readonly detail: string }
  | { readonly kind: "unknown" };

/**
 * Sends a request; a body makes it a POST.
 * @throws Error for an answer that must not come, or none in time.
 */
export async function ask(address: string, path: string, body?: unknown): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address + path, {
      signal: AbortSignal.timeout(MAX_MS),
      ...(body === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    text = await response.text();
  } catch (error) {
    if ((error as Error).name === "TimeoutError") throw new Error(`${path}: no answer`);
    return { kind: "unknown" };
  }
  const json = text === "" ? undefined : JSON.parse(text);
  if (response.ok) return { kind: "done", json };
  const { status } = response;
  if (!TROUBLE.has(status)) throw new Error(`${path}: ${status} ${text}`);
  return { kind: "refused", status, detail: String(json?.detail) };
}
