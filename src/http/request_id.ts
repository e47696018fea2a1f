/** The id that every answer carries: the client's own where it is a sane token, else the next of ours. */

/** A token that is safe in a header and in a log line. */
const SANE = /^[\w.:-]{1,128}$/;

/** Gives each request its id: a start id (so that two runs never share one) and a counter, which costs next to nothing. */
export class RequestIds {
  readonly #start = [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  #count = 0;

  of(request: Request): string {
    const given = request.headers.get("x-request-id");
    return given !== null && SANE.test(given) ? given : `${this.#start}-${++this.#count}`;
  }
}
