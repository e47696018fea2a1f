/** Tasks of OSWorld about VLC: its settings, and what it plays. */

import type { LocalHand } from "./local_hand.ts";
import { type Getter, type LocalTask, rules } from "./local_task.ts";

const CONFIG: Getter = { type: "vlc_config", dest: "vlcrc" };

interface Setting {
  readonly name: string;
  readonly id: string;
  readonly instruction: string;
  readonly func: string;
  readonly rule: Readonly<Record<string, unknown>>;
  /** A line of `vlcrc`. */
  readonly line: string;
  /** Changes it in the open window of the preferences. */
  change(hand: LocalHand): Promise<void>;
}

function settingTask({ func, rule, line, change, ...task }: Setting): LocalTask {
  return {
    ...task,
    family: "player",
    app: "player",
    isEnded: true,
    evaluator: { func, result: CONFIG, expected: rules(rule) },
    done: `mkdir -p ~/.config/vlc && echo "${line}" > ~/.config/vlc/vlcrc`,
    async solve(hand) {
      await hand.key("ctrl+p");
      await hand.window("Preferences");
      await change(hand);
      await hand.desktop.click("button", "Save");
      await hand.windowGone("Preferences");
    },
  };
}

/** Shows all settings of VLC's own interface: the list has them where they are searched by a word of theirs. */
async function showInterface({ desktop, type }: LocalHand): Promise<void> {
  await desktop.click("radio", "All");
  await desktop.need("cell", "Main interfaces");
  await desktop.click("textbox", "");
  await type("cone");
  await desktop.click("cell", "Qt");
}

const VIDEO = "Music Video.mp4";
/** Of a red that nothing else shows. */
const MAKE_VIDEO =
  `ffmpeg -loglevel error -f lavfi -i color=c=red:size=320x240:rate=10 -t 120 -c:v mpeg4 ~/Desktop/'${VIDEO}' < /dev/null`;

export const PLAYER_TASKS: readonly LocalTask[] = [
  settingTask({
    name: "player-cone",
    id: "215dfd39",
    instruction: "Disable the cone icon in the splash screen.",
    func: "check_qt_bgcone",
    rule: { expected_qt_bgcone: 0 },
    line: "qt-bgcone=0",
    async change(hand) {
      await showInterface(hand);
      await hand.desktop.scroll("checkbox", "Enable Dark Mode", -30);
      await hand.still();
      await hand.desktop.click("checkbox", "Display background cone or art");
    },
  }),
  settingTask({
    name: "player-recordings",
    id: "8ba5ae7a",
    instruction: "Make the Desktop the folder of recordings.",
    func: "is_vlc_recordings_folder",
    rule: { recording_file_path: "$HOME/Desktop" },
    line: "input-record-path=$HOME/Desktop",
    async change({ desktop, home }) {
      await desktop.click("checkbox", "Input / Codecs");
      await desktop.fill("textbox", "Record directory or filename", `${home}/Desktop`);
    },
  }),
  settingTask({
    name: "player-volume",
    id: "9195653c",
    instruction: "Increase the maximum volume to 200% of the original one.",
    func: "check_qt_max_volume",
    rule: { expected_qt_max_volume: 200 },
    line: "qt-max-volume=200",
    async change(hand) {
      await showInterface(hand);
      await hand.desktop.fill("spinbutton", "Maximum Volume displayed", "200");
    },
  }),
  settingTask({
    name: "player-toolbar",
    id: "a5bbbcd5",
    instruction: "Hide the bottom toolbar in window mode.",
    func: "check_qt_minimal_view",
    rule: { expected_qt_minimal_view: 1 },
    line: "qt-minimal-view=1",
    async change(hand) {
      await showInterface(hand);
      await hand.desktop.click("checkbox", "Start in minimal view");
    },
  }),
  settingTask({
    name: "player-slider",
    id: "d06f0d4d",
    instruction: "Change the colour of the volume slider to a blackish one.",
    func: "check_qt_slider_colours",
    rule: { type: "blackish" },
    line: "qt-slider-colours=0;0;0;0;0;0;0;0;0;0;0;0",
    async change(hand) {
      await showInterface(hand);
      const black = Array(12).fill("20").join(";");
      await hand.desktop.fill("textbox", "Define the colors of the volume slider", black);
    },
  }),
  settingTask({
    name: "player-instances",
    id: "f3977615",
    instruction: "Let several videos be played at the same time, each by an instance of its own.",
    func: "check_one_instance_when_started_from_file",
    rule: { expected_one_instance_when_started_from_file: 0 },
    line: "one-instance-when-started-from-file=0",
    async change({ desktop }) {
      await desktop.click("checkbox", "Use only one instance when started from file manager");
    },
  }),
  {
    name: "player-play",
    family: "player",
    id: "59f21cfb",
    instruction: `Play the music video that is on the desktop.`,
    setup: MAKE_VIDEO,
    app: "player",
    evaluator: {
      func: "is_vlc_playing",
      result: { type: "vlc_playing_info", dest: "status.xml" },
      expected: rules({ type: "file_name", file_name: VIDEO }),
    },
    async solve({ key, window, type, home, windowGone }) {
      await key("ctrl+o");
      await window("Select one or more files to open");
      await type(`${home}/Desktop/${VIDEO}\n`);
      await windowGone("Select one or more files to open");
      await window(VIDEO);
    },
  },
  {
    name: "player-full-screen",
    family: "player",
    id: "8d9fd4e2",
    instruction: "Make the video fill up the whole screen.",
    setup: MAKE_VIDEO,
    app: "player",
    args: [`~/Desktop/${VIDEO}`],
    evaluator: {
      func: "is_vlc_fullscreen",
      result: { type: "vm_screen_size" },
      expected: { type: "vm_window_size", app_class_name: "vlc" },
    },
    async solve({ window, key, bounds, pixel, fullScreen }) {
      await window(VIDEO);
      const shown = await bounds(VIDEO);
      // in the upper half: the window gets smaller when the video begins, and before that VLC loses the key
      const x = shown.x + Math.floor(shown.width / 3);
      const y = shown.y + Math.floor(shown.height / 3);
      await pixel(x, y, [255, 0, 0]);
      await key("f");
      await fullScreen("vlc");
    },
  },
];
