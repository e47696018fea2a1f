/** Answers that may take long to send: their connections are not idle until the last byte has gone. */

const long = new WeakSet<Response>();

/** Notes that this answer may take long. */
export function markLong(response: Response): Response {
  long.add(response);
  return response;
}

export function isLong(response: Response): boolean {
  return long.has(response);
}
