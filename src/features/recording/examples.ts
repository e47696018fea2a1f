/** Examples of the recording operations. */

const ID = "20260309-140511123-1a2b3c4d";

const RECORDING = {
  id: ID,
  display_num: 1,
  state: "recording",
  ended_by: null,
  detail: null,
  format: "webm",
  media_type: "video/webm",
  playable: false,
  started_at: "2026-03-09T14:05:11.123Z",
  duration_ms: 0,
  frames: 0,
  bytes: 0,
  width: 1_280,
  height: 800,
  resizes: 0,
  max_fps: 10,
  blacked_out: 0,
  chapter_count: 1,
};

const STOPPED = {
  ...RECORDING,
  ...{ state: "finished", ended_by: "stop", playable: true, duration_ms: 61_250 },
  ...{ frames: 148, bytes: 912_345, chapter_count: 2 },
};

const CHAPTERS = [
  { at_ms: 0, title: "start" },
  { at_ms: 2_310, title: "mouse.left-click" },
];

export const RECORDING_EXAMPLES = {
  startRecording: {
    body: { display_num: 1, format: "auto", max_fps: 10, max_seconds: 600 },
    answer: { ...RECORDING, chapters: CHAPTERS.slice(0, 1) },
  },
  stopRecording: { body: { id: ID }, answer: { ...STOPPED, chapters: CHAPTERS } },
  listRecordings: { query: {}, answer: [STOPPED] },
  getRecording: { query: { id: ID } },
  deleteRecording: { body: { id: ID } },
};
