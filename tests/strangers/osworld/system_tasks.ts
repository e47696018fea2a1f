/** Tasks of OSWorld about the system: settings of the desktop, files, processes and the terminal. */

import { type LocalTask, printed, rules } from "./local_task.ts";

type SystemTask = Omit<LocalTask, "family" | "solve"> & {
  /** What is typed into a terminal. */
  readonly commands: readonly string[];
};

function terminalTask({ commands, ...task }: SystemTask): LocalTask {
  return { ...task, family: "system", solve: (hand) => hand.inTerminal(...commands) };
}

interface Setting {
  readonly name: string;
  readonly id: string;
  readonly instruction: string;
  readonly schema: string;
  readonly key: string;
  readonly before?: string;
  readonly after: string;
  readonly evaluator?: Pick<LocalTask["evaluator"], "func" | "expected">;
}

/** A setting of the desktop, read as GNOME's own program reads it. */
function settingTask({ schema, key, before, after, evaluator, ...task }: Setting): LocalTask {
  const set = (value: string) => `gsettings set ${schema} ${key} "${value}"`;
  return terminalTask({
    ...task,
    ...(before === undefined ? {} : { setup: set(before) }),
    evaluator: {
      ...evaluator ?? { func: "exact_match", expected: rules({ expected: `${after}\n` }) },
      result: printed(`gsettings get ${schema} ${key}`),
    },
    done: set(after),
    commands: [set(after)],
  });
}

const SETTINGS: readonly LocalTask[] = [
  settingTask({
    name: "system-text-size",
    id: "3ce045a0",
    instruction: "Enlarge the text on the screen.",
    schema: "org.gnome.desktop.interface",
    key: "text-scaling-factor",
    after: "1.5",
    evaluator: { func: "check_text_enlarged" },
  }),
  settingTask({
    name: "system-lock",
    id: "a4d98375",
    instruction: "Have the computer locked automatically.",
    schema: "org.gnome.desktop.screensaver",
    key: "lock-enabled",
    before: "false",
    after: "true",
  }),
  settingTask({
    name: "system-dim",
    id: "bedcedc4",
    instruction: "Set 'Dim screen when inactive' to off.",
    schema: "org.gnome.desktop.session",
    key: "idle-delay",
    after: "0",
    evaluator: { func: "exact_match", expected: rules({ expected: "uint32 0\n" }) },
  }),
  settingTask({
    name: "system-favorites",
    id: "ec4e3f68",
    instruction: "Remove the first favorite app.",
    schema: "org.gnome.shell",
    key: "favorite-apps",
    before: "['vim.desktop', 'thunderbird.desktop', 'google-chrome.desktop']",
    after: "['thunderbird.desktop', 'google-chrome.desktop']",
    evaluator: {
      func: "check_gnome_favorite_apps",
      expected: rules({ expected: ["google-chrome.desktop", "thunderbird.desktop"] }),
    },
  }),
  settingTask({
    name: "system-do-not-disturb",
    id: "f9be0997",
    instruction: "Switch to 'Do not disturb mode'.",
    schema: "org.gnome.desktop.notifications",
    key: "show-banners",
    before: "true",
    after: "false",
  }),
];

/** What a test of the shell says of a path. */
function existence(test: string, what: string): Pick<LocalTask, "evaluator"> {
  return {
    evaluator: {
      func: "exact_match",
      result: printed(`[ ${test} ] && echo '${what} exists.' || echo '${what} does not exist.'`),
      expected: rules({ expected: `${what} exists.\n` }),
    },
  };
}

const MOVE = "mv ~/Desktop/todo.txt ~/Desktop/done/";
const RENAME = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2";
const RECOVER = "mv ~/.local/share/Trash/files/poster_party_night.webp ~/Desktop/";
const COPY = "find ~/Desktop/photos -name '*.jpg' -exec cp {} ~/Desktop/cpjpg ';'";
const CHANGE = "find ~/testDir -type f -exec chmod 644 {} +";

const FILES: readonly LocalTask[] = [
  terminalTask({
    name: "system-move-file",
    id: "7688b85f",
    instruction: "Move the file 'todo.txt' on the Desktop to the directory 'done/' on the Desktop.",
    setup: "mkdir -p ~/Desktop/done && touch ~/Desktop/todo.txt",
    ...existence("-f ~/Desktop/done/todo.txt", "File"),
    done: MOVE,
    commands: [MOVE],
  }),
  terminalTask({
    name: "system-rename",
    id: "e0df059f",
    instruction: 'Change the name of the directory "todo_list_Jan_1" to "todo_list_Jan_2".',
    setup: "mkdir -p ~/Desktop/todo_list_Jan_1",
    ...existence("-d ~/Desktop/todo_list_Jan_2", "Directory"),
    done: RENAME,
    commands: [RENAME],
  }),
  terminalTask({
    name: "system-trash",
    id: "5ea617a3",
    instruction: "Recover the poster of the party night from the Trash.",
    setup: [
      "mkdir -p ~/Desktop && echo poster > ~/Desktop/poster_party_night.webp",
      "gio trash ~/Desktop/poster_party_night.webp",
    ].join("\n"),
    ...existence("-f ~/Desktop/poster_party_night.webp", "File"),
    done: RECOVER,
    commands: [RECOVER],
  }),
  terminalTask({
    name: "system-copy-photos",
    id: "23393935",
    instruction: "Copy any .jpg files in the folders of 'photos' into the directory 'cpjpg'.",
    setup: [
      "mkdir -p ~/Desktop/cpjpg ~/Desktop/photos/{family,events,vacation/hk,vacation/thailand}",
      "cd ~/Desktop/photos",
      "touch family/us.png events/talk.jpg vacation/hk/group.jpg vacation/thailand/temple.jpg",
    ].join("\n"),
    evaluator: {
      func: "check_moved_jpgs",
      result: { type: "list_directory", path: "$HOME/Desktop/cpjpg" },
      expected: rules({ expected: ["talk.jpg", "group.jpg", "temple.jpg"] }),
    },
    done: COPY,
    commands: [COPY],
  }),
  terminalTask({
    name: "system-permissions",
    id: "4d117223",
    instruction: "Change the permission of all regular files under 'testDir' to 644.",
    setup: [
      "mkdir -p ~/testDir/inside/deep && cd ~/testDir",
      "touch one inside/two inside/deep/three && chmod 600 one && chmod 777 inside/two",
    ].join("\n"),
    evaluator: {
      func: "check_include_exclude",
      result: printed("find ~/testDir -type f ! -perm 644 | wc -l"),
      expected: rules({ include: ["0\n"], exclude: [] }),
    },
    done: CHANGE,
    commands: [CHANGE],
  }),
];

const PLAYER = "/usr/share/applications/vlc.desktop";
const VIDEO_TYPES = `grep ^MimeType= ${PLAYER} | tr '=;' '\\n\\n' | grep ^video/`;
const MAKE_DEFAULT = `xdg-mime default vlc.desktop $(${VIDEO_TYPES})`;
const END = "pkill -f '^/bin/sh [.]/my_process.sh'";

const OTHERS: readonly LocalTask[] = [
  terminalTask({
    name: "system-end-process",
    id: "cc9d4f34",
    instruction: "The program my_process.sh is running. End the process.",
    setup: [
      "cd && printf 'while true; do\\n  sleep 1\\ndone\\n' > my_process.sh && chmod +x my_process.sh",
      "setsid nohup ./my_process.sh < /dev/null > /dev/null 2>&1 &",
    ].join("\n"),
    evaluator: {
      func: "check_include_exclude",
      result: printed("ps -ef | grep my_process.sh"),
      expected: rules({ include: [], exclude: ["/bin/sh ./my_process.sh"] }),
    },
    done: END,
    commands: [END],
  }),
  terminalTask({
    name: "system-video-player",
    id: "937087b6",
    instruction: "Set the default video player as VLC.",
    setup: [
      "mkdir -p ~/.local/share/applications ~/.config",
      "printf '[Desktop Entry]\\nType=Application\\nName=Other\\nExec=true %%f\\n' > ~/.local/share/applications/other.desktop",
      `xdg-mime default other.desktop $(${VIDEO_TYPES})`,
    ].join("\n"),
    evaluator: {
      func: "check_include_exclude",
      result: { type: "default_video_player" },
      expected: rules({ include: ["vlc.desktop"], exclude: [] }),
    },
    done: MAKE_DEFAULT,
    commands: [MAKE_DEFAULT],
  }),
  {
    name: "system-count-lines",
    family: "system",
    id: "4127319a",
    instruction:
      "Count all the lines of all php files in the current directory recursively, and show the result on the terminal.",
    setup: [
      "mkdir -p ~/project/inside && cd ~/project",
      "seq 20 > index.php && seq 30 > inside/list.php && seq 4 > inside/item.php",
      "seq 7 > inside/notes.txt",
    ].join("\n"),
    app: "terminal",
    args: ["--working-directory=~/project"],
    evaluator: {
      func: "check_include_exclude",
      result: { type: "vm_terminal_output" },
      expected: rules({ include: ["54\n"], exclude: [] }),
    },
    async solve({ desktop, type, still }) {
      await desktop.click("terminal", "Terminal");
      await type("find . -name '*.php' | xargs cat | wc -l\n");
      await still();
    },
  },
  {
    name: "system-terminal-size",
    family: "system",
    id: "13584542",
    instruction: "Set the size of the terminal to 132x43 permanently.",
    app: "terminal",
    evaluator: {
      func: "check_include_exclude",
      result: { type: "vm_terminal_output" },
      expected: rules({ include: ["43 132"], exclude: [] }),
    },
    async solve({ desktop, key, window, windowGone }) {
      await desktop.click("menu", "Edit");
      await desktop.click("menuitem", "Preferences");
      await window("Terminal Preferences");
      await desktop.click("tab", "Appearance");
      await desktop.fill("spinbutton", "columns", "132");
      await desktop.fill("spinbutton", "rows", "43");
      await desktop.click("button", "Close");
      await windowGone("Terminal Preferences");
      await key("ctrl+shift+w");
    },
    async show({ open, desktop, type, still }) {
      await open({ program: "xfce4-terminal", args: ["--disable-server"], title: "Terminal" });
      await desktop.click("terminal", "Terminal");
      await type("stty size\n");
      await still();
    },
  },
];

export const SYSTEM_TASKS: readonly LocalTask[] = [...SETTINGS, ...FILES, ...OTHERS];
