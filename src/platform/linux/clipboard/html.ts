/** HTML on clipboards: without a declaration programs guess its encoding, mostly wrongly. */

import type { Parts } from "../../types/mod.ts";
import { dropStart, startOf } from "./encodings.ts";

/** As Chromium declares it. */
const DECLARATION = new TextEncoder().encode(
  '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
);
/** Where a document declares its encoding (HTML standard, 13.2.3.2). */
const SEARCHED_BYTES = 1_024;

/** Declares UTF-8, unless the HTML declares an encoding itself. */
export function offeredHtml(html: Parts): Parts {
  const start = new TextDecoder().decode(startOf(html, SEARCHED_BYTES));
  return /charset\s*=/i.test(start) ? html : [DECLARATION, ...html];
}

/** Without a declaration such as {@link offeredHtml} adds. */
export function readHtml(html: Parts): Parts {
  const start = startOf(html, DECLARATION.length);
  const isDeclared = start.length === DECLARATION.length &&
    start.every((byte, index) => byte === DECLARATION[index]);
  return isDeclared ? dropStart(html, DECLARATION.length) : html;
}
