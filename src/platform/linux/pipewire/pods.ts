/**
 * Parameters of PipeWire streams as "pods" (spa/pod/pod.h, spa/param/video/raw.h): what we accept,
 * and what was agreed on.
 */

import { DATA_TYPE, META_BITMAP, META_CURSOR, META_TYPE } from "../../../../ffi/linux/pipewire.ts";
import { joinBytes, roundUp } from "../../../core/bytes.ts";

/** What a stream and this side agreed on. */
export interface VideoFormat {
  /** Whether the four bytes of a pixel begin with red; otherwise they begin with blue. */
  readonly isRedFirst: boolean;
  readonly width: number;
  readonly height: number;
}

/** Of `enum spa_video_format`: RGBx and RGBA. */
export const RED_FIRST: readonly number[] = [7, 11];
/** In the order of preference: BGRx, which needs no conversion, and BGRA before those. */
const PREFERRED = [8, 12, ...RED_FIRST];

const TYPE = { id: 3, int: 4, rectangle: 10, fraction: 11, object: 15, choice: 19 } as const;
const CHOICE = { none: 0, range: 1, enumeration: 3, flags: 4 } as const;
const OBJECT = { format: 0x40003, buffers: 0x40004, meta: 0x40005 } as const;
/** `enum spa_param_type` */
export const PARAM = { enumFormat: 3, format: 4, buffers: 5, meta: 6 } as const;
const FORMAT_KEY = {
  mediaType: 1,
  mediaSubtype: 2,
  format: 0x20001,
  size: 0x20003,
  framerate: 0x20004,
  maxFramerate: 0x20005,
} as const;
const BUFFERS_KEY = { buffers: 1, dataType: 6 } as const;
/** One is held for readers; a compositor that is not limited takes 16, half a gigabyte at 4K. */
const BUFFERS = { normal: 5, least: 3, most: 8 } as const;
const META_KEY = { type: 1, size: 2 } as const;
const VIDEO = 2;
const RAW = 1;
const MAX_SIDE = 16_384;
/** The largest cursor that is asked for. */
const CURSOR_SIDE = 384;

/**
 * The parameters of a stream that takes pictures in plain memory. Buffers of the graphics card
 * (DMA-BUF) are refused, because only its driver can read them.
 */
export function streamParameters(): Uint8Array<ArrayBuffer>[] {
  const cursorHeaderBytes = META_CURSOR.bytes + META_BITMAP.bytes;
  const cursorBytes = cursorHeaderBytes + CURSOR_SIDE * CURSOR_SIDE * 4;
  const smallCursor = cursorHeaderBytes + 4;
  return [
    object(OBJECT.format, PARAM.enumFormat, [
      [FORMAT_KEY.mediaType, pod(TYPE.id, words(VIDEO))],
      [FORMAT_KEY.mediaSubtype, pod(TYPE.id, words(RAW))],
      [
        FORMAT_KEY.format,
        choice(CHOICE.enumeration, TYPE.id, [[PREFERRED[0]!], ...PREFERRED.map((each) => [each])]),
      ],
      [
        FORMAT_KEY.size,
        choice(CHOICE.range, TYPE.rectangle, [[1280, 800], [1, 1], [MAX_SIDE, MAX_SIDE]]),
      ],
      [FORMAT_KEY.framerate, choice(CHOICE.range, TYPE.fraction, [[0, 1], [0, 1], [1000, 1]])],
      [FORMAT_KEY.maxFramerate, choice(CHOICE.range, TYPE.fraction, [[60, 1], [1, 1], [1000, 1]])],
    ]),
    object(OBJECT.buffers, PARAM.buffers, [
      [
        BUFFERS_KEY.buffers,
        choice(CHOICE.range, TYPE.int, [[BUFFERS.normal], [BUFFERS.least], [BUFFERS.most]]),
      ],
      [
        BUFFERS_KEY.dataType,
        choice(CHOICE.flags, TYPE.int, [[1 << DATA_TYPE.memPtr | 1 << DATA_TYPE.memFd]]),
      ],
    ]),
    object(OBJECT.meta, PARAM.meta, [
      [META_KEY.type, pod(TYPE.id, words(META_TYPE.cursor))],
      [
        META_KEY.size,
        choice(CHOICE.range, TYPE.int, [[cursorBytes], [smallCursor], [cursorBytes]]),
      ],
    ]),
  ];
}

/**
 * The format in a pod of the library.
 * @returns `undefined` for what is no picture format that was offered.
 */
export function parseFormat(bytes: Uint8Array<ArrayBuffer>): VideoFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let format: number | undefined;
  let size: { width: number; height: number } | undefined;
  for (let at = PROPERTIES; at + PROPERTY_HEADER <= bytes.length;) {
    const key = view.getUint32(at, true);
    const length = view.getUint32(at + 8, true);
    const value = valueAt(view, at + 16);
    if (key === FORMAT_KEY.format) format = view.getUint32(value, true);
    if (key === FORMAT_KEY.size) {
      size = { width: view.getUint32(value, true), height: view.getUint32(value + 4, true) };
    }
    at += PROPERTY_HEADER + roundUp(length, PADDING);
  }
  if (format === undefined || !PREFERRED.includes(format)) return undefined;
  return size && { isRedFirst: RED_FIRST.includes(format), ...size };
}

/** The total length of a pod, from its header `{ uint32_t size, type; }`. */
export function podLength(header: DataView): number {
  return POD_HEADER + header.getUint32(0, true);
}

const POD_HEADER = 8;
/** Pods begin at multiples of this. */
const PADDING = 8;
/** Where the properties of an object begin: after its header, its type and its id. */
const PROPERTIES = 16;
/** Key and flags, then the header of the value. */
const PROPERTY_HEADER = 16;
/** A choice of no alternatives has its value after its own header. */
const CHOICE_HEADER = 16;

function valueAt(view: DataView, content: number): number {
  const isChoice = view.getUint32(content - 4, true) === TYPE.choice;
  return isChoice ? content + CHOICE_HEADER : content;
}

function object(type: number, id: number, properties: [number, Uint8Array][]) {
  const body = properties.flatMap(([key, value]) => [words(key, 0), value]);
  return pod(TYPE.object, joinBytes([words(type, id), ...body]));
}

/** Several values, of which the first is the default. */
function choice(kind: number, type: number, values: readonly (readonly number[])[]): Uint8Array {
  const header = words(kind, 0, values[0]!.length * 4, type);
  return pod(TYPE.choice, joinBytes([header, ...values.map((each) => words(...each))]));
}

function pod(type: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(roundUp(content.length, PADDING) - content.length);
  return joinBytes([words(content.length, type), content, padding]);
}

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
