/** Asks a service, with Node alone, for what the README shows: a click, a text, and a picture that is not black. */

import { inflateSync } from "node:zlib";

const [address] = process.argv.slice(2);
const { width, height } = await (await ask("GET", "display/screen_size")).json();
await ask("POST", "mouse/left-click", { x: 200, y: 150 });
await ask("POST", "keyboard/type", { text: "Grüße, 漢字 😀\n" });
await ask("POST", "mouse/right-click", { x: 100, y: 100 }); // the menu of the window manager
const deadline = Date.now() + 20_000;
let picture;
do picture = await takePicture(); while (picture.brightest === 0 && Date.now() < deadline);
if (picture.width !== width || picture.height !== height) {
  throw new Error(
    `The picture has ${picture.width}x${picture.height} instead of ${width}x${height}`,
  );
}
if (picture.brightest === 0) throw new Error("The picture is black");
console.log(`A click, a text, and a picture of ${width}x${height} that is not black`);

async function ask(method, path, body) {
  const headers = { "content-type": "application/json" };
  const options = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const answer = await fetch(`${address}/api/${path}`, { method, ...options });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Its size, and the brightest byte of its rows. */
async function takePicture() {
  const answer = await ask("GET", "display/screenshot");
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.readUInt32BE(0) !== 0x89504e47) throw new Error("The picture is no PNG");
  const parts = [];
  let size;
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
    if (kind === "IDAT") parts.push(data);
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(parts));
  const stride = rows.length / size.height;
  let brightest = 0;
  // the first byte of each row is the filter; all others are 0 in a black picture, whatever filter there is
  for (let at = 0; at < rows.length; at++) {
    if (at % stride !== 0) brightest = Math.max(brightest, rows[at]);
  }
  return { ...size, brightest };
}
