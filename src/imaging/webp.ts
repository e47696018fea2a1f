/** WebP encoding and decoding by libwebp, compiled to WebAssembly. */

import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { once } from "../core/shared_run.ts";
import type { Picture } from "./picture.ts";

/**
 * The fastest method: on screens, slower ones save a tenth of the bytes but take three times as
 * long.
 */
const METHOD = 0;

interface Encoder {
  encode(rgba: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
}

interface Decoder {
  decode(file: Uint8Array): ImageData | null;
}

type Create<T> = (options: object) => Promise<T>;

interface BytesModule {
  readonly default: Uint8Array<ArrayBuffer>;
}

export const openWebpEncoder: () => Promise<Encoder> = once(() =>
  load(
    createEncoder as unknown as Create<Encoder>,
    import("@jsquash/webp/codec/enc/webp_enc_simd.wasm", { with: { type: "bytes" } }),
  )
);

export const openWebpDecoder: () => Promise<Decoder> = once(() =>
  load(
    createDecoder as unknown as Create<Decoder>,
    import("@jsquash/webp/codec/dec/webp_dec.wasm", { with: { type: "bytes" } }),
  )
);

/** @param quality 1 to 100 */
export function encodeWebp(
  webp: Encoder,
  { pixels, width, height }: Picture,
  quality: number,
): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(width * height * 4);
  const words = new Uint32Array(rgba.buffer);
  for (let at = 0; at < words.length; at++) {
    const pixel = pixels[at]!;
    words[at] = 0xff000000 | (pixel & 255) << 16 | pixel & 0xff00 | pixel >>> 16 & 255;
  }
  const file = webp.encode(rgba, width, height, { ...defaultOptions, quality, method: METHOD });
  if (file === null) throw new Error("libwebp could not encode the picture");
  return new Uint8Array(file);
}

async function load<T>(create: Create<T>, code: Promise<BytesModule>): Promise<T> {
  const module = await WebAssembly.compile((await code).default);
  return await create({
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
}
