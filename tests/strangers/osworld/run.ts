/** Runs office tasks: opens their documents in LibreOffice, performs their scripts, and has what is saved judged. */

import { join } from "node:path";
import { type OfficeSetting, officeSettings } from "../../real_programs/support/office_settings.ts";
import { waitFor } from "../../support/wait.ts";
import type { OsworldComputer } from "./computer.ts";
import type { Judge, TaskFiles, Verdict } from "./judge.ts";
import type { Step } from "./keys.ts";
import { EXTENSIONS, type Family, type OfficeTask } from "./office_task.ts";
import { FOLDER } from "./packages.ts";

/**
 * What is judged: the expected document itself, which says that the judge accepts it; the document that was opened and
 * left alone; what the script has made of it, and what it has made of it on a computer with OSWorld's own server.
 */
export const OFFICE_HANDS = ["expected", "idle", "script", "original"] as const;
export type OfficeHand = typeof OFFICE_HANDS[number];

export interface OfficeScore {
  readonly name: string;
  readonly family: Family;
  /** From 0 to 1. */
  readonly score: number;
  /** Why it is below 1. */
  readonly reason?: string;
  /** Nothing was judged: the reason says what went wrong. */
  readonly failed?: true;
}

/** Whether it is not as it should be: 0 for what was left alone, else 1. */
export function isWrong(
  hand: string,
  { score, failed }: Pick<OfficeScore, "score" | "failed">,
): boolean {
  return failed === true || score !== (hand === "idle" ? 0 : 1);
}

/** Of Debian's packages `libreoffice-calc`, `libreoffice-writer` and `libreoffice-impress`. */
const PROGRAMS = {
  sheet: "localc",
  text: "lowriter",
  slide: "loimpress",
} as const satisfies Record<Family, string>;

const SETTINGS: readonly OfficeSetting[] = [
  ["org.openoffice.Office.Common/Save/Document", "WarnAlienFormat", "false"],
  ["org.openoffice.Office.UI.Infobar/Enabled", "WhatsNew", "false"],
  ["org.openoffice.Office.Linguistic/SpellChecking", "IsSpellAuto", "false"],
  ["org.openoffice.Office.Writer/AutoFunction/Completion", "Enable", "false"],
  ["org.openoffice.Office.Writer/AutoFunction/Format/ByInput", "Enable", "false"],
];

/** How long LibreOffice may take to show a document, in seconds. */
const OPEN_SECONDS = 90;
/** How long it may take to save one, in milliseconds. */
const SAVE_MS = 30_000;
const LOOK_MS = 250;

export interface OfficeRun {
  readonly task: OfficeTask;
  readonly files: TaskFiles;
  readonly judge: Judge;
  readonly hands: ReadonlySet<OfficeHand>;
  /** Not needed for the expected documents. */
  readonly computer: OsworldComputer | undefined;
}

/** The scores by what is judged. */
export async function runOfficeTask(
  { task, files, judge, hands, computer }: OfficeRun,
): Promise<ReadonlyMap<OfficeHand, OfficeScore>> {
  const { name, family, metrics } = task;
  const scores = new Map<OfficeHand, OfficeScore>();
  const judgeFile = (path: string) => judge.judge(path, files.expected, metrics);
  const note = (hand: OfficeHand, { score, why }: Verdict) => {
    if (!hands.has(hand)) return;
    scores.set(hand, { name, family, score, ...(score === 1 ? {} : { reason: why }) });
  };
  note("expected", await judgeFile(files.expected));
  if (computer === undefined) return scores;

  const judgeSaved = async (content: Uint8Array) => {
    await Deno.writeFile(files.result, content);
    return await judgeFile(files.result);
  };
  const open = await uploadDocument(computer, task, files.start);
  try {
    await openDocument(computer, open);
    const before = await computer.read(open.path);
    note("idle", await judgeSaved(before));
    if (!hands.has("script")) return scores;
    await performScript(computer, task.script);
    const verdict = await judgeSaved(await saveDocument(computer, open, before));
    note("script", verdict);
    if (verdict.score < 1) await keepPicture(computer, name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    for (const hand of ["idle", "script"] as const) {
      if (!hands.has(hand) || scores.has(hand)) continue;
      scores.set(hand, { name, family, score: 0, reason, failed: true });
    }
    await keepPicture(computer, name);
  } finally {
    await closeDocument(computer, open);
  }
  return scores;
}

interface OpenDocument {
  readonly program: string;
  readonly path: string;
  /** Its file, with which the title of the window begins. */
  readonly title: string;
  /** A folder of its own, so that no task leaves anything to the next one. */
  readonly profile: string;
}

async function uploadDocument(
  computer: OsworldComputer,
  { name, family }: OfficeTask,
  start: string,
): Promise<OpenDocument> {
  const folder = `${computer.folder}/${name}`;
  const title = `${name}.${EXTENSIONS[family]}`;
  const profile = `${folder}/profile`;
  const settings = new TextEncoder().encode(officeSettings(SETTINGS));
  await computer.upload(`${profile}/user/registrymodifications.xcu`, settings);
  await computer.upload(`${folder}/${title}`, await Deno.readFile(start));
  return { program: PROGRAMS[family], path: `${folder}/${title}`, title, profile };
}

async function openDocument(
  computer: OsworldComputer,
  { program, path, title, profile }: OpenDocument,
): Promise<void> {
  await computer.launch([
    program,
    ...["--norestore", "--nologo", "--nofirststartwizard"],
    ...[`-env:UserInstallation=file://${profile}`, path],
  ]);
  await computer.waitForWindow(title, OPEN_SECONDS);
  await computer.activate(title);
  // the pointer is out of the way of what opens: in the lower left corner
  const corner = "width, height = pyautogui.size(); pyautogui.moveTo(2, height - 2)";
  await computer.perform([corner, "time.sleep(3)"]);
}

/** Lines between two windows that open are sent as one script. */
async function performScript(computer: OsworldComputer, script: readonly Step[]): Promise<void> {
  let lines: string[] = [];
  for (const step of script) {
    if (typeof step === "string") {
      lines.push(step);
      continue;
    }
    await computer.perform([...lines, step.line], step.window);
    lines = ["time.sleep(1)"]; // until the window has the focus
  }
  if (lines.length > 0) await computer.perform(lines);
}

/** The content of the file once it has been written to its end. */
async function saveDocument(
  computer: OsworldComputer,
  { path, title }: OpenDocument,
  before: Uint8Array,
): Promise<Uint8Array> {
  await computer.activate(title); // in place of a dialog that is still there
  await computer.perform(["time.sleep(0.5)", "pyautogui.hotkey('ctrl', 's')"]);
  return await waitFor(async () => {
    const content = await computer.read(path);
    return isWhole(content) && !isSame(content, before) && content;
  }, {
    what: "the document to be saved (was there anything to save?)",
    timeoutMs: SAVE_MS,
    everyMs: LOOK_MS,
  });
}

/** The length of the record that ends a ZIP file. */
const END_LENGTH = 22;
const END_SIGNATURE = [0x50, 0x4b, 0x05, 0x06];

function isWhole(content: Uint8Array): boolean {
  const end = content.length - END_LENGTH;
  return end >= 0 && END_SIGNATURE.every((byte, at) => content[end + at] === byte);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Ends the program by its profile, which no other has, without a question about changes. */
async function closeDocument(computer: OsworldComputer, { profile }: OpenDocument): Promise<void> {
  const pattern = `UserInstallation=[f]ile://${profile}( |$)`; // which a shell that runs this has not
  await computer.execute(["pkill", "-KILL", "-f", pattern]);
}

/** What the screen shows when a task has failed, for whoever looks for the reason. */
async function keepPicture(computer: OsworldComputer, name: string): Promise<void> {
  const folder = join(FOLDER, "failures");
  await Deno.mkdir(folder, { recursive: true });
  const picture = await computer.screenshot().catch(() => undefined); // it may be the reason itself
  if (picture) await Deno.writeFile(join(folder, `${name}.png`), picture);
}
