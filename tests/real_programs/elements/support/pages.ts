/** Pages for browsers: one of 2,000 elements, and a form of 12 fields. */

/** Elements in each row of the large page, and how many rows it has. */
const IN_ROW = 5;
const ROWS = 400;

export const LARGE_PAGE_ELEMENTS = IN_ROW * ROWS;

/** A heading, a link, a button, a check box and a text field in each of 400 rows. */
export function largePage(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, row) =>
      `<h3>Article ${row}</h3><a href="#a${row}">Details ${row}</a>` +
      `<button id="buy${row}">Buy ${row}</button>` +
      `<input id="gift${row}" type="checkbox" aria-label="Gift ${row}">` +
      `<input id="note${row}" aria-label="Note ${row}">`,
  );
  return rows.map((row) => `<div style="padding: 4px">${row}</div>`).join("\n");
}

/** What is done to fill a field: by its role and its label. */
export interface FormField {
  readonly id: string;
  readonly role: string;
  readonly label: string;
  /** The value that the page must have, for a round. */
  value(round: number): string;
}

const COUNTRIES = ["Austria", "Brazil", "Chad", "Denmark"];

export const FORM_FIELDS: readonly FormField[] = [
  text("name", "Full name", (round) => `Zoë Müller ${round} 中文`),
  text("email", "E-mail", (round) => `zoe+${round}@example.org`),
  text("password", "Password", (round) => `pa$$ "wörd" ${round}`),
  text("phone", "Phone", (round) => `+49 30 ${1000 + round}`),
  text("site", "Web site", (round) => `https://example.org/?n=${round}&x=%20`),
  text("search", "Search terms", (round) => `one two ${round}`),
  { ...text("age", "Age", (round) => String(18 + round)), role: "spinbutton" },
  text("comment", "Comment", (round) => `line 1\nline 2 of ${round}`),
  { id: "country", role: "combobox", label: "Country", value: (round) => COUNTRIES[round % 4]! },
  { id: "terms", role: "checkbox", label: "I accept", value: (round) => String(round % 2 === 0) },
  { id: "express", role: "radio", label: "Express", value: () => "true" },
  { id: "volume", role: "slider", label: "Volume", value: (round) => String((round * 7) % 101) },
];

/** It stands in the middle of a page that is higher than the window. */
export function formPage(): string {
  const options = COUNTRIES.map((name) => `<option>${name}</option>`).join("");
  return `<style>label { display: block; margin: 12px; }</style>
<p style="height: 500px">Above the form</p><form id="form" onsubmit="return false">
${input("name", "text", "Full name")}${input("email", "email", "E-mail")}
${input("password", "password", "Password")}${input("phone", "tel", "Phone")}
${input("site", "url", "Web site")}${input("search", "search", "Search terms")}
${input("age", "number", "Age", 'min="0" max="200"')}
<label>Comment <textarea id="comment"></textarea></label>
<label>Country <select id="country">${options}</select></label>
<label><input id="terms" type="checkbox"> I accept</label>
<label><input id="standard" type="radio" name="speed"> Standard</label>
<label><input id="express" type="radio" name="speed"> Express</label>
<label>Volume <input id="volume" type="range" min="0" max="100" value="50"></label>
<button id="send">Send</button></form><p style="height: 900px">Below the form</p>`;
}

/** An expression that gives the values of the fields by their ids. */
export const FORM_VALUES = `Object.fromEntries([${
  FORM_FIELDS.map(({ id }) => JSON.stringify(id))
}].map((id) => {
  const field = document.getElementById(id);
  const isSwitch = field.type === "checkbox" || field.type === "radio";
  return [id, isSwitch ? String(field.checked) : field.value];
}))`;

/** What the page must have after a round. */
export function valuesOf(round: number): Record<string, string> {
  return Object.fromEntries(FORM_FIELDS.map(({ id, value }) => [id, value(round)]));
}

/** The background of the button of {@link COLOURED_PAGE}, which nothing else has. */
export const PAGE_COLOUR = "#12ab34";

/** A page with one button, all of one colour, and beside it what else is acted on. */
export const COLOURED_PAGE =
  `<button id="coloured" aria-label="Coloured" style="position: absolute; left: 123px; top: 77px;
width: 210px; height: 90px; border: 0; outline: 0; background: ${PAGE_COLOUR}"></button>`;

function text(id: string, label: string, value: FormField["value"]): FormField {
  return { id, role: "textbox", label, value };
}

function input(id: string, type: string, label: string, more = ""): string {
  return `<label>${label} <input id="${id}" type="${type}" ${more}></label>\n`;
}
