/** Real programs that show something still: a Tk window, Chromium, xterm. */

import { run } from "./desktop.ts";
import { testFolder } from "./folder.ts";
import { lineReader } from "./lines.ts";
import { waitFor } from "./wait.ts";

/** Starts a program that stays until it is disposed; what it writes is dropped. */
function start(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): AsyncDisposable {
  const child = new Deno.Command(program, {
    args: [...args],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGTERM");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // it has ended already
      }
      await child.status;
    },
  };
}

/** A Tk window with a label, a button and a canvas; `geometry` as in `300x200+10+20`. Shown when this resolves. */
export async function openTk(display: string, geometry: string): Promise<AsyncDisposable> {
  const script = `
import tkinter
root = tkinter.Tk()
root.overrideredirect(True)
root.geometry("${geometry}")
tkinter.Label(root, text="Über 漢字 label", bg="#ffcc00").pack()
tkinter.Button(root, text="Button").pack()
canvas = tkinter.Canvas(root, width=200, height=100, bg="white")
canvas.pack()
for i in range(50):
    canvas.create_line(i * 4, 0, 200 - i * 3, 100, fill="#%02x%02x%02x" % (i * 5, 255 - i * 5, i * 3))
root.wait_visibility()
root.update()
print("shown", flush=True)
root.mainloop()
`;
  const child = new Deno.Command("/usr/bin/python3", {
    args: ["-c", script],
    env: { DISPLAY: display },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/^shown/);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await lines.rest();
      await child.status;
    },
  };
}

/** A Tk entry with the focus, whose cursor blinks fast. */
export async function openBlinking(display: string): Promise<AsyncDisposable> {
  const script = `
import tkinter
root = tkinter.Tk()
root.geometry("200x30+200+150")
entry = tkinter.Entry(root, insertontime=60, insertofftime=60, width=30)
entry.pack()
root.update()
entry.focus_force()
root.mainloop()
`;
  const child = new Deno.Command("/usr/bin/python3", {
    args: ["-c", script],
    env: { DISPLAY: display },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await waitFor(async () => {
    const windows = await run("xwininfo", ["-root", "-tree", "-display", display]);
    return new TextDecoder().decode(windows).includes("200x30");
  });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** An xterm that shows a text and then does nothing. It has taken all of it in when this resolves. */
export async function openStillXterm(display: string, geometry: string): Promise<AsyncDisposable> {
  const folder = await testFolder();
  const done = `${folder.path}/done`;
  // checksums: every place of the picture is unlike the others, on every machine
  const lines = "for n in $(seq 60); do echo $n | sha256sum; done";
  // it tells where its cursor is once it has taken in what came before the question
  const asks = `stty -echo -icanon min 1; printf '\\033[6n'; head -c 4 >/dev/null; : >'${done}'`;
  const text = `${lines}; ${asks}; exec sleep 1000`;
  const args = ["-display", display, "-geometry", geometry, "-e", "sh", "-c", text];
  const program = start("xterm", args, { LC_ALL: "C.UTF-8" });
  await waitFor(() => Deno.statSync(done).isFile, { what: "the text in the xterm" });
  return {
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Chromium with a page that fills its window. */
export async function openChromium(display: string, page: string): Promise<AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const program = start("chromium", [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ...["--window-position=40,30", "--window-size=600,400", `--user-data-dir=${folder}`],
    `--app=data:text/html,${encodeURIComponent(page)}`,
  ], { DISPLAY: display, HOME: folder });
  return {
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true }).catch(() => {}); // its children may still write
    },
  };
}

export function hasChromium(): boolean {
  try {
    return Deno.statSync("/usr/bin/chromium").isFile;
  } catch {
    return false;
  }
}
