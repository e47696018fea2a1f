/** Writes what strangers' tasks have shown as a page of the documentation. */

import type { Score } from "./miniwob/run.ts";

/** What the hands are, for readers. */
const HANDS: Readonly<Record<string, string>> = {
  browser: "`browser/*`: snapshots with refs, pictures of the page, input inside the page",
  desktop: "mouse, keyboard, pictures of the display and elements, on X11",
  idle: "does nothing",
};
/** What the pages themselves make unsolvable. */
const NOBODY: Readonly<Record<string, string>> = {
  "hover-shape": "The page rewards nobody: its line for that is commented out",
  "click-pie-nodelay":
    "The page adds its first slice anew under the mouse, which then gets no click (where the task asks for that)",
};
/** Characters of a reason. */
const MAX_REASON = 160;

/** @param tested the version and the seeds, in words */
export function makeReport(scores: ReadonlyMap<string, readonly Score[]>, tested: string): string {
  const rows = [...scores].map(([hand, all]) => {
    const tasks = Map.groupBy(all, ({ name }) => name);
    const full = [...tasks.values()].filter((own) => own.every(isSolved)).length;
    const solved = all.filter(isSolved).length;
    return `| ${HANDS[hand]} | ${full} of ${tasks.size} | ${solved} of ${all.length} |`;
  });
  const unsolved = [...scores].filter(([hand]) => hand !== "idle").flatMap(([hand, all]) =>
    [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, own]) => {
      const failed = own.filter((score) => !isSolved(score));
      const [first] = failed;
      if (!first) return [];
      const count = `${own.length - failed.length} of ${own.length}`;
      return [
        `| ${name} | \`${hand}\` | ${count} | ${inCell(NOBODY[name] ?? first.reason ?? "")} |`,
      ];
    })
  );
  return `# Strangers' tasks

Tasks that nobody here wrote, done by scripts that use the service as any caller does (no model, no
network), and judged by the tasks' own programs. \`deno task strangers\` repeats them and writes this
page; the scripts are in [tests/strangers](../tests/strangers/).

## MiniWoB++

[MiniWoB++](https://miniwob.farama.org) (Farama Foundation, MIT) has 130 small pages: forms, menus,
mail, drawing, games. Each says what to do and rewards it. Solved means a reward above 0.
${new Date().toISOString().slice(0, 10)}: ${tested}.

| hand | tasks solved with every seed | episodes solved |
| --- | --- | --- |
${rows.join("\n")}

## Not solved

| task | hand | solved | the first that was not |
| --- | --- | --- | --- |
${unsolved.join("\n")}
`;
}

function isSolved({ reward }: Score): boolean {
  return reward > 0;
}

function inCell(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}
