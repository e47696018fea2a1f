/** What a request that fits its schema may be refused for: what depends on the computer, or on two fields together. */

/**
 * Operation -> fields whose values can be impossible although their schema allows them; `*` is every operation,
 * and in a path every item of a list.
 */
const IMPOSSIBLE: Readonly<Record<string, readonly string[]>> = {
  // a place beside an element, no such picture, another display than the picture's, a point off the screen, no such key
  "*": ["frame", "since", "x", "y", "ref", "key", "keys", "modifiers", "region", "from"],
  // no such field of the keychain, two names that are one variable
  "executeCommand": ["env_secrets", "env", "cwd"],
  // no such field of the keychain, which is never pasted
  "typeText": ["secret", "method"],
  // no PNG in base64
  "setClipboard": ["png"],
  // a point off the screen
  "authenticateService": ["authElements.*.coordinates.x", "authElements.*.coordinates.y"],
  // no field with a text
  "setKeychainItem": ["item"],
  // not in the encoding that another field names
  "writeFile": ["content"],
  // inside the folder itself
  "movePath": ["destination"],
  "copyPath": ["destination"],
  // not in the file, beyond its end, no diff
  "applyPatch": ["diff"],
  "replaceString": ["old_str"],
  "insertText": ["insert_line"],
  "viewFile": ["view_range"],
  // no picture, broken, of too many pixels
  "locateImage": ["image_path"],
  "waitForDisplay": ["until"],
  // beyond the edge of the screen, no such reader
  "takeScreenshot": ["width", "height", "fit"],
  // no such reader
  "takeWindowScreenshot": ["fit"],
  // no such reader; what an action needs, or what it cannot be given
  "takeSnapshot": ["fit"],
  "actOnElement": ["action", "method", "ref", "value", "menu_path"],
  // no address, or one that is not shown
  "openTab": ["url"],
  "navigateTab": ["url"],
  // nothing to do, or to wait for
  "scrollPage": ["clicks"],
  "waitForPage": ["text"],
  // a part of a region, or a region of the whole page
  "screenshotPage": ["width", "height", "full_page"],
  // no such operation; the fields of the screenshot that `takeScreenshot` refuses, too
  "runBatch": [
    "steps.*.operation",
    ...["frame", "since", "x", "y", "width", "height", "region", "fit"].map((field) =>
      `then_screenshot.${field}`
    ),
  ],
  // no program, or a quote that is not closed
  "createDesk": ["open"],
  // no name that can be read
  "createLink": ["name"],
  // a call that cannot be answered
  "answerAnthropic": ["content.*.id", "content.*.name"],
};

/** `["body", "a", 0, "b"]` */
type Location = readonly (string | number)[];

/** Why a refusal of a fitting request is wrong, or nothing. */
export function cannotSay(operation: string, status: number, body: unknown): string | undefined {
  if (status !== 422) return undefined; // each is declared, with its reason
  const { detail } = body as { detail: readonly { loc: Location; type: string }[] };
  const fields = [...IMPOSSIBLE["*"]!, ...IMPOSSIBLE[operation] ?? []];
  const wrong = detail.find(({ loc, type }) =>
    !isOfStep(operation, loc) &&
    (type !== "value_error" ||
      !fields.some((field) => [String(loc[1]), pathOf(loc)].includes(field)))
  );
  if (wrong === undefined) return undefined;
  return `a fitting request was refused for ${wrong.loc.join(".")} (${wrong.type})`;
}

/** What a step is given is said by the schema of its operation. */
function isOfStep(operation: string, loc: Location): boolean {
  return operation === "runBatch" && loc[1] === "steps" &&
    ["input", "until"].includes(String(loc[3]));
}

/** `a.*.b` */
function pathOf(loc: Location): string {
  return loc.slice(1).map((part) => typeof part === "number" ? "*" : part).join(".");
}
