/**
 * Uncompressed pictures as a Matroska stream (RFC 9559), by which an encoder gets the time of each
 * picture: bare pixels in a pipe have none.
 */

import { joinBytes } from "../core/bytes.ts";
import type { Size } from "../core/geometry.ts";

/** The identifiers of the elements that are used. */
const ID = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  colourSpace: 0x2eb524,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

const TRACK = 1;
const VIDEO_TRACK = 1;
const NANOSECONDS_PER_MS = 1_000_000;
/** Blue, green, red and a byte without meaning, as a {@link Picture} has them in memory. */
const BGR0 = Uint8Array.of(0x42, 0x47, 0x52, 0);
/** The size of an element whose end is that of the stream. */
const UNKNOWN_SIZE = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
/** Track number, time after that of the cluster, and the flag of a key frame. */
const BLOCK_HEAD = Uint8Array.of(0x80 | TRACK, 0, 0, 0x80);
const APP = "Computer Control Service";

type Bytes = Uint8Array<ArrayBuffer>;

/** The beginning of a stream of pictures of one size. */
export function rawVideoHeader({ width, height }: Size): Bytes {
  const video = element(
    ID.video,
    number(ID.pixelWidth, width),
    number(ID.pixelHeight, height),
    element(ID.colourSpace, BGR0),
  );
  const track = element(
    ID.trackEntry,
    number(ID.trackNumber, TRACK),
    number(ID.trackUid, TRACK),
    number(ID.trackType, VIDEO_TRACK),
    number(ID.flagLacing, 0),
    text(ID.codecId, "V_UNCOMPRESSED"),
    video,
  );
  const info = element(
    ID.info,
    number(ID.timestampScale, NANOSECONDS_PER_MS),
    text(ID.muxingApp, APP),
    text(ID.writingApp, APP),
  );
  return joinBytes([
    element(
      ID.header,
      text(ID.docType, "matroska"),
      number(ID.docTypeVersion, 4),
      number(ID.docTypeReadVersion, 2),
    ),
    idBytes(ID.segment),
    UNKNOWN_SIZE,
    info,
    element(ID.tracks, track),
  ]);
}

/**
 * What stands before the pixels of a picture.
 * @param atMs its time, in milliseconds, which must not decrease
 * @param length of the pixels, in bytes
 */
export function rawFrameHeader(atMs: number, length: number): Bytes {
  const block = BLOCK_HEAD.length + length;
  const time = number(ID.timestamp, atMs);
  const blockHead = joinBytes([idBytes(ID.simpleBlock), sizeBytes(block), BLOCK_HEAD]);
  const size = time.length + blockHead.length + length;
  return joinBytes([idBytes(ID.cluster), sizeBytes(size), time, blockHead]);
}

function number(id: number, value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return element(id, bytes);
}

function text(id: number, value: string): Bytes {
  return element(id, new TextEncoder().encode(value));
}

function element(id: number, ...parts: readonly Bytes[]): Bytes {
  const content = joinBytes(parts);
  return joinBytes([idBytes(id), sizeBytes(content.length), content]);
}

function idBytes(id: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, id);
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}

/** In the longest form, of eight bytes. */
function sizeBytes(size: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(size) | 1n << 56n);
  return bytes;
}
