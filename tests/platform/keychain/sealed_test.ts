/** Sealed files open with the same key only. */

import { expect } from "expect";
import { decodeFile, encodeFile, importKey } from "../../../src/platform/keychain/sealed_file.ts";

const newKey = () => importKey(crypto.getRandomValues(new Uint8Array(32)));

for (const text of ["", "a", "é日本🙂", "x".repeat(251), "x".repeat(252), "x".repeat(70_000)]) {
  Deno.test(`encodeFile() and decodeFile() give back a text of ${text.length} units`, async () => {
    const key = await newKey();
    const items = new Map([["github", text]]);
    expect(await decodeFile(key, await encodeFile(key, items))).toEqual(items);
  });
}

Deno.test("decodeFile() refuses a file that is sealed with another key", async () => {
  const sealed = await encodeFile(await newKey(), new Map([["github", "secret"]]));
  await expect(decodeFile(await newKey(), sealed)).rejects.toThrow("with another key");
});

Deno.test("encodeFile() hides the exact length of short texts", async () => {
  const key = await newKey();
  const lengths = ["", "a", "x".repeat(200)].map(async (text) =>
    (await encodeFile(key, new Map([["a", text]]))).byteLength
  );
  expect(new Set(await Promise.all(lengths)).size).toBe(1);
});

// What the first format held.
const EARLIER_KEY = "33cacd5135cb537023ecbea5f324fa9df81c882c2c7b9e53c53b3ab9d6f97912";
const EARLIER_FILE = [
  "Q0NLRVlTMDE/BxJRpYpBLAAAARw4Z1p7jjfRmf4B4XGrx1ZAvmPIC8DXRgF7uXY9Jex+9Tf305wFl0RNJk8wMpHffJ",
  "g1zfYpS2JpD8bAvqHz8UXvLtC7QoBtzLDlc7N+lhlU1rFXpIFdZ5Ya7/84Fpn0MT0L1UeQaI1a1HihsYaouqxet6rs",
  "IAbeiE64elPgnnl6zeWOel4edESZyyY3c+mHU/JgP3hfQrwDgMmUl+Bs4SR38o+L4Xrq5c0gp2yMhWeI7NqUoOKKyc",
  "PLClmnTjqcQotsbl9mycJnGaRUb513RiHtsIT72J505pOrav5u3hJdHG5dQwBehAjvsPMQDhLLrljGU7PZ5YyGfdQw",
  "+OXGzQAy2Df4Gh0ssuOxuolmmSmE6aCYw5Xe2MG3M1H93SCXuhQnZTuaQclid0epye9v1obsE7GSBZIjtQqDMyiFJ7",
  "cZWDAr3tRtGRy5BgtwnRGHnNsEcyJiNvoOLs4FfeM7OesCuoxOVZk4zaVyR/m+WG2dvDoBElcByStIXg/vAsvh1V7v",
  "NcJY8p8/IvNSm1svEmxyoizpImQ23fGcMLLDflI0iQRDpGq82qrKB3Da60AKhhdIYeEtfFrY5V6vHf3FcFYlxQYr1V",
  "gtjBgYiT30fpsW+EiN8Knlwhgp8O4Ww8/NFB2kegbspL23QOSaw00MYrce4nElqMnsB0rkBz/ToUjvJIbrOQhI8zyg",
  "KendK69o60katseUEq7xq8OD9IFw6degYFtoPlq5wLzWE/IoGKGMFrum3TxqCak1BexNaupVOEUUOF+i5YLG69egWg",
  "nV7YpJOUy0cTNVixw1+4Z/gwVvUkka3IZI7zj+BjYHW8OkhPmc117Lffe3GXtKvKCx+eRHoxSsNCYjtNyh7vNoDrXk",
  "TnhnamRJYMV1cE6FwDQ1hgvA9ofUw04KntJd4D0XypWsh/3Pm1BP0yYubm6MVnhfCp/qKHRD8GUVniBWxW15em8Bsc",
  "5dHgwrY3Y4ODxNBJjgoZ3Crj9hcGsBa7IrwEaNOE0ttWiE2nyjDeCb9t8y7B07/le+L8PprpHTde8Gfwsb/KnB/TNI",
  "Pv9CbT85nSVHotvMaryXh4EqthXc9hXHDC9vDgYqD+eoQkjBrDu7mD1DVvKj/Yt+cCKn2sOls0Dsk7NWv8S7DXLl0X",
  "91U3DRVEfc5bVB3qebvQjGP05WqaJON/r6QP5NgozrUtbVjJDI858CuZhUPoPQFx9U5KCWLQuA1M7Zrfn7IfFxexz8",
  "FfUelQo48b885a3MLu6NCVi8ickYkQjBZ+egslBWRxmlIle11/4NZwPYDY7BPAjgvm4odhr/kaMWQlt3fGNKsLfTn8",
  "nNVlHdJAnz4wVm5xAWvnYibNFHumc3/dru8OHR2MnsXN41SaQYTs46MmNBOJq2KBzWJGMiiuzAiPieKNRNAQ2a1Wbp",
  "HF1yIo7h0my26mLZXQMKk/Zaxa5cMI15F/ucoV30EFcm4Dd4/JX0drOvAS/RmTnr",
].join("");

Deno.test("decodeFile() reads files of the first format, and notices every damage of them", async () => {
  const key = await importKey(Uint8Array.fromHex(EARLIER_KEY));
  const file = Uint8Array.fromBase64(EARLIER_FILE);
  expect([...await decodeFile(key, file)]).toEqual([
    ["github", '[["password","hünter2 🔑"]]'],
    ["Büro 日本 🙂", "x".repeat(300)],
  ]);
  const damaged = [file.slice(0, -1), new Uint8Array([...file, 0])];
  for (let at = 0; at < file.length; at += 7) damaged.push(file.with(at, file[at]! ^ 1));
  for (const one of damaged) {
    await expect(decodeFile(key, one)).rejects.toMatchObject({ name: "FormatError" });
  }
});
