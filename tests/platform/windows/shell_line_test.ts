/** The lines that shells of Windows are given. */

import { expect } from "expect";
import {
  checkShellFolder,
  environmentBlock,
  findVariable,
  programLine,
  quoteArgument,
  shellLine,
} from "../../../src/platform/windows/processes.ts";

const SYSTEM = "C:\\Windows\\System32";
const CHCP = '"C:\\Windows\\System32\\chcp.com" 65001 >nul 2>&1&';

function lineOf(shell: string, command: string): string {
  return shellLine(command, { shell, systemFolder: SYSTEM });
}

for (
  const command of ["dir", 'echo "a b" & echo c', '"C:\\Program Files\\x.exe" "y"', "a\\", "é"]
) {
  Deno.test(`cmd gets ${JSON.stringify(command)} between two quotes that it takes off`, () => {
    expect(lineOf("C:\\Windows\\system32\\cmd.exe", command))
      .toBe(`"C:\\Windows\\system32\\cmd.exe" /d /s /c "${CHCP}${command}"`);
  });
}

Deno.test("cmd gets one line, without the line breaks at its end", () => {
  expect(lineOf("cmd", "echo a\r\n\n")).toBe(`"cmd" /d /s /c "${CHCP}echo a"`);
  for (const command of ["a\nb", "a\r\nb", "\na", "a\rb"]) {
    expect(() => lineOf("cmd", command)).toThrow("more than one line");
  }
});

Deno.test("other shells get the command as one argument", () => {
  expect(lineOf("C:\\Git\\bin\\bash.exe", 'echo "a"\necho b'))
    .toBe('"C:\\Git\\bin\\bash.exe" -c "echo \\"a\\"\necho b"');
  expect(lineOf("pwsh", 'Write-Output "a"')).toBe(
    '"pwsh" -NoProfile -NonInteractive -Command ' +
      '"[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false\nWrite-Output \\"a\\""',
  );
});

Deno.test("a line that the shell would cut is refused", () => {
  const rest = lineOf("cmd", "").length;
  expect(lineOf("cmd", "x".repeat(8_191 - rest))).toHaveLength(8_191);
  expect(() => lineOf("cmd", "x".repeat(8_192 - rest))).toThrow("8192 characters");
  expect(lineOf("bash", "x".repeat(32_000)).length).toBeGreaterThan(32_000);
  expect(() => lineOf("bash", "x".repeat(32_767))).toThrow("accepts 32766");
});

Deno.test("environmentBlock() sorts by name, and takes the last of two that differ by case", () => {
  const block = environmentBlock({ Path: "a", b: "é 漢", PATH: "c", A: "" });
  expect(new TextDecoder("utf-16le").decode(block)).toBe("A=\0b=é 漢\0PATH=c\0\0");
  expect(new TextDecoder("utf-16le").decode(environmentBlock({}))).toBe("\0\0");
});

Deno.test("environmentBlock() and variableOf() tell names apart as Windows does", () => {
  const block = environmentBlock({ "straße": "1", STRASSE: "2", "kı": "3", KI: "4" });
  expect(new TextDecoder("utf-16le").decode(block))
    .toBe("KI=4\0kı=3\0STRASSE=2\0straße=1\0\0");
  expect(findVariable({ "ı": "1", i: "2" }, "I")).toBe("2");
});

Deno.test("checkShellFolder() refuses folders that cmd would leave for that of Windows", () => {
  for (const folder of ["\\\\server\\share", "\\\\?\\C:\\work", "//server/share"]) {
    for (const shell of ["cmd", "C:\\Windows\\System32\\CMD.EXE"]) {
      expect(() => checkShellFolder(folder, shell)).toThrow("no drive letter");
    }
    checkShellFolder(folder, "pwsh.exe");
  }
  checkShellFolder("C:\\work", "cmd");
});

Deno.test("checkShellFolder() refuses folders that no program can be started in", () => {
  const longest = `C:\\${"x".repeat(255)}`;
  for (const shell of ["cmd", "pwsh"]) {
    checkShellFolder(longest, shell);
    expect(() => checkShellFolder(`${longest}x`, shell)).toThrow("has 259 characters");
  }
});

Deno.test("environmentBlock() refuses a variable that is too long, without its value", () => {
  const long = { OK: "1", SECRET: "hunter2".repeat(10_000) };
  expect(() => environmentBlock(long)).toThrow('variable "SECRET" is longer than 32767 characters');
});

Deno.test("variableOf() finds a name in any case", () => {
  expect(findVariable({ ComSpec: "cmd" }, "COMSPEC")).toBe("cmd");
  expect(findVariable({}, "COMSPEC")).toBeUndefined();
});

Deno.test("quoteArgument() follows the C runtime", () => {
  const cases = [
    ["", '""'],
    ["a b", '"a b"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["C:\\a\\b", '"C:\\a\\b"'],
    ["C:\\a\\", '"C:\\a\\\\"'],
    ['a\\"b', '"a\\\\\\"b"'],
    ['\\\\"', '"\\\\\\\\\\""'],
    ["é 日本 🙂", '"é 日本 🙂"'],
  ] as const;
  for (const [text, quoted] of cases) expect(quoteArgument(text)).toBe(quoted);
});

Deno.test("programLine() refuses arguments of a batch file that cmd would not take as text", () => {
  const odd = ['"', 'a" & calc & "', "%PATH%", "100%", "a\nb", "a\rb"];
  for (const program of ["x.bat", "C:\\a b\\X.CMD", "x.bat.", "x.cmd . "]) {
    for (const text of odd) {
      expect(() => programLine([program, "ok", text])).toThrow(
        expect.objectContaining({ field: "args" }),
      );
    }
    expect(programLine([program, "a & b", "c\\"])).toBe(`"${program}" "a & b" "c\\\\"`);
  }
  for (const text of odd) programLine(["x.exe", text]);
  expect(programLine(["bat", "%a%"])).toBe('"bat" "%a%"');
});
