/** Tasks in presentations, judged by OSWorld's `compare_pptx_files`. */

import { command, holding, hotkey, menu, pause, press, replaceAll, write } from "./keys.ts";
import type { Step } from "./keys.ts";
import type { OfficeTask, Paragraph, Run, Slide } from "./office_task.ts";

interface SlideTask {
  readonly name: string;
  readonly instruction: string;
  readonly start?: readonly Slide[];
  readonly expected: readonly Slide[];
  readonly options?: Readonly<Record<string, boolean>>;
  readonly script: readonly Step[];
}

/**
 * What is not compared, because LibreOffice writes it by itself where `python-pptx` leaves it to the layout: it
 * differs before anybody does anything.
 */
const LEFT_OUT = {
  examine_shape: false, // positions, rounded to hundredths of a millimetre
  examine_font_name: false,
  examine_font_size: false,
  examine_color_rgb: false,
  examine_bullets: false,
  examine_background_color: false,
};
/** A new slide has the alignments of its layout, which LibreOffice writes into each paragraph. */
const NEW_SLIDE = { examine_alignment: false };

function slideTask(task: SlideTask): OfficeTask {
  const { name, instruction, start = REPORT, expected, options = {}, script } = task;
  return {
    name: `slide-${name}`,
    family: "slide",
    instruction,
    start,
    expected,
    metrics: [{
      func: "compare_pptx_files",
      expected: "document",
      options: { ...LEFT_OUT, ...options },
    }],
    script: [press("esc"), ...script, press("esc", 2), pause()],
  };
}

const COVER: Slide = { title: "Annual report", body: ["Sales", "Costs"] };
const SALES: Slide = {
  title: "Sales by region",
  body: ["North grew", "South fell", "West is new"],
};
const OUTLOOK: Slide = { title: "Outlook", body: ["More shops"] };
const REPORT = [COVER, SALES, OUTLOOK];

/** The title is the first shape of a slide, its body the second one. */
const TITLE = 1;
const BODY = 2;

/** How long Impress takes to show another slide, in seconds: until then it drops what is selected there. */
const SLIDE_PAUSE = 3;

/** From the first slide, with nothing selected. */
function goTo(slide: number): readonly Step[] {
  return slide === 1 ? [] : [press("pagedown", slide - 1), pause(SLIDE_PAUSE)];
}

/** From where nothing is selected. */
function select(shape: number): readonly Step[] {
  return [press("tab", shape), pause(1)];
}

/** Puts the caret into a shape. */
function edit(shape: number): readonly Step[] {
  return [...select(shape), press("f2"), pause()];
}

/**
 * A copy of the slide with other texts: what a new one has for its text is a place for any object, which keys do not fill.
 */
function copyWith({ title, body }: { title: string; body: string }): readonly Step[] {
  return [
    ...menu("l", "s"),
    pause(SLIDE_PAUSE),
    press("esc", 2),
    ...edit(TITLE),
    hotkey("ctrl", "a"),
    write(title),
    press("esc", 2),
    pause(),
    ...edit(BODY),
    hotkey("ctrl", "a"),
    write(body),
  ];
}

function linesWith(
  texts: readonly string[],
  look: Omit<Run, "text">,
  more: Omit<Paragraph, "runs"> = {},
): readonly Paragraph[] {
  return texts.map((text) => ({ runs: [{ text, ...look }], ...more }));
}

function titleWith(look: Omit<Run, "text">, more: Omit<Paragraph, "runs"> = {}): Slide {
  return { ...COVER, title: linesWith(["Annual report"], look, more)[0]! };
}

const WORD_TASKS: readonly SlideTask[] = [
  {
    name: "title-append",
    instruction: 'Add " 2025" to the title of the first slide.',
    expected: [{ ...COVER, title: "Annual report 2025" }, SALES, OUTLOOK],
    script: [...edit(TITLE), hotkey("ctrl", "end"), write(" 2025")],
  },
  {
    name: "title-replace",
    instruction: 'Give the second slide the title "Regions".',
    expected: [COVER, { ...SALES, title: "Regions" }, OUTLOOK],
    script: [...goTo(2), ...edit(TITLE), hotkey("ctrl", "a"), write("Regions")],
  },
  {
    name: "line-append",
    instruction: 'Add the line "East is planned" to the second slide.',
    expected: [COVER, { ...SALES, body: [...SALES.body, "East is planned"] }, OUTLOOK],
    script: [
      ...goTo(2),
      ...edit(BODY),
      hotkey("ctrl", "end"),
      press("enter"),
      write("East is planned"),
    ],
  },
  {
    name: "line-insert",
    instruction: 'Begin the text of the third slide with the line "Fewer papers".',
    expected: [COVER, SALES, { ...OUTLOOK, body: ["Fewer papers", "More shops"] }],
    script: [
      ...goTo(3),
      ...edit(BODY),
      hotkey("ctrl", "home"),
      write("Fewer papers"),
      press("enter"),
    ],
  },
  {
    name: "line-delete",
    instruction: "Delete the first line of the second slide's text.",
    expected: [COVER, { ...SALES, body: ["South fell", "West is new"] }, OUTLOOK],
    script: [
      ...goTo(2),
      ...edit(BODY),
      hotkey("ctrl", "home"),
      hotkey("shift", "down"),
      press("delete"),
    ],
  },
  {
    name: "line-demote",
    instruction: "Indent the second line of the second slide by one level.",
    expected: [
      COVER,
      {
        ...SALES,
        body: ["North grew", ...linesWith(["South fell"], {}, { level: 1 }), "West is new"],
      },
      OUTLOOK,
    ],
    script: [
      ...goTo(2),
      ...edit(BODY),
      hotkey("ctrl", "home"),
      press("down"),
      press("home"),
      press("tab"),
    ],
  },
  {
    name: "replace-all",
    instruction: 'Replace "Sales" by "Income" everywhere.',
    expected: [
      { ...COVER, body: ["Income", "Costs"] },
      { ...SALES, title: "Income by region" },
      OUTLOOK,
    ],
    script: replaceAll("Sales", "Income"),
  },
  {
    name: "notes-add",
    instruction: 'Add the note "Thank everybody" to the first slide.',
    expected: [{ ...COVER, notes: "Thank everybody" }, SALES, OUTLOOK],
    script: [...command("Notes"), ...edit(2), write("Thank everybody")],
  },
];

const ORDER_TASKS: readonly SlideTask[] = [
  {
    name: "new-last",
    instruction: 'Add a slide "Questions" with the line "Any questions?" at the end.',
    expected: [...REPORT, { title: "Questions", body: ["Any questions?"] }],
    options: NEW_SLIDE,
    script: [...goTo(3), ...copyWith({ title: "Questions", body: "Any questions?" })],
  },
  {
    name: "new-second",
    instruction: 'Insert a slide "Agenda" with the line "Five topics" after the first one.',
    expected: [COVER, { title: "Agenda", body: ["Five topics"] }, SALES, OUTLOOK],
    options: NEW_SLIDE,
    script: copyWith({ title: "Agenda", body: "Five topics" }),
  },
  {
    name: "delete",
    instruction: "Delete the second slide.",
    expected: [COVER, OUTLOOK],
    script: [...goTo(2), ...menu("l", "d")],
  },
  {
    name: "duplicate",
    instruction: "Duplicate the first slide.",
    expected: [COVER, COVER, SALES, OUTLOOK],
    script: menu("l", "s"),
  },
  {
    name: "move-first",
    instruction: "Move the last slide to the beginning.",
    expected: [OUTLOOK, COVER, SALES],
    script: [...goTo(3), hotkey("alt", "shift", "home"), pause(1)],
  },
  {
    name: "move-down",
    instruction: "Exchange the first two slides.",
    expected: [SALES, COVER, OUTLOOK],
    script: [hotkey("alt", "shift", "pagedown"), pause(1)],
  },
];

const LOOK_TASKS: readonly SlideTask[] = [
  {
    name: "bold-title",
    instruction: "Make the title of the first slide bold.",
    expected: [titleWith({ bold: true }), SALES, OUTLOOK],
    script: [...select(TITLE), hotkey("ctrl", "b")],
  },
  {
    name: "bold-word",
    instruction: "Make the last word of the first slide's title bold.",
    expected: [
      { ...COVER, title: { runs: [{ text: "Annual " }, { text: "report", bold: true }] } },
      SALES,
      OUTLOOK,
    ],
    script: [
      ...edit(TITLE),
      hotkey("ctrl", "end"),
      ...holding(["shift"], "left", "report".length),
      hotkey("ctrl", "b"),
    ],
  },
  {
    name: "italic-body",
    instruction: "Make the text of the second slide italic.",
    expected: [
      COVER,
      { ...SALES, body: linesWith(["North grew", "South fell", "West is new"], { italic: true }) },
      OUTLOOK,
    ],
    script: [...goTo(2), ...select(BODY), hotkey("ctrl", "i")],
  },
  {
    name: "underline-title",
    instruction: "Underline the title of the first slide.",
    expected: [titleWith({ underline: true }), SALES, OUTLOOK],
    script: [...select(TITLE), hotkey("ctrl", "u")],
  },
  {
    name: "align-title",
    instruction: "Align the title of the first slide to the right.",
    expected: [titleWith({}, { align: "right" }), SALES, OUTLOOK],
    script: [...select(TITLE), hotkey("ctrl", "r")],
  },
  {
    name: "center-body",
    instruction: "Center the text of the third slide.",
    expected: [COVER, SALES, {
      ...OUTLOOK,
      body: linesWith(["More shops"], {}, { align: "center" }),
    }],
    script: [...goTo(3), ...select(BODY), hotkey("ctrl", "e")],
  },
];

export const SLIDE_TASKS: readonly OfficeTask[] = [
  ...WORD_TASKS,
  ...ORDER_TASKS,
  ...LOOK_TASKS,
].map(slideTask);
