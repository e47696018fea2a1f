/** A real LibreOffice Calc, checked by the cells of the file that it saves (flat OpenDocument XML). */

import { waitFor } from "../../support/wait.ts";
import { displayOf, inSession, openHome, type Place } from "./home.ts";
import { officeSettings } from "./office_settings.ts";
import { startProcess } from "./processes.ts";
import { savedFile } from "./saved_file.ts";
import { findXWindow, type XWindow } from "./xwindow.ts";

export interface Calc extends AsyncDisposable {
  readonly window: XWindow;
  /** Saves by Ctrl+S and gives the texts of the filled rows and columns, from the top left. */
  savedCells(): Promise<string[][]>;
}

export interface CalcOptions {
  /** The background of cell B2, as `#rrggbb`. */
  readonly background?: string;
}

function documentOf({ background }: CalcOptions): string {
  const table = background === undefined ? "" : COLOURED;
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>
<style:style style:name="coloured" style:family="table-cell">
<style:table-cell-properties fo:background-color="${background ?? "transparent"}"/></style:style>
</office:automatic-styles><office:body><office:spreadsheet>
<table:table table:name="Sheet1">${table}</table:table></office:spreadsheet></office:body>
</office:document>`;
}

const COLOURED = `<table:table-row><table:table-cell/></table:table-row>
<table:table-row><table:table-cell/><table:table-cell table:style-name="coloured"/></table:table-row>`;

/** A window that can be moved: without it Calc's fills the screen. */
const SMALL_WINDOW = [
  "org.openoffice.Setup/Office/Factories/org.openoffice.Setup:Factory['com.sun.star.sheet.SpreadsheetDocument']",
  "ooSetupFactoryWindowAttributes",
  "60,60,1000,600;1;0,0,0,0;",
] as const;

export async function openCalc(place: Place, options: CalcOptions = {}): Promise<Calc> {
  const display = displayOf(place);
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await openHome());
  const file = `${home.path}/document.fods`;
  await Deno.writeTextFile(file, documentOf(options));
  await Deno.mkdir(`${home.path}/profile/user`, { recursive: true });
  await Deno.writeTextFile(
    `${home.path}/profile/user/registrymodifications.xcu`,
    officeSettings(typeof place === "string" ? [] : [SMALL_WINDOW]),
  );
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

/** Rows that are counted of those that are alike. */
const MAX_REPEATED = 100;

function cellsOf(xml: string): string[][] {
  const rows = [...xml.matchAll(/<table:table-row\b([^>]*?)(?:\/>|>(.*?)<\/table:table-row>)/gs)]
    .flatMap(([, attributes = "", row = ""]) => {
      const cells = [
        ...row.matchAll(/<table:table-cell\b[^>]*?(?:\/>|>(.*?)<\/table:table-cell>)/gs),
      ]
        .map(([, cell = ""]) => textOf(cell));
      const [, count = "1"] = /number-rows-repeated="(\d+)"/.exec(attributes) ?? [];
      // the rest of the sheet is one empty row, a million times
      return Array.from({ length: Math.min(Number(count), MAX_REPEATED) }, () => cells);
    });
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
