// This file is generated from openapi.json: `deno task clients`

import type { CallOptions } from "../connection.ts";
import { Group } from "../group.ts";
import type { Picture } from "../picture.ts";
import type * as Types from "./types.gen.ts";

export class Display extends Group {
  /** Get the colour of a pixel */
  pixelColor(input: Types.GetPixelColorRequest, options?: CallOptions): Promise<Types.GetPixelColorResponse> {
    return this.ask("POST", "/api/display/pixel_color", input, options);
  }

  /**
   * Take a screenshot of the display, a region, or what has changed
   *
   * The response headers describe the picture: `X-Frame` is its id, which operations with coordinates accept as `frame`; `X-Scale` is the number of picture pixels per pixel of the screen; `X-Display` is the number of the display. Its `ETag` stays the same until something changes on the display: a request with `If-None-Match` is until then answered with 304, without a capture. With `since` the answer is the smallest part of an older picture, at its scale, that contains everything that has changed since: `X-Region` says where it belongs (`x,y,width,height`), and `X-Changes` lists the changed boxes. If nothing has changed, the answer is 204.
   */
  screenshot(input?: Omit<Types.TakeScreenshotParameters, "since">, options?: CallOptions): Promise<Picture>;
  screenshot(input: Types.TakeScreenshotParameters & { since: string }, options?: CallOptions): Promise<Picture | undefined>;
  screenshot(input: Types.TakeScreenshotParameters = {}, options?: CallOptions): Promise<Picture | undefined> {
    return this.look("GET", "/api/display/screenshot", input, options);
  }

  /** Get the size of a display */
  screenSize(input: Types.GetScreenSizeParameters = {}, options?: CallOptions): Promise<Types.GetScreenSizeResponse> {
    return this.ask("GET", "/api/display/screen_size", input, options);
  }

  /** List the available displays */
  list(input: Types.ListDisplaysParameters = {}, options?: CallOptions): Promise<Types.ListDisplaysResponse> {
    return this.ask("GET", "/api/display/list", input, options);
  }

  /**
   * Find an image on the display
   *
   * Finds the image by normalised correlation, which tolerates small differences in colour and brightness but not in size. With the `frame` of a scaled picture, the image may be cut from that picture. Transparent pixels of the image match anything.
   */
  locate(input: Types.LocateImageRequest, options?: CallOptions): Promise<Types.LocateImageResponse> {
    return this.ask("POST", "/api/display/locate", input, options);
  }

  /**
   * Wait for a change, a stable display, a pixel, an image, an element, a window, a file or a process
   *
   * Driven by the display's own change events, so it uses no CPU while nothing changes. Redrawing the same pixels is not a change. Elements and windows are checked when programs report a change. Files and processes need no display: they are polled every 25 ms, programs by name every 100 ms, less often where listing all processes takes long.
   */
  wait(input: Types.WaitForDisplayRequest = {}, options?: CallOptions): Promise<Types.WaitForDisplayResponse> {
    return this.ask("POST", "/api/display/wait", input, options);
  }
}

export class Mouse extends Group {
  /**
   * Move the cursor
   *
   * A point outside the screen or the picture is replaced by the nearest point inside.
   */
  move(input: Types.MoveMouseRequest = {}, options?: CallOptions): Promise<Types.MoveMouseResponse> {
    return this.ask("POST", "/api/mouse/move", input, options);
  }

  /**
   * Click
   *
   * Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.
   */
  click(input: Types.ClickMouseRequest = {}, options?: CallOptions): Promise<Types.ClickMouseResponse> {
    return this.ask("POST", "/api/mouse/click", input, options);
  }

  /**
   * Left click
   *
   * Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.
   */
  leftClick(input: Types.LeftClickRequest = {}, options?: CallOptions): Promise<Types.LeftClickResponse> {
    return this.ask("POST", "/api/mouse/left-click", input, options);
  }

  /**
   * Right click
   *
   * Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.
   */
  rightClick(input: Types.RightClickRequest = {}, options?: CallOptions): Promise<Types.RightClickResponse> {
    return this.ask("POST", "/api/mouse/right-click", input, options);
  }

  /**
   * Middle click
   *
   * Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.
   */
  middleClick(input: Types.MiddleClickRequest = {}, options?: CallOptions): Promise<Types.MiddleClickResponse> {
    return this.ask("POST", "/api/mouse/middle-click", input, options);
  }

  /**
   * Double left click
   *
   * Presses the button within the double-click time of every toolkit, with no motion between the presses, and each with a timestamp of its own. Right after another click at the same position it waits until that click no longer counts.
   */
  doubleClick(input: Types.DoubleClickRequest = {}, options?: CallOptions): Promise<Types.DoubleClickResponse> {
    return this.ask("POST", "/api/mouse/double-click", input, options);
  }

  /**
   * Triple left click
   *
   * Presses the button within the double-click time of every toolkit, with no motion between the presses, and each with a timestamp of its own. Right after another click at the same position it waits until that click no longer counts.
   */
  tripleClick(input: Types.TripleClickRequest = {}, options?: CallOptions): Promise<Types.TripleClickResponse> {
    return this.ask("POST", "/api/mouse/triple-click", input, options);
  }

  /**
   * Scroll
   *
   * Sends one notch every 15 ms, slowly enough for programs to count each; on macOS up to ten at once.
   */
  scroll(input: Types.ScrollMouseRequest, options?: CallOptions): Promise<Types.ScrollMouseResponse> {
    return this.ask("POST", "/api/mouse/scroll", input, options);
  }

  /**
   * Drag to a point
   *
   * Presses the button at the cursor or at `from`, moves over the points of `path` to `x`, `y`, or to the element of `ref`, at constant speed, pauses, and releases it exactly there. Without `duration_ms` it takes as long as drag and drop between windows and in web pages needs; with 0 it moves immediately and without a pause, which is enough for selections and sliders, but not for drag and drop.
   */
  drag(input: Types.DragMouseRequest = {}, options?: CallOptions): Promise<Types.DragMouseResponse> {
    return this.ask("POST", "/api/mouse/drag", input, options);
  }

  /**
   * Press a button and hold it
   *
   * Presses at the cursor, at `x`, `y`, or at the element of `ref`. The button is held until `up`, release-all, 600 seconds or the end of the service.
   */
  down(input: Types.MouseDownRequest = {}, options?: CallOptions): Promise<Types.MouseDownResponse> {
    return this.ask("POST", "/api/mouse/down", input, options);
  }

  /**
   * Release a button held by `down`
   *
   * Releases at the cursor, at `x`, `y`, or at the element of `ref`: the cursor moves there first. Does nothing else if the button is not held.
   */
  up(input: Types.MouseUpRequest = {}, options?: CallOptions): Promise<Types.MouseUpResponse> {
    return this.ask("POST", "/api/mouse/up", input, options);
  }

  /** Get the position of the cursor */
  position(input: Types.GetMousePositionParameters = {}, options?: CallOptions): Promise<Types.GetMousePositionResponse> {
    return this.ask("GET", "/api/mouse/position", input, options);
  }
}

export class Keyboard extends Group {
  /**
   * Type a text
   *
   * Types any Unicode text on any keyboard layout. `\n`, `\r\n` and `\r` are one Enter, `\t` is Tab; other control characters are an error. `secret` names a value of the keychain, which is typed and never returned. If one character cannot be typed, nothing is typed. With `ref` the element gets the focus first. With `clear` the focused field is cleared first; with an empty text it is only cleared.
   */
  type(input: Types.TypeTextRequest = {}, options?: CallOptions): Promise<Types.TypeTextResponse> {
    return this.ask("POST", "/api/keyboard/type", input, options);
  }

  /**
   * Press a key or a combination
   *
   * A combination is written `ctrl+shift+t`; the plus key is `+`, also after a final `+` (`ctrl++`). In a combination, ASCII letters are lower-case: add `shift` for upper case. A shortcut such as `ctrl+a` works on every layout, even one without Latin letters. With `repeat` the whole combination is pressed and released that many times.
   */
  key(input: Types.PressKeyRequest, options?: CallOptions): Promise<Types.PressKeyResponse> {
    return this.ask("POST", "/api/keyboard/key", input, options);
  }

  /**
   * Press several keys together
   *
   * Presses the keys in the order of the list and releases them in reverse, `repeat` times.
   */
  hotkey(input: Types.PressHotkeyRequest, options?: CallOptions): Promise<Types.PressHotkeyResponse> {
    return this.ask("POST", "/api/keyboard/hotkey", input, options);
  }

  /**
   * Press a key and hold it
   *
   * The key is held until `release`, release-all, 600 seconds or the end of the service.
   */
  hold(input: Types.HoldKeyRequest, options?: CallOptions): Promise<Types.HoldKeyResponse> {
    return this.ask("POST", "/api/keyboard/hold", input, options);
  }

  /**
   * Release a key held by `hold`
   *
   * Does nothing if the key is not held.
   */
  release(input: Types.ReleaseKeyRequest, options?: CallOptions): Promise<Types.ReleaseKeyResponse> {
    return this.ask("POST", "/api/keyboard/release", input, options);
  }

  /** List the keys held by `hold` */
  held(input: Types.ListHeldKeysParameters = {}, options?: CallOptions): Promise<Types.ListHeldKeysResponse> {
    return this.ask("GET", "/api/keyboard/held", input, options);
  }
}

export class Clipboard extends Group {
  /**
   * Get the content of the clipboard
   *
   * Reads the requested formats from the program that owns the content. `available` lists all formats that can be read, `types` the system's own names of the formats. Bytes that are not valid UTF-8 become U+FFFD. Values of the keychain in `text`, `html` and `files` are replaced, unless the service runs with `--no-redact`.
   */
  get(input: Types.GetClipboardRequest = {}, options?: CallOptions): Promise<Types.GetClipboardResponse> {
    return this.ask("POST", "/api/clipboard/get", input, options);
  }

  /**
   * Set the content of the clipboard
   *
   * Replaces the content; a program that pastes chooses the format that suits it best. On Linux the content stays there only while the service runs, unless a clipboard manager takes it over. Large content also needs `--max-body`.
   */
  set(input: Types.SetClipboardRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/clipboard/set", input, options);
  }

  /**
   * Clear the clipboard
   *
   * Removes the content, whichever program owns it.
   */
  clear(input: Types.ClearClipboardRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/clipboard/clear", input, options);
  }
}

export class Accessibility extends Group {
  /**
   * Get the elements of a window as text with refs, and a picture
   *
   * Reads what programs report to assistive technology: visible buttons, fields, menus and texts. Each line is an element, such as `- button "Save" [ref=e12] [disabled]`; operations accept the ref in place of coordinates. A ref names the same element in later snapshots, and never another one: an element that is gone or has changed is 409. Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of password fields is never read.
   */
  snapshot(input: Types.TakeSnapshotRequest = {}, options?: CallOptions): Promise<Types.TakeSnapshotResponse> {
    return this.ask("POST", "/api/accessibility/snapshot", input, options);
  }

  /**
   * Find elements by role, name, text or state
   *
   * Returns the refs of the elements that match all conditions; give at least one of `role`, `name`, `text` and `states`. Also finds what a text snapshot omits.
   */
  find(input: Types.FindElementsRequest = {}, options?: CallOptions): Promise<Types.FindElementsResponse> {
    return this.ask("POST", "/api/accessibility/find", input, options);
  }

  /**
   * Get the value and the state of an element
   *
   * Reads it from its program now; unlike a snapshot, it does not shorten the value to one line. Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of a password field is never read.
   */
  value(input: Types.GetElementValueRequest, options?: CallOptions): Promise<Types.GetElementValueResponse> {
    return this.ask("POST", "/api/accessibility/value", input, options);
  }

  /**
   * Act on an element, and read back the effect
   *
   * Uses the program's accessibility interface, or the real mouse and keyboard, and then reads the element again, because programs report success for actions that had no effect. `unverified` is not an error: it says that no effect was observed. A click counts as confirmed when the element, its window or the windows have changed since; values, selections and the focus are read back directly.
   */
  act(input: Types.ActOnElementRequest, options?: CallOptions): Promise<Types.ActOnElementResponse> {
    return this.ask("POST", "/api/accessibility/act", input, options);
  }
}

export class Window extends Group {
  /**
   * List the windows
   *
   * The windows of the window manager on all desktops, topmost first if the order is known; without a window manager, the visible ones. Menus and tooltips are not included. X11 returns at most the topmost 1,000, and the first 1,024 bytes of each title.
   */
  list(input: Types.ListWindowsParameters = {}, options?: CallOptions): Promise<Types.ListWindowsResponse> {
    return this.ask("GET", "/api/window/list", input, options);
  }

  /** Get the window with the keyboard focus */
  active(input: Types.GetActiveWindowParameters = {}, options?: CallOptions): Promise<Types.GetActiveWindowResponse> {
    return this.ask("GET", "/api/window/active", input, options);
  }

  /**
   * Bring a window to the front
   *
   * Gives it the keyboard focus, restores it if it was minimized, and switches to its desktop. Is queued with the input operations.
   */
  focus(input: Types.FocusWindowRequest, options?: CallOptions): Promise<Types.FocusWindowResponse> {
    return this.ask("POST", "/api/window/focus", input, options);
  }

  /**
   * Move a window
   *
   * Puts the top left corner of its `frame` at a point.
   */
  move(input: Types.MoveWindowRequest, options?: CallOptions): Promise<Types.MoveWindowResponse> {
    return this.ask("POST", "/api/window/move", input, options);
  }

  /**
   * Resize a window
   *
   * Sets the size of its `frame`. Programs can refuse it, or choose a similar one: the answer has the actual size.
   */
  resize(input: Types.ResizeWindowRequest, options?: CallOptions): Promise<Types.ResizeWindowResponse> {
    return this.ask("POST", "/api/window/resize", input, options);
  }

  /** Minimize a window */
  minimize(input: Types.MinimizeWindowRequest, options?: CallOptions): Promise<Types.MinimizeWindowResponse> {
    return this.ask("POST", "/api/window/minimize", input, options);
  }

  /** Maximize a window */
  maximize(input: Types.MaximizeWindowRequest, options?: CallOptions): Promise<Types.MaximizeWindowResponse> {
    return this.ask("POST", "/api/window/maximize", input, options);
  }

  /**
   * Restore a window
   *
   * Restores a minimized window to its previous state; any other gets the size that it had before it was maximized or fullscreen.
   */
  restore(input: Types.RestoreWindowRequest, options?: CallOptions): Promise<Types.RestoreWindowResponse> {
    return this.ask("POST", "/api/window/restore", input, options);
  }

  /**
   * Close a window
   *
   * Requests its program to close it, as its close button does; the program may first ask whether to save. No process is killed.
   */
  close(input: Types.CloseWindowRequest, options?: CallOptions): Promise<Types.CloseWindowResponse> {
    return this.ask("POST", "/api/window/close", input, options);
  }

  /**
   * Take a screenshot of one window
   *
   * The picture shows the part of its `frame` that is on the screen, even if other windows cover it (on X11 with the Composite extension; elsewhere a covered window is 409). `X-Frame` is the id of the picture, which operations with coordinates accept as `frame`; but what they click may be covered on the screen.
   */
  screenshot(input?: Omit<Types.TakeWindowScreenshotParameters, "since">, options?: CallOptions): Promise<Picture>;
  screenshot(input: Types.TakeWindowScreenshotParameters, options?: CallOptions): Promise<Picture | undefined> {
    return this.look("GET", "/api/window/screenshot", input, options);
  }

  /**
   * Start a program, or open a file or a URL
   *
   * `program` runs with `args` as they are, without a shell; `path` and `url` are opened by the desktop's default program (`xdg-open`, `open`, or the Windows shell). The program is one of the service's managed processes: `bash/process/{pid}/output` has its output, `DELETE bash/process/{pid}` ends it, and it ends with the service. The window is the first new one of its processes, or, if the started process has ended because it handed over to a running program, the first new one of any process.
   */
  open(input: Types.OpenWindowRequest = {}, options?: CallOptions): Promise<Types.OpenWindowResponse> {
    return this.ask("POST", "/api/window/open", input, options);
  }
}

export class Recording extends Group {
  /**
   * Start recording a display
   *
   * Records until `recording/stop`, a limit, or the end of the display or of the service, even if the client disconnects. A picture is taken when something changes, and lasts until the next change. Operations that change something during the recording become chapters, by their names only. Fields that `keychain/authenticate` fills in are black from then on; a value that is visible elsewhere, or after its window has moved, is not. While a person has control, a recording of a program takes no picture. It needs ffmpeg. The oldest finished recordings are removed when their space is needed.
   */
  start(input: Types.StartRecordingRequest = {}, options?: CallOptions): Promise<Types.StartRecordingResponse> {
    return this.ask("POST", "/api/recording/start", input, options);
  }

  /**
   * Stop a recording
   *
   * Waits until the file is finished; after `timeout_ms` the state is still `finishing`. For a recording that has already ended, it returns immediately.
   */
  stop(input: Types.StopRecordingRequest, options?: CallOptions): Promise<Types.StopRecordingResponse> {
    return this.ask("POST", "/api/recording/stop", input, options);
  }

  /**
   * List recordings
   *
   * The newest first, including those that are running. They are kept until they are deleted, or their space is needed for new ones.
   */
  list(input: Types.ListRecordingsParameters = {}, options?: CallOptions): Promise<Types.ListRecordingsResponse> {
    return this.ask("GET", "/api/recording/list", input, options);
  }

  /**
   * Get the file of a recording
   *
   * Sends the file, or a part of it (`Range`); of a running recording, what exists so far.
   */
  get(input?: Omit<Types.GetRecordingParameters, "since">, options?: CallOptions): Promise<Picture>;
  get(input: Types.GetRecordingParameters, options?: CallOptions): Promise<Picture | undefined> {
    return this.look("GET", "/api/recording/get", input, options);
  }

  /** Delete a recording */
  delete(input: Types.DeleteRecordingRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/recording/delete", input, options);
  }
}

export class Keychain extends Group {
  /**
   * Store an item for a service
   *
   * Replaces the item that the service already has. Values of fewer than 6 characters, and numbers of fewer than 8 digits, are not redacted in answers. No operation returns a stored value. That keeps secrets out of transcripts; it does not protect them from a caller who can run commands or see the screen.
   */
  setItem(input: Types.SetKeychainItemRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/keychain/set-item", input, options);
  }

  /**
   * Check values against the stored item, or fill in stored values
   *
   * An element with `value` is compared with the stored field. One with `coordinates` or `ref` is filled in: it is clicked at the coordinates, or focused by the `ref`, then the field is cleared (`clear`; by default only the field of a `ref`) and the stored value is typed. Typing into an element stops when it loses the keyboard focus. Values are checked first. The answer is `true` if all were right and all were typed; it is `false`, with nothing clicked or typed, if a value is wrong or a field is not stored. After 5 wrong values for a service name each further attempt is delayed, from 1000 ms up to 30000 ms, until right values for the fields that were wrong, or ten minutes without a wrong one, reset that. No operation returns a stored value. That keeps secrets out of transcripts; it does not protect them from a caller who can run commands or see the screen.
   */
  authenticate(input: Types.AuthenticateServiceRequest, options?: CallOptions): Promise<Types.AuthenticateServiceResponse> {
    return this.ask("POST", "/api/keychain/authenticate", input, options);
  }

  /** List the services that have an item */
  listServices(options?: CallOptions): Promise<Types.ListKeychainServicesResponse> {
    return this.ask("GET", "/api/keychain/list-services", {}, options);
  }

  /**
   * Delete the item of a service
   *
   * Does nothing if the service has no item.
   */
  deleteItem(input: Types.DeleteKeychainItemRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/keychain/delete-item", input, options);
  }
}

export class Editor extends Group {
  /**
   * Read a text file, or a range of its lines
   *
   * Returns the lines as they are in the file, with their line breaks and the byte order mark, so that consecutive ranges together are the file. Bytes that are not UTF-8 become U+FFFD. A last line beyond the end means the last line; a first line beyond the end is an error.
   */
  view(input: Types.ViewFileRequest, options?: CallOptions): Promise<Types.ViewFileResponse> {
    return this.ask("POST", "/api/editor/view", input, options);
  }

  /**
   * Create a text file
   *
   * Creates missing parent folders. Never replaces an existing file.
   */
  create(input: Types.CreateFileRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/editor/create", input, options);
  }

  /**
   * Replace every occurrence of a text in a file
   *
   * Replaces all occurrences, from left to right; all other bytes stay as they are. At most 10000000 are replaced at once. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file run one after the other.
   */
  strReplace(input: Types.ReplaceStringRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/editor/str-replace", input, options);
  }

  /**
   * Insert lines into a file
   *
   * Adds a line break, of the kind that the file uses, if the text does not end with one. Text appended to a file that does not end with a line break gets one before it and none after. A byte order mark stays first. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file run one after the other.
   */
  insert(input: Types.InsertTextRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/editor/insert", input, options);
  }

  /**
   * Apply a diff to a file
   *
   * Takes the V4A format of OpenAI's `apply_patch`, for one file: sections that begin with `@@` and an optional anchor (a line of the file above the change), of lines that begin with a space (kept), `-` (removed) or `+` (added); `*** End of File` ends a section at the end of the file. Headers of unified diffs are accepted, too. Lines are compared exactly, otherwise without trailing blanks. All sections are located before anything is changed: a section whose lines do not occur, or occur several times without an anchor that occurs once, is an error. Line breaks, and a missing one at the end, stay as they are. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file run one after the other.
   */
  applyPatch(input: Types.ApplyPatchRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/editor/apply-patch", input, options);
  }

  /**
   * Undo the last edit of a file
   *
   * Undoes the last create, str-replace, insert or apply-patch of this service since its start; call it again to undo the one before. Undoing a create removes the file. The history of all files together uses at most 67108864 bytes of memory; the oldest edits are forgotten first.
   */
  undoEdit(input: Types.UndoEditRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/editor/undo-edit", input, options);
  }
}

export class Filesystem extends Group {
  /**
   * List a folder
   *
   * Lists folders first, then files, each sorted by name.
   */
  list(input: Types.ListDirectoryRequest, options?: CallOptions): Promise<Types.ListDirectoryResponse> {
    return this.ask("POST", "/api/filesystem/list", input, options);
  }

  /**
   * Search a folder tree by name
   *
   * Searches depth-first in the order of names and stops at `max_results`, so the same request gives the same answer. Results are folders first, then files, each sorted by path. Folders that cannot be read are skipped; links to folders are not followed.
   */
  search(input: Types.SearchFilesRequest, options?: CallOptions): Promise<Types.SearchFilesResponse> {
    return this.ask("POST", "/api/filesystem/search", input, options);
  }

  /**
   * Get a tree of folders and files
   *
   * Lists folders first, then files, each sorted by name. A folder that was not entered has no children and is `truncated`; of a root with more than `max_entries` entries the first ones are returned. A link to a folder has no children and is not truncated. A large answer is streamed.
   */
  tree(input: Types.GetDirectoryTreeRequest, options?: CallOptions): Promise<Types.GetDirectoryTreeResponse> {
    return this.ask("POST", "/api/filesystem/tree", input, options);
  }

  /**
   * Get information about a file or folder
   *
   * The path is percent-encoded (`info/%2Fetc%2Fhosts`), or plain (`info//etc/hosts`), or relative to the home (`info/notes.txt`). It is decoded once: a percent sign is `%25`.
   */
  info(input: Types.GetPathInfoParameters, options?: CallOptions): Promise<Types.GetPathInfoResponse> {
    return this.ask("GET", "/api/filesystem/info/{path}", input, options);
  }

  /**
   * Read a file, or part of it
   *
   * Text is split between characters, so `next_offset` may be slightly less than `offset + length`; bytes that are not UTF-8 become U+FFFD.
   */
  read(input: Types.ReadFileRequest, options?: CallOptions): Promise<Types.ReadFileResponse> {
    return this.ask("POST", "/api/filesystem/read", input, options);
  }

  /**
   * Write a file
   *
   * Creates missing parent folders. The file is written completely or not at all; one that is replaced keeps its mode, owner and links.
   */
  write(input: Types.WriteFileRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/filesystem/write", input, options);
  }

  /**
   * Create a folder
   *
   * Creates missing parent folders, too. Succeeds if the folder already exists.
   */
  mkdir(input: Types.CreateDirectoryRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/filesystem/mkdir", input, options);
  }

  /**
   * Move or rename a file or folder
   *
   * A symbolic link itself is moved, not its target. A move to another file system copies, then deletes, either everything or nothing. The root, the home folder and the folders above it are never moved.
   */
  move(input: Types.MovePathRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/filesystem/move", input, options);
  }

  /**
   * Copy a file or folder
   *
   * The copy is made completely or not at all. If the source is a symbolic link, it is followed; links inside a folder are copied as links. Sparse files stay sparse; setuid and setgid are kept only if the copy has the same owner. A folder with FIFOs, sockets or devices is an error.
   */
  copy(input: Types.CopyPathRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/filesystem/copy", input, options);
  }

  /**
   * Delete a file or folder
   *
   * A symbolic link itself is deleted, never its target. The root, the home folder and the folders above it are never deleted.
   */
  delete(input: Types.DeletePathRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/filesystem/delete", input, options);
  }
}

export class Bash extends Group {
  /**
   * Run a shell command
   *
   * A command that ends within `timeout` is `completed`, even if it failed: its `exit_code` says so. Otherwise it is `background`: it goes on running, and `process_id` identifies it for reading its output, writing to it and ending it. What the command leaves running (`xterm &`) delays the answer by at most 300 ms and is listed by `processes/managed`. At most 64 run at once, background ones included; others are queued for at most 60 s. When the client disconnects, a command that is running continues in the background.
   */
  command(input: Types.ExecuteCommandRequest, options?: CallOptions): Promise<Types.ExecuteCommandResponse> {
    return this.ask("POST", "/api/bash/command", input, options);
  }

  /**
   * Read the output of a process
   *
   * Can be read repeatedly, and after the process has ended for another 3600 s (the last 1000 that ended). When the output of all ended ones takes more than 134217728 bytes, the oldest lose their output, which is then `truncated`, and are finally forgotten. Of a long output the first 65536 and the last 1048576 bytes are kept.
   */
  getProcessOutput(input: Types.GetProcessOutputParameters, options?: CallOptions): Promise<Types.GetProcessOutputResponse> {
    return this.ask("GET", "/api/bash/process/{pid}/output", input, options);
  }

  /**
   * Write to the input of a process
   *
   * Texts are written in order, as fast as the process reads them.
   */
  writeProcessInput(input: Types.WriteProcessInputParameters & Types.WriteProcessInputRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/bash/process/{pid}/input", input, options);
  }

  /**
   * End a process and everything it has started
   *
   * Requests the process group to end, kills it after 3 s, and answers when it is gone. Its output can still be read.
   */
  terminateProcess(input: Types.TerminateProcessParameters, options?: CallOptions): Promise<void> {
    return this.send("DELETE", "/api/bash/process/{pid}", input, options);
  }

  /** List the processes of this service */
  listManagedProcesses(input: Types.ListManagedProcessesParameters = {}, options?: CallOptions): Promise<Types.ListManagedProcessesResponse> {
    return this.ask("GET", "/api/bash/processes/managed", input, options);
  }

  /**
   * End and forget every process of this service
   *
   * Commands that are waiting to start are dropped (409). This does not restart the computer.
   */
  restart(input: Types.RestartShellRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/bash/restart", input, options);
  }
}

export class Browser extends Group {
  /**
   * List the tabs of the browser
   *
   * The browser is the one that `--open-browser` starts, with a temporary profile that is removed when the service ends, or the one at `--browser-address`.
   */
  tabs(input: Types.ListTabsParameters = {}, options?: CallOptions): Promise<Types.ListTabsResponse> {
    return this.ask("GET", "/api/browser/tabs", input, options);
  }

  /**
   * Open a tab
   *
   * The new tab becomes the active one. Waits until its page has loaded.
   */
  open(input: Types.OpenTabRequest = {}, options?: CallOptions): Promise<Types.OpenTabResponse> {
    return this.ask("POST", "/api/browser/open", input, options);
  }

  /** Show a tab */
  activate(input: Types.ActivateTabRequest, options?: CallOptions): Promise<Types.ActivateTabResponse> {
    return this.ask("POST", "/api/browser/activate", input, options);
  }

  /**
   * Close a tab
   *
   * A browser can end with its last tab; the next call starts it again.
   */
  close(input: Types.CloseTabRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/close", input, options);
  }

  /**
   * Load a page
   *
   * Loads an address, goes one page back or forward, or loads the page again, and waits until it has loaded. A status such as 404 is not an error; it is in `http_status`. After 204 and 205, which have no page, and after a download (`download`), the tab still has its previous page. An address that cannot be reached is 503, with the browser's reason.
   */
  navigate(input: Types.NavigateTabRequest = {}, options?: CallOptions): Promise<Types.NavigateTabResponse> {
    return this.ask("POST", "/api/browser/navigate", input, options);
  }

  /**
   * Read a page as text with refs
   *
   * Reads the accessibility tree of the page with all its frames. Every element has a ref, which mouse, keyboard and browser operations accept in place of coordinates. A ref names one element of one document: if that is gone, or has become another one, the answer is 409.
   */
  snapshot(input: Types.SnapshotPageRequest = {}, options?: CallOptions): Promise<Types.SnapshotPageResponse> {
    return this.ask("POST", "/api/browser/snapshot", input, options);
  }

  /**
   * Find elements of a page
   *
   * Finds at most 20 elements by the words of their name (of what only reacts to clicks or keys, the texts inside), value and role, the best ones first. If no element has all words, those with some of them are returned.
   */
  find(input: Types.FindOnPageRequest, options?: CallOptions): Promise<Types.FindOnPageResponse> {
    return this.ask("POST", "/api/browser/find", input, options);
  }

  /**
   * Get the text of a page
   *
   * The visible text of the page, then that of its frames.
   */
  text(input: Types.GetPageTextRequest = {}, options?: CallOptions): Promise<Types.GetPageTextResponse> {
    return this.ask("POST", "/api/browser/text", input, options);
  }

  /**
   * Take a picture of a page
   *
   * Takes a picture of the viewport of the tab, which becomes the active one; `x`, `y`, `width` and `height` select a region, in pixels of the viewport.
   */
  screenshot(input?: Omit<Types.ScreenshotPageRequest, "since">, options?: CallOptions): Promise<Picture>;
  screenshot(input: Types.ScreenshotPageRequest = {}, options?: CallOptions): Promise<Picture | undefined> {
    return this.look("POST", "/api/browser/screenshot", input, options);
  }

  /**
   * Wait for a page
   *
   * Waits until all given conditions are true at the same time. While a page is too busy to answer, only its address is known. For `ref_gone` the tab becomes the active one, and the element is scrolled into view.
   */
  wait(input: Types.WaitForPageRequest = {}, options?: CallOptions): Promise<Types.WaitForPageResponse> {
    return this.ask("POST", "/api/browser/wait", input, options);
  }

  /**
   * Fill a field of a page
   *
   * Replaces the content of a text field, checks or unchecks a box, chooses options by value or label, or sets a date, a number or a color; then reads the field again. A value that the field does not accept is 422; the message says what it accepts.
   */
  fill(input: Types.FillFieldRequest, options?: CallOptions): Promise<Types.FillFieldResponse> {
    return this.ask("POST", "/api/browser/fill", input, options);
  }

  /**
   * Set the files of a file field of a page
   *
   * Chooses existing files for a file field, as its dialog would. Needs the group `filesystem`.
   */
  upload(input: Types.UploadFilesRequest, options?: CallOptions): Promise<Types.UploadFilesResponse> {
    return this.ask("POST", "/api/browser/upload", input, options);
  }

  /**
   * Click an element of a page
   *
   * Scrolls the element into view and clicks its visible middle. The input is sent inside the browser: other windows and the cursor of the display are not involved. To click as a person does, give the ref to `mouse/left-click`.
   */
  click(input: Types.ClickOnPageRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/click", input, options);
  }

  /**
   * Move the mouse in a page, press or release a button
   *
   * The input is sent inside the browser: other windows and the cursor of the display are not involved. A button stays down until it is released by the same operation.
   */
  pointer(input: Types.MovePagePointerRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/pointer", input, options);
  }

  /**
   * Drag in a page
   *
   * Presses the left button at the first point, moves through all points, and releases it.
   */
  drag(input: Types.DragOnPageRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/drag", input, options);
  }

  /**
   * Scroll a page, or an element into view
   *
   * Turns the wheel over an element, a point, or the middle of the page. With `ref` alone the element is only scrolled into view.
   */
  scroll(input: Types.ScrollPageRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/scroll", input, options);
  }

  /**
   * Type into a page
   *
   * The text goes to the element that has the focus, as keyboard input. The input is sent inside the browser: other windows and the cursor of the display are not involved. To set the value of a field, use `browser/fill`.
   */
  type(input: Types.TypeOnPageRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/type", input, options);
  }

  /**
   * Press a key or a combination in a page
   *
   * The input is sent inside the browser: other windows and the cursor of the display are not involved. Shortcuts of the browser itself, such as the one for a new tab, have no effect.
   */
  key(input: Types.PressPageKeyRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/key", input, options);
  }

  /**
   * Read the console of a page
   *
   * The newest 500 entries of a tab are kept, each shortened to 16,384 characters: what its scripts log, uncaught errors, and warnings of the browser.
   */
  console(input: Types.ReadConsoleRequest = {}, options?: CallOptions): Promise<Types.ReadConsoleResponse> {
    return this.ask("POST", "/api/browser/console", input, options);
  }

  /**
   * List the requests of a page
   *
   * The newest 500 requests of a tab are kept, without headers or bodies.
   */
  network(input: Types.ReadNetworkRequest = {}, options?: CallOptions): Promise<Types.ReadNetworkResponse> {
    return this.ask("POST", "/api/browser/network", input, options);
  }

  /**
   * List the open dialogs of pages
   *
   * A dialog (`alert`, `confirm`, `prompt`) blocks its page: operations on its tab are 409 until it is answered.
   */
  dialogs(input: Types.ListDialogsParameters = {}, options?: CallOptions): Promise<Types.ListDialogsResponse> {
    return this.ask("GET", "/api/browser/dialogs", input, options);
  }

  /** Answer a dialog of a page */
  dialog(input: Types.AnswerDialogRequest, options?: CallOptions): Promise<Types.AnswerDialogResponse> {
    return this.ask("POST", "/api/browser/dialog", input, options);
  }

  /**
   * List the downloads of the browser
   *
   * The newest 100 are kept. Files go to the browser's usual folder.
   */
  downloads(input: Types.ListDownloadsParameters = {}, options?: CallOptions): Promise<Types.ListDownloadsResponse> {
    return this.ask("GET", "/api/browser/downloads", input, options);
  }

  /**
   * Run a script in a page
   *
   * Disabled unless the service runs with `--browser-evaluate`: a script has all rights of the page and of the user who is signed in there. A script that does not end is stopped.
   */
  evaluate(input: Types.EvaluateScriptRequest, options?: CallOptions): Promise<Types.EvaluateScriptResponse> {
    return this.ask("POST", "/api/browser/evaluate", input, options);
  }

  /**
   * Save what the browser is signed in by
   *
   * Keeps all cookies of the browser, and the local storage of its open pages, under a name, encrypted with a key of the keychain. An earlier one of this name is replaced.
   */
  saveLogin(input: Types.SaveLoginRequest, options?: CallOptions): Promise<Types.SaveLoginResponse> {
    return this.ask("POST", "/api/browser/state/save", input, options);
  }

  /**
   * Sign the browser in by a saved login
   *
   * Adds the saved cookies and storage to those of the browser, on a desk too; pages that are open must be loaded again.
   */
  loadLogin(input: Types.LoadLoginRequest, options?: CallOptions): Promise<Types.LoadLoginResponse> {
    return this.ask("POST", "/api/browser/state/load", input, options);
  }

  /** List the saved logins */
  listLogins(input: Types.ListLoginsParameters = {}, options?: CallOptions): Promise<Types.ListLoginsResponse> {
    return this.ask("GET", "/api/browser/state/list", input, options);
  }

  /** Delete a saved login */
  deleteLogin(input: Types.DeleteLoginRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/browser/state/delete", input, options);
  }
}

export class Agents extends Group {
  /**
   * Perform the tool calls of a Claude model
   *
   * Takes the `content` of the model's message as it is, performs its `tool_use` blocks in order, and answers with the `tool_result` blocks of the next message. It knows `computer_toolset_20260801`, `computer_20251124`, `computer_20250124`, `bash_20250124`, `text_editor_20250728`, `text_editor_20250429`, `text_editor_20250124` and `memory_20250818`. A call that fails has a result with `is_error`; computer actions after it are not executed. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.
   */
  anthropic(input: Types.AnswerAnthropicRequest, options?: CallOptions): Promise<Types.AnswerAnthropicResponse> {
    return this.ask("POST", "/api/agents/anthropic", input, options);
  }

  /**
   * Perform the tool calls of an OpenAI model
   *
   * Takes the `output` of the model's response as it is, performs its calls in order, and answers with the items for the `input` of the next request. It knows `computer` (`actions` and held `keys`), `computer_use_preview` (one `action`), `apply_patch`, `shell` and `local_shell`. A computer call is answered with one picture after all its actions; one that fails is `incomplete`, is followed by a message that says why, and computer calls after it are not performed. A patch that does not apply and a command that fails are ordinary results. While a safety check is not acknowledged, nothing is performed. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.
   */
  openai(input: Types.AnswerOpenaiRequest, options?: CallOptions): Promise<Types.AnswerOpenaiResponse> {
    return this.ask("POST", "/api/agents/openai", input, options);
  }

  /**
   * Perform the function calls of a Gemini model
   *
   * Takes the `parts` of the model's content (or the steps of an interaction) as they are, performs the functions of the computer use tool's desktop environment in order, and answers each. Coordinates go from 0 to 999 in both directions. A function that fails has a result with `error`; functions after it are not performed. While a call whose `safety_decision` asks for a confirmation is not acknowledged, nothing is performed. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.
   */
  gemini(input: Types.AnswerGeminiRequest = {}, options?: CallOptions): Promise<Types.AnswerGeminiResponse> {
    return this.ask("POST", "/api/agents/gemini", input, options);
  }

  /**
   * Perform the actions of a UI-TARS model
   *
   * Takes the text of the model as it is (`Thought: ...`, `Action: click(start_box='(500,300)')`), performs its actions in order, and answers with the next chat message. The first that fails ends the turn, and the message says why; so does a text without a valid action. `finished` and `call_user` end the task. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.
   */
  uiTars(input: Types.AnswerUiTarsRequest, options?: CallOptions): Promise<Types.AnswerUiTarsResponse> {
    return this.ask("POST", "/api/agents/ui-tars", input, options);
  }

  /**
   * Perform the tool calls of a Qwen model
   *
   * Takes the message of a Qwen2.5-VL or Qwen3-VL model as it is, performs the calls of its function `computer_use` in order, and answers with the next chat messages. The first that fails ends the turn, and its answer says why; calls of other functions are left to you. `terminate` and `answer` end the task. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.
   */
  qwen(input: Types.AnswerQwenRequest, options?: CallOptions): Promise<Types.AnswerQwenResponse> {
    return this.ask("POST", "/api/agents/qwen", input, options);
  }
}

export class Desk extends Group {
  /**
   * Make a desk
   *
   * A desk is a desktop of its own: a virtual display with a window manager, buses for its programs, a clipboard, a browser with its own profile, and a home for its programs. Operations that take `desk` run there; commands have the variables of the desk. It ends with `desk/delete` or with the service. Programs on it have the rights of the service's user: it keeps desks apart, and is no sandbox.
   */
  create(input: Types.CreateDeskRequest, options?: CallOptions): Promise<Types.CreateDeskResponse> {
    return this.ask("POST", "/api/desk/create", input, options);
  }

  /**
   * List the desks
   *
   * A token of one desk gets that one only.
   */
  list(options?: CallOptions): Promise<Types.ListDesksResponse> {
    return this.ask("GET", "/api/desk/list", {}, options);
  }

  /**
   * Delete a desk
   *
   * Ends what runs there, its programs and its display, and removes its folder with the recordings of the desk. What others were doing there is answered with 409.
   */
  delete(input: Types.DeleteDeskRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/desk/delete", input, options);
  }
}

export class Control extends Group {
  /** Get who may act now, and who waits for a person */
  state(input: Types.GetControlStateParameters = {}, options?: CallOptions): Promise<Types.GetControlStateResponse> {
    return this.ask("GET", "/api/control/state", input, options);
  }

  /**
   * Ask for a person, and wait until one has handed back control
   *
   * For what a program cannot or must not do itself, such as a captcha or a login. The console shows the reason. Answers when a person has taken over and handed back, or has declined, or after `timeout_ms`. Take a new picture after that. Call it by itself: a batch in which it is a step is ended when a person takes over.
   */
  requestHelp(input: Types.RequestHelpRequest, options?: CallOptions): Promise<Types.RequestHelpResponse> {
    return this.ask("POST", "/api/control/request-help", input, options);
  }

  /**
   * Refuse every program until it is resumed
   *
   * Ends what programs run (423), and releases every key and button: in all of the service and on its desks, or on one `desk`. Only a person resumes what a person has paused.
   */
  pause(input: Types.PauseControlRequest = {}, options?: CallOptions): Promise<Types.PauseControlResponse> {
    return this.ask("POST", "/api/control/pause", input, options);
  }

  /** End a pause */
  resume(input: Types.ResumeControlRequest = {}, options?: CallOptions): Promise<Types.ResumeControlResponse> {
    return this.ask("POST", "/api/control/resume", input, options);
  }

  /**
   * Let one program act alone for a time, or renew that
   *
   * Requests name the lease by the header `X-Control-Lease: <id>`. Those of programs that do not are refused (423), and what they run is ended: in all of the service and on its desks, or on one `desk`. A person can act, take over and end it, and it ends with the token that took it.
   */
  lease(input: Types.TakeLeaseRequest, options?: CallOptions): Promise<Types.TakeLeaseResponse> {
    return this.ask("POST", "/api/control/lease", input, options);
  }

  /**
   * End a lease
   *
   * A person ends a lease without its `id`; a program may name it by `X-Control-Lease`.
   */
  releaseLease(input: Types.ReleaseLeaseRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/control/release-lease", input, options);
  }

  /**
   * Make a link to watch
   *
   * Whoever opens the link sees the live picture of the display, or of one window, and can do nothing else. It is for any number of viewers. It ends at its time, with `control/revoke-link`, with the token that made it, or with the service.
   */
  link(input: Types.CreateLinkRequest, options?: CallOptions): Promise<Types.CreateLinkResponse> {
    return this.ask("POST", "/api/control/link", input, options);
  }

  /** List the links to watch */
  links(options?: CallOptions): Promise<Types.ListLinksResponse> {
    return this.ask("GET", "/api/control/links", {}, options);
  }

  /**
   * End a link to watch
   *
   * Whoever watches by it sees nothing more.
   */
  revokeLink(input: Types.RevokeLinkRequest, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/control/revoke-link", input, options);
  }
}

export class Trail extends Group {
  /**
   * List what was done
   *
   * The operations of all callers, with who called them and how they ended, the newest first. Typed text, stored secrets and the contents of files are never part of it. Operations are noted from the start with `--audit-file`, else from the first use of this operation, of `events` or of the console. What a person does with the mouse and the keyboard is not noted.
   */
  listTrail(input: Types.ListTrailParameters = {}, options?: CallOptions): Promise<Types.ListTrailResponse> {
    return this.ask("GET", "/api/trail", input, options);
  }

  /**
   * Follow what happens, as server-sent events
   *
   * Events have the types `operation` (it has ended), `window` (opened or closed), `control` (who has control now) and `help` (a program asks for a person); `data` is JSON. A reader that comes back with the id of its last event (`Last-Event-ID`, or `last_event_id`) gets what it has missed of the last 1,000; a `lost` event says that there was more. At most 100 read at a time, and one that does not read is cut off.
   */
  events(input?: Omit<Types.ReadEventsParameters, "since">, options?: CallOptions): Promise<Picture>;
  events(input: Types.ReadEventsParameters = {}, options?: CallOptions): Promise<Picture | undefined> {
    return this.look("GET", "/api/events", input, options);
  }

  /**
   * Start recording operations as steps
   *
   * From now on the operations of all callers on the display, and waits, are kept as steps: with their fields, what they acted on, and a picture and the elements before and after each. They are kept in memory, at most 128 MiB of pictures and 32 MiB of elements; export them. An operation waits until there is a picture from before it. Stored secrets are replaced, and black in pictures where they were filled in; the contents of files and commands are never kept, and typed texts only with `texts`. Pictures show what the display shows.
   */
  start(input: Types.StartTrailRequest = {}, options?: CallOptions): Promise<Types.StartTrailResponse> {
    return this.ask("POST", "/api/trail/start", input, options);
  }

  /**
   * Stop recording steps
   *
   * Does nothing if it has ended. The last 4 that have ended are kept in memory.
   */
  stop(input: Types.StopTrailRequest = {}, options?: CallOptions): Promise<Types.StopTrailResponse> {
    return this.ask("POST", "/api/trail/stop", input, options);
  }

  /**
   * Write recorded steps to files
   *
   * Also while it is recorded: what there is so far. The export is there completely or not at all, for this user only.
   */
  export(input: Types.ExportTrailRequest, options?: CallOptions): Promise<Types.ExportTrailResponse> {
    return this.ask("POST", "/api/trail/export", input, options);
  }
}

export class System extends Group {
  /**
   * Check whether the service is alive
   *
   * Needs no token.
   */
  healthz(options?: CallOptions): Promise<Types.GetHealthResponse> {
    return this.ask("GET", "/healthz", {}, options);
  }

  /**
   * Check whether the display and the keychain are available now
   *
   * Without the display the service is not ready. Without the keychain it is ready, because only the keychain operations then answer 503. Without the token that the service asks for, the answer is only `{"ready": true}` or `{"ready": false}`.
   */
  readyz(options?: CallOptions): Promise<Types.GetReadinessResponse> {
    return this.ask("GET", "/readyz", {}, options);
  }

  /** Get the version, system, chosen backends and limits */
  info(options?: CallOptions): Promise<Types.GetSystemInfoResponse> {
    return this.ask("GET", "/api/system/info", {}, options);
  }

  /**
   * Release every key and button
   *
   * Preempts all other operations: ends the running input operation, drops the queued ones (they answer 409), and releases every key and button on every display in use.
   */
  releaseAll(input: Types.ReleaseAllRequest = {}, options?: CallOptions): Promise<void> {
    return this.send("POST", "/api/system/release-all", input, options);
  }
}

export class Operations extends Group {
  readonly display: Display = new Display(this.connection);
  readonly mouse: Mouse = new Mouse(this.connection);
  readonly keyboard: Keyboard = new Keyboard(this.connection);
  readonly clipboard: Clipboard = new Clipboard(this.connection);
  readonly accessibility: Accessibility = new Accessibility(this.connection);
  readonly window: Window = new Window(this.connection);
  readonly recording: Recording = new Recording(this.connection);
  readonly keychain: Keychain = new Keychain(this.connection);
  readonly editor: Editor = new Editor(this.connection);
  readonly filesystem: Filesystem = new Filesystem(this.connection);
  readonly bash: Bash = new Bash(this.connection);
  readonly browser: Browser = new Browser(this.connection);
  readonly agents: Agents = new Agents(this.connection);
  readonly desk: Desk = new Desk(this.connection);
  readonly control: Control = new Control(this.connection);
  readonly trail: Trail = new Trail(this.connection);
  readonly system: System = new System(this.connection);

  /**
   * Run several operations one after the other
   *
   * All steps are checked before the first one runs: if one of them is invalid, nothing runs. The batch stops at the first step that fails, and reports the result of each. Keys and buttons that its steps left pressed are released at its end, but not those that others hold. When the client disconnects, the running step stops and everything is released; release-all ends it, too. The values and the picture of an answer have at most 12582912 bytes together: a value that does not fit is omitted, and the answer says so; for the picture, the last values are.
   */
  batch(input: Types.RunBatchRequest, options?: CallOptions): Promise<Types.RunBatchResponse> {
    return this.ask("POST", "/api/batch", input, options);
  }
}
