#!/usr/bin/env node
/** Starts the service with the Deno that this package brings: hands signals on, and ends with its exit code. */

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const PARENT_CHECK_MS = 500;
/** After this long without an end the service is killed: nobody is there any more who could ask. */
const ORPHAN_GRACE_MS = 15_000;

const program = fileURLToPath(new URL("program/main.js", import.meta.url));
const child = spawn(denoProgram(), ["run", "--allow-all", program, ...process.argv.slice(2)], {
  stdio: "inherit",
  windowsHide: false,
  env: {
    ...process.env,
    COMPUTER_CONTROL_KIND: "npm",
    COMPUTER_CONTROL_DENO_DIR: process.env.DENO_DIR ?? "",
    DENO_NO_UPDATE_CHECK: "1",
  },
});
child.on("error", (error) => {
  console.error(`computer-control: Cannot start Deno: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal); // ended as the service has ended
});

const signals = process.platform === "win32"
  ? ["SIGINT", "SIGBREAK", "SIGHUP"]
  : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
for (const name of signals) {
  // a console of Windows gives its events to the service by itself
  process.on(name, () => process.platform === "win32" || child.kill(name));
}
if (process.env.npm_command === "exec") watchParent();

/** Ends the service when npx is gone: a signal that ends npx does not reach what it has started. */
function watchParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), ORPHAN_GRACE_MS).unref();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** The file itself: the package's own launcher hands no signal on. */
function denoProgram() {
  try {
    return createRequire(import.meta.url)("deno/install_api.cjs").runInstall();
  } catch (error) {
    console.error(`computer-control: Cannot find Deno for this system: ${error.message}`);
    return process.exit(1);
  }
}
