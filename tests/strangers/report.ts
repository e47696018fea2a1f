/** Writes what strangers' tasks have shown as a page of the documentation: a section for each suite. */

import type { KeptScores } from "./kept_scores.ts";
import type { Score } from "./miniwob/run.ts";
import { LOCAL_HANDS, type LocalHandName, type LocalScore } from "./osworld/local_run.ts";
import { UNSOLVABLE } from "./part.ts";
import { FAMILIES } from "./osworld/office_task.ts";
import { isWrong, type OfficeHand, type OfficeScore } from "./osworld/run.ts";

const INTRODUCTION = `# Strangers' tasks

Tasks that nobody here wrote or that nobody here judges, done by scripts that use the service as any
caller does (no model, no network), and judged by programs of others. \`deno task strangers\` repeats
them and writes this page; the scripts are in [tests/strangers](../tests/strangers/).
`;

/** What the hands are, for readers. */
const HANDS: Readonly<Record<string, string>> = {
  browser: "`browser/*`: snapshots with refs, pictures of the page, input inside the page",
  desktop: "mouse, keyboard, pictures of the display and elements, on X11",
  wayland: "the same on Wayland (sway)",
  idle: "does nothing",
};
const OFFICE_HANDS: Readonly<Record<OfficeHand, string>> = {
  expected: "the expected document itself",
  idle: "opened in LibreOffice and left alone",
  script: "a script's work: `pyautogui` lines for `/execute`, as OSWorld's agents send them",
  original: "the same script's work on a computer with OSWorld's own server",
};
const LOCAL_HAND_TEXTS: Readonly<Record<LocalHandName, string>> = {
  written: "what the program would have written, without it",
  idle: "opened and left alone",
  solver: "a script's work: mouse, keyboard, elements and `browser/*` of this service",
  routes:
    "the same script by nothing but the routes of OSWorld's server (`/accessibility`, `/screenshot`, `pyautogui` in `/execute`), answered by this service",
  original:
    "the same by the same routes, answered by OSWorld's own server (which reads the text of GNOME's terminal only: here it is Xfce's)",
};
/** Characters of a reason. */
const MAX_REASON = 160;

/**
 * The page with a section in place of the one that has the same heading, or behind all others.
 * @param page `undefined` where there is none yet
 */
export function withSection(page: string | undefined, section: string): string {
  const text = page ?? INTRODUCTION;
  const heading = section.slice(0, section.indexOf("\n") + 1);
  const start = text.indexOf(`\n${heading}`) + 1;
  if (start === 0) return `${text.trimEnd()}\n\n${section}`;
  const end = text.indexOf("\n## ", start);
  const rest = end < 0 ? "" : text.slice(end);
  return text.slice(0, start) + section.trimEnd() + "\n" + rest;
}

export function describeMiniwob(scores: ReadonlyMap<string, KeptScores<Score>>): string {
  const rows = [...scores].map(([hand, { date, tested, all }]) => {
    const tasks = Map.groupBy(all, ({ name }) => name);
    const full = [...tasks.values()].filter((own) => own.every(isSolved)).length;
    const solved = all.filter(isSolved).length;
    return `| ${
      HANDS[hand]
    } | ${date}: ${tested} | ${full} of ${tasks.size} | ${solved} of ${all.length} |`;
  });
  const unsolved = [...scores].filter(([hand]) => hand !== "idle").flatMap(([hand, { all }]) =>
    [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, own]) => {
      const failed = own.filter((score) => !isSolved(score));
      const [first] = failed;
      if (!first) return [];
      const count = `${own.length - failed.length} of ${own.length}`;
      return [
        `| ${name} | \`${hand}\` | ${count} | ${inCell(UNSOLVABLE[name] ?? first.reason ?? "")} |`,
      ];
    })
  );
  return `## MiniWoB++

[MiniWoB++](https://miniwob.farama.org) (Farama Foundation, MIT) has 130 small pages: forms, menus,
mail, drawing, games. Each says what to do and rewards it. Solved means a reward above 0.

| hand | what was done | tasks solved with every seed | episodes solved |
| --- | --- | --- | --- |
${rows.join("\n")}

### Not solved

| task | hand | solved | the first that was not |
| --- | --- | --- | --- |
${unsolved.join("\n")}
`;
}

function isSolved({ reward }: Score): boolean {
  return reward > 0;
}

export function describeOffice(
  scores: ReadonlyMap<OfficeHand, KeptScores<OfficeScore>>,
): string {
  const rows = [...scores].map(([hand, { all }]) => {
    const counts = FAMILIES.map((family) => {
      const own = all.filter((score) => score.family === family && !score.failed);
      return `${own.filter(({ score }) => score === 1).length} of ${own.length}`;
    });
    return `| ${OFFICE_HANDS[hand]} | ${counts.join(" | ")} |`;
  });
  const list = listWrong(scores);
  return `## Office tasks, judged by OSWorld

60 small tasks in LibreOffice Calc, Writer and Impress, written here and judged by the evaluators of
[OSWorld](https://os-world.github.io) (XLANG Lab, Apache-2.0), unchanged. The scripts know nothing of
this service: they use the HTTP routes of OSWorld's own server, which \`--compat osworld\` offers. The
table says how many documents were judged 1. ${tested(scores)}.

| what is judged | spreadsheets | texts | presentations |
| --- | --- | --- | --- |
${rows.join("\n")}
${list}`;
}

/** A section of its own, if there is something wrong. */
function listWrong(
  scores: ReadonlyMap<string, KeptScores<OfficeScore | LocalScore>>,
): string {
  const wrong = [...scores].flatMap(([hand, { all }]) =>
    all.filter((score) => isWrong(hand, score))
      .map(({ name, score, failed, reason = "" }) =>
        `| ${name} | \`${hand}\` | ${failed ? "not judged" : score} | ${inCell(reason)} |`
      )
  );
  if (wrong.length === 0) return "";
  return `
### Not as they should be

| task | judged | score | reason |
| --- | --- | --- | --- |
${wrong.join("\n")}
`;
}

export function describeLocal(
  scores: ReadonlyMap<LocalHandName, KeptScores<LocalScore>>,
): string {
  const hands = LOCAL_HANDS.filter((hand) => scores.has(hand));
  const byTask = Map.groupBy( // the hand that has all of them first
    [...scores].toSorted(([one], [other]) => Number(other === "idle") - Number(one === "idle"))
      .flatMap(([hand, { all }]) => all.map((score) => ({ hand, ...score }))),
    ({ name }) => name,
  );
  const rows = [...byTask].map(([name, all]) => {
    const counts = hands.map((hand) => {
      const own = all.filter((score) => score.hand === hand);
      if (own.length === 0) return "";
      return `${own.filter(({ score }) => score === 1).length} of ${own.length}`;
    });
    return `| ${name} | ${counts.join(" | ")} |`;
  });
  const texts = hands.map((hand) => `- \`${hand}\`: ${LOCAL_HAND_TEXTS[hand]}`);
  return `## OSWorld's local tasks

${byTask.size} tasks of [OSWorld](https://os-world.github.io) (XLANG Lab, Apache-2.0) that need no network and only
programs of Debian. Each runs on a desktop and in a home folder of its own, prepared here with other
files where OSWorld's own come from the network, and is judged by OSWorld's evaluators, unchanged. The
table says how often each was judged 1. ${tested(scores)}.

${texts.join("\n")}

| task | ${hands.join(" | ")} |
| --- |${" --- |".repeat(hands.length)}
${rows.join("\n")}
${listWrong(scores)}`;
}

/** The days, and what was tested on them. */
function tested(scores: ReadonlyMap<string, KeptScores<OfficeScore | LocalScore>>): string {
  const each = [...scores.values()].map(({ date, tested }) => `${date}: ${tested}`);
  return [...new Set(each)].join("; ");
}

function inCell(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}
