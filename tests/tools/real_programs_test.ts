/** The page on real programs: made from the results of a run. */

import { expect } from "expect";
import { parseJunit, writeReport } from "../../tools/real_programs/report.ts";

const CASE = `classname="./tests/real_programs/typing_test.ts" line="1" col="1"`;
const XML = `<testsuites><testsuite>
<testcase name="typing into xterm, keyboard us,ru group 2, window manager none" ${CASE} time="1"></testcase>
<testcase name="typing into xterm, keyboard us,ru group 2, window manager xfwm4" ${CASE}>
  <failure message="a &lt;b&gt;">c</failure>
</testcase>
<testcase name="typing into calc, keyboard de, window manager none" ${CASE}><skipped/></testcase>
<testcase name="typing into calc, keyboard fr, window manager none" ${CASE}/>
<testcase name="a double click &quot;at once&quot; | chromium" ${CASE} time="2"/>
</testsuite></testsuites>`;

Deno.test("parseJunit() gives the tests that ran, each passed or failed", () => {
  const [none, xfwm4, fr, other, ...rest] = parseJunit(XML);
  expect(none).toEqual({
    file: "tests/real_programs/typing_test.ts",
    name: "typing into xterm, keyboard us,ru group 2, window manager none",
    passed: true,
  });
  expect(xfwm4).toMatchObject({ passed: false });
  expect(fr).toMatchObject({ passed: true });
  expect(other).toMatchObject({ name: 'a double click "at once" | chromium', passed: true });
  expect(rest).toEqual([]);
});

Deno.test("writeReport() names what failed, and does not claim what was not tried", () => {
  const versions = { system: "Debian", programs: [["xterm", "379-1"]] } as const;
  const page = writeReport(parseJunit(XML), versions, "2026-11-22");
  expect(page).toContain("2026-11-22, on Debian");
  expect(page).toContain("| xterm | 379-1 |");
  expect(page).toContain("| us,ru group 2 | not under xfwm4 | not tried |");
  expect(page).toContain("| fr | not tried | 1 of 1 |");
  expect(page).toContain('| a double click "at once" \\| chromium | passed |');
});
