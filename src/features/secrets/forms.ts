/** Lists the forms in which a stored value can occur in the output of programs. */

/** Shorter values are ignored, because they would occur in any text by chance. */
const MIN_CHARACTERS = 6;
/**
 * Numbers of fewer digits are ignored, too: a single text can have all of them, and the one that is
 * replaced would be the answer to a guess.
 */
const SHORT_NUMBER = /^\p{Nd}{0,7}$/u;
/** Shorter lines of a multi-line value are ignored, unless the whole value occurs. */
const MIN_LINE_CHARACTERS = 8;
const LINE_BREAK = /\r\n|\n|\r/;
/** First and last line of a PEM file, which all keys and certificates have in common. */
const ARMOR = /^-----(BEGIN|END) [A-Z0-9 ]+-----$/;

/**
 * The value without trailing line breaks (as a shell prints it), with either kind of line break,
 * line by line without indentation, and each of these as JSON escapes, with and without non-ASCII
 * characters, and as addresses have it. The value itself comes first; forms too short to search for are omitted.
 */
export function listForms(value: string): readonly string[] {
  const whole = [value, value.replace(/[\r\n]+$/, "")];
  const lines = whole[1]!.split(LINE_BREAK);
  const plain = lines.length === 1 ? whole : [
    ...whole,
    lines.join("\n"),
    lines.join("\r\n"),
    ...lines.map((line) => line.trim()).filter(isTelling),
  ];
  const forms = new Set([...plain, ...plain.flatMap(jsonForms), ...plain.flatMap(urlForms)]);
  return [...forms].filter((form) =>
    hasCharacters(form, MIN_CHARACTERS) && !SHORT_NUMBER.test(form)
  );
}

function isTelling(line: string): boolean {
  return hasCharacters(line, MIN_LINE_CHARACTERS) && !ARMOR.test(line);
}

function hasCharacters(text: string, least: number): boolean {
  return [...text.slice(0, 2 * least)].length >= least;
}

/**
 * As written by JavaScript, in ASCII by Python, with escaped slashes by PHP, and HTML-safe by Go.
 */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7e]/g, escaped);
  const html = json.replace(/[<>&\u2028\u2029]/g, escaped);
  return [json, ascii, ascii.replaceAll("/", "\\/"), html];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** As scripts put it into an address, a form of a page does, and a browser shows what was typed. */
function urlForms(text: string): string[] {
  const whole = text.toWellFormed();
  const form = new URLSearchParams([["", whole]]).toString().slice(1);
  const component = encodeURIComponent(whole);
  const strict = component.replace(/[!'()*]/g, percentEncoded); // as Python and PHP do
  return [component, strict, form, form.replaceAll("+", "%20"), encodeURI(whole)];
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
