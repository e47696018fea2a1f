/** A real LibreOffice Calc, checked by the cells of the file that it saves (flat OpenDocument XML). */

import { waitFor } from "../../support/wait.ts";
import { displayOf, inSession, openHome, type Place } from "./home.ts";
import { startProcess } from "./processes.ts";
import { savedFile } from "./saved_file.ts";
import { findXWindow, type XWindow } from "./xwindow.ts";

export interface Calc extends AsyncDisposable {
  readonly window: XWindow;
  /** Saves by Ctrl+S and gives the texts of the filled rows and columns, from the top left. */
  savedCells(): Promise<string[][]>;
}

const EMPTY = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body>
<office:spreadsheet><table:table table:name="Sheet1"/></office:spreadsheet></office:body>
</office:document>`;

/** What would change what is typed, or stand in front of the sheet. */
const SETTINGS: readonly (readonly [string, string, string])[] = [
  ["org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"],
  ["org.openoffice.Office.Common/Misc", "FirstRun", "false"],
  ["org.openoffice.Setup/Product", "ooSetupLastVersion", "99.9"],
  ["org.openoffice.Setup/Product", "LastTimeDonateShown", "4000000000"],
  ["org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "4000000000"],
  ["org.openoffice.Office.Common/AutoCorrect", "CapitalAtStartSentence", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "TwoCapitalsAtStart", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "CorrectAccidentalCapsLock", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "UseReplacementTable", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ReplaceSingleQuote", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ReplaceDoubleQuote", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ChangeDash", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ChangeOrdinalNumber", "false"],
  ["org.openoffice.Office.Calc/Input", "AutoInput", "false"],
];

export async function openCalc(place: Place): Promise<Calc> {
  const display = displayOf(place);
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const file = `${home.path}/document.fods`;
  await Deno.writeTextFile(file, EMPTY);
  await Deno.mkdir(`${home.path}/profile/user`, { recursive: true });
  await Deno.writeTextFile(`${home.path}/profile/user/registrymodifications.xcu`, settings());
  const [command, ...args] = inSession(place, [
    ...["soffice", "--calc", "--norestore", "--nologo", "--nofirststartwizard"],
    ...[`-env:UserInstallation=file://${home.path}/profile`, file],
  ]);
  const program = opening.use(startProcess(command!, {
    args,
    env: { ...home.env(place), SAL_USE_VCLPLUGIN: toolkitAt(place) },
    log: `${home.path}/errors`,
  }));
  const window = await waitFor(async () => {
    const found = await findXWindow(display, "soffice|libreoffice");
    return (await found.title()).includes("document.fods") && found;
  }, { what: "the sheet", timeoutMs: 90_000 }).catch(async (cause) => {
    throw new Error(`Calc shows no sheet: ${await program.errors()}`, { cause });
  });
  await window.focus();
  const open = opening.move();
  return {
    window,
    savedCells: async () => cellsOf(await savedFile(display, file, { end: "</office:document>" })),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** By which it shows its windows as GTK does. */
const GTK_PLUGIN = "/usr/lib/libreoffice/program/libvclplug_gtk3lo.so";

/** Only with GTK it tells assistive technology what it shows; a missing plugin would not be said. */
function toolkitAt(place: Place): string {
  if (typeof place === "string") return "gen";
  Deno.statSync(GTK_PLUGIN);
  return "gtk3";
}

function settings(): string {
  const items = SETTINGS.map(([path, name, value]) =>
    `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${items.join("\n")}</oor:items>`;
}

function cellsOf(xml: string): string[][] {
  const rows = [...xml.matchAll(/<table:table-row\b[^>]*?(?:\/>|>(.*?)<\/table:table-row>)/gs)]
    .map(([, row = ""]) =>
      [...row.matchAll(/<table:table-cell\b[^>]*?(?:\/>|>(.*?)<\/table:table-cell>)/gs)]
        .map(([, cell = ""]) => textOf(cell))
    );
  const filled = rows.map((row) => row.slice(0, row.findLastIndex((text) => text !== "") + 1));
  return filled.slice(0, filled.findLastIndex((row) => row.length > 0) + 1);
}

function textOf(cell: string): string {
  const paragraphs = [...cell.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, text]) => text!);
  return paragraphs.join("\n")
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = "1") => " ".repeat(Number(count)))
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");
}
