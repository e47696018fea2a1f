/** Encodes a picture in one of the file formats. */

import type { Format } from "./image_file.ts";
import { encodeJpeg, openJpeg } from "./jpeg.ts";
import type { Picture } from "./picture.ts";
import { encodePng } from "./png.ts";
import { encodeWebp, openWebpEncoder } from "./webp.ts";

export type Encode = (picture: Picture) => Uint8Array<ArrayBuffer>;

/** @param quality 1 to 100, for JPEG and WebP */
export async function openEncoder(format: Format, quality: number): Promise<Encode> {
  switch (format) {
    case "png":
      return encodePng;
    case "jpeg": {
      const codec = await openJpeg();
      return (picture) => encodeJpeg(codec, picture, quality);
    }
    case "webp": {
      const codec = await openWebpEncoder();
      return (picture) => encodeWebp(codec, picture, quality);
    }
  }
}
