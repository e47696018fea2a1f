/** How commands are quoted for the shells of Windows. */

import { expect } from "expect";
import { quoteArgument, shellLine } from "../../../src/platform/windows/shell_line.ts";

Deno.test("shellLine() hands a command to cmd as it is", () => {
  const commands = ["dir", 'echo "a b" & echo c', "echo %PATH% ^& 100%", 'type "C:\\a b\\"', '"'];
  for (const command of commands) {
    expect(shellLine("C:\\Windows\\system32\\cmd.exe", command)).toEqual({
      program: "C:\\Windows\\system32\\cmd.exe",
      args: ["/d", "/s", "/c", `"${command}"`],
    });
  }
});

Deno.test("shellLine() knows the shells by name", () => {
  const args = (shell: string) => shellLine(shell, "x y").args;
  expect(args("CMD")).toEqual(["/d", "/s", "/c", '"x y"']);
  const powershell = ["-NoProfile", "-NonInteractive", "-Command", '"x y"'];
  expect(args("powershell.exe")).toEqual(powershell);
  expect(args("C:/Program Files/PowerShell/7/pwsh.exe")).toEqual(powershell);
  expect(args("C:\\msys64\\usr\\bin\\bash.exe")).toEqual(["-c", '"x y"']);
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
