/** A program that keeps the X server for itself until it was stopped and continued. */

import { TestX } from "../../support/x_client.ts";

const x = await TestX.open(Deno.args[0]!);
Deno.addSignalListener("SIGCONT", () => {
  x.client.UngrabServer();
  void x.keysDown(); // sends it
});
x.client.GrabServer();
await x.keysDown();
console.log("kept");
setInterval(() => {}, 60_000); // until it is ended
