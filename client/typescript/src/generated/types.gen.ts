// This file is generated from openapi.json: `deno task clients`

export type FilesystemEntry = {
  name: string;
  /** The full path. */
  path: string;
  /** The type; a symbolic link counts as its target, and broken links, FIFOs, sockets and devices count as files. */
  type: "file" | "directory";
  /** The size, in bytes. */
  size: number;
  /** Local time without a time zone, `YYYY-MM-DDTHH:MM:SS[.ffffff]`. */
  modified_time: string;
  /** If true, the name starts with a dot, or on Windows the file has the hidden attribute. */
  is_hidden: boolean;
  /** The extension, without the dot; `null` for folders and files without one. */
  extension: string | null;
};

export type DirectoryTreeNode = {
  name: string;
  type: "file" | "directory";
  /** Only folders have children. */
  children?: Array<DirectoryTreeNode>;
  /** If true, children are missing, because the folder is nested too deeply, cannot be read, or has too many entries. */
  truncated?: true;
};

/** The effect of the input, as far as it is known. */
export type InputEffect = {
  effect: "confirmed";
  /** `program`: the program that received the input reports that it has handled it. `server`: the X server, or the system, has performed it; whether a program has handled it is unknown. */
  by: "server" | "program";
  /** The reason, or what is unknown, in one sentence. */
  reason: string;
  /** The title of the window that received the input, or the last part of it. */
  window?: string;
} | {
  /** The input was sent, but no effect was observed, or it is known to have had none. */
  effect: "unverified";
  /** The reason, or what is unknown, in one sentence. */
  reason: string;
  /** The title of the window that received the input, or the last part of it. */
  window?: string;
};

export type AccessibleElement = {
  /** Operations that act on an element take it as `ref`. */
  ref: string;
  /** A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own. */
  role: string;
  /** The label; empty if it has none. */
  name: string;
  /** The text to the left of a field without a name, or above it; `find` and waits find it by this as by a name. */
  label?: string;
  /** The text or the number that it holds; never that of a password field. */
  value?: string;
  /** The description that its program reports in addition to the name. */
  description?: string;
  /** The states that it is in. A toggle button that is off is `unpressed`; no other button is. */
  states: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
  /** The actions that its program offers for it by its accessibility interface. */
  abilities: Array<"click" | "focus" | "set value" | "select" | "scroll to" | "expand">;
  /** The bounds of the element, in pixels of the display; parts of it can be out of view. Missing if its program does not report them. */
  bounds?: {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  /** The id of the window, if this is one; window operations take it. */
  window?: string;
  /** The number of its children, as its program reports it. */
  child_count: number;
  /** The visible elements inside it. */
  children?: Array<AccessibleElement>;
};

/** A window of the display. */
export type WindowEntry = {
  /** Identifies the window while it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` accept it. */
  id: string;
  /** The title; empty if it has none. */
  title: string;
  /** The program as the desktop names it: the class of WM_CLASS, the app id, or the window class. `null` if unknown. */
  app: string | null;
  /** The process of its program; `null` if unknown, as for a program on another computer. */
  pid: number | null;
  /** The content, without the frame that the window manager draws; `null` if the system does not report it. */
  bounds: {
    /** The left edge, in pixels of the display; negative beyond its left edge. */
    x: number;
    /** The top edge, in pixels of the display. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  } | null;
  /** The visible area, including the frame; `null` if the system does not report it. `window/move` and `window/resize` refer to this area. */
  frame: {
    /** The left edge, in pixels of the display; negative beyond its left edge. */
    x: number;
    /** The top edge, in pixels of the display. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  } | null;
  /** The number of its desktop (workspace), from 0; `null` if it is on all of them, or unknown. */
  desktop: number | null;
  /** `active`: it has the keyboard focus. `above`: it stays above others. `attention`: it requests attention. `hidden`: it is not visible although it is not minimized, for example because it is on another desktop. */
  states: Array<"active" | "minimized" | "maximized" | "fullscreen" | "above" | "modal" | "attention" | "hidden">;
};

export type HttpValidationError = {
  detail?: Array<ValidationError>;
  /** The error code. */
  code: "invalid";
  /** The id of the request in the log of the service; the same as in `X-Request-Id`. */
  request_id: string;
};

export type ValidationError = {
  /** The location of the error: `body`, `query`, `path` or `header`, then the field, then indexes. */
  loc: Array<string | number>;
  msg: string;
  type: string;
};

export type Error = {
  /** One sentence about what is wrong, and what to do about it. */
  detail: string;
  /** The error code. `already_exists`: The path already exists. `not_a_directory`: The path is a file, but a folder is required. `is_a_directory`: The path is a folder, but a file is required. `not_a_file`: The path is a device, a pipe or a socket, but a file is required. `not_empty`: The folder is not empty. `unauthorized`: The token is missing or wrong. `forbidden`: The Host or Origin check or a flag of the service forbids it. `permission_denied`: The user who runs the service lacks the permission. `not_found`: There is no such path, process, window, computer or address. `method_not_allowed`: The address supports other methods: `Allow` lists them. `request_timeout`: The body of the request did not arrive in time. `conflict`: The state has changed or does not allow it: read the state again, then decide. `too_large`: The request, the file or the answer is larger than the limit. `locked`: Somebody else has control, or it is paused: `detail` says who. `too_many_requests`: Too many requests at once, or too many wrong attempts: wait for `Retry-After`. `internal`: A bug in the service: see its log for the request id. `unsupported`: This system does not support it: `detail` says why and what would help. `unavailable`: It is not possible at the moment: try again later. `timed_out`: It did not happen, or there was no response, in time. */
  code: "already_exists" | "not_a_directory" | "is_a_directory" | "not_a_file" | "not_empty" | "unauthorized" | "forbidden" | "permission_denied" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "too_large" | "locked" | "too_many_requests" | "internal" | "unsupported" | "unavailable" | "timed_out";
  /** The id of the request in the log of the service; the same as in `X-Request-Id`. */
  request_id: string;
};

export type GetPixelColorRequest = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y: number;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type LocateImageRequest = {
  /** The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder. */
  image_path: string;
  /** The minimum similarity: 1 accepts only identical pixels, 0.9 tolerates small differences. */
  confidence?: number;
  /** If true, every match is returned, at most 1,000, instead of the best one. */
  all?: boolean;
  /** The part of the display to search; all of it by default. */
  region?: {
    /** The left edge, in pixels. */
    x: number;
    /** The top edge, in pixels. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  };
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type WaitForDisplayRequest = {
  /** With `change`, waits until any pixel changes, with `stable` until nothing has changed for `stable_ms`. Other conditions are the colour of a pixel, a visible image and, without using a display, a file, a running program or the end of a process; or something that programs report: an `element`, a `text` in any element, or a `window`. With `gone`, waits until the condition is false. */
  until?: "change" | "stable" | {
    pixel: {
      /** The X coordinate, in pixels from the left edge of the display. */
      x: number;
      /** The Y coordinate, in pixels from the top edge of the display. */
      y: number;
      /** Red, green and blue, each from 0 to 255. */
      rgb: [number, number, number];
      /** The maximum difference in each of the three channels. */
      tolerance?: number;
    };
  } | {
    /** The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder. */
    image: string;
    /** The minimum similarity: 1 accepts only identical pixels, 0.9 tolerates small differences. */
    confidence?: number;
  } | {
    file: {
      /** The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user. */
      path: string;
      /** With `exists`, waits until the path exists, with `gone` until it does not. States shorter than 25 ms may be missed. */
      state?: "exists" | "gone";
      /** With `exists`, waits until the file also contains this text, as UTF-8; with `gone`, until the file does not contain it, or does not exist. Files up to 64 MiB are searched. */
      contains?: string;
    };
  } | {
    process: {
      /** Waits until the process that has this id when the wait begins has ended; it can belong to any user. A later process with the same id is ignored. */
      pid: number;
    } | {
      /** The file name of a program, such as `mousepad`, on Windows with or without `.exe`: waits until a process of it is running, of any user; with `gone`, until none is. Processes that run for less than 100 ms may be missed. On Linux a program that has renamed itself has both names, and a script has its own name; elsewhere it has that of its interpreter. */
      name: string;
    };
  } | {
    element: {
      /** The role: `button`, `textbox`, `menuitem`. */
      role?: string;
      /** A part of the name, ignoring case; with `exact` the full name in the same case. */
      name?: string;
      /** A part of the name, the value or the description, ignoring case. */
      text?: string;
      /** States that the element is in, all of them. */
      states?: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
      /** If true, `name` and `text` must match in full, in the same case. */
      exact?: boolean;
      /** The window to search: `all`, `focused`, or the id of a window. */
      window?: string;
      /** The ref of an element: waits for that element, for example until it has a state. */
      ref?: string;
    };
  } | {
    /** A part of the name, value or description of any visible element, ignoring case. */
    text: string;
  } | {
    window: {
      /** A part of the title, ignoring case; with `exact` the full title in the same case. */
      title?: string;
      /** A part of the name of the program, ignoring case; with `exact` the full name in the same case. */
      app?: string;
      /** Identifies the window while it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` accept it. */
      id?: string;
      /** The process of its program. */
      pid?: number;
      /** States that the window must have, all of them: `active`, for example. */
      states?: Array<"active" | "minimized" | "maximized" | "fullscreen" | "above" | "modal" | "attention" | "hidden">;
      /** If true, `title` and `app` must match in full, in the same case. */
      exact?: boolean;
    };
  } | {
    /** Waits until this is false. */
    gone: {
      pixel: {
        /** The X coordinate, in pixels from the left edge of the display. */
        x: number;
        /** The Y coordinate, in pixels from the top edge of the display. */
        y: number;
        /** Red, green and blue, each from 0 to 255. */
        rgb: [number, number, number];
        /** The maximum difference in each of the three channels. */
        tolerance?: number;
      };
    } | {
      /** The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder. */
      image: string;
      /** The minimum similarity: 1 accepts only identical pixels, 0.9 tolerates small differences. */
      confidence?: number;
    } | {
      file: {
        /** The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user. */
        path: string;
        /** Waits until the file does not contain this text. */
        contains?: string;
      };
    } | {
      process: {
        /** Waits until the process that has this id when the wait begins has ended; it can belong to any user. A later process with the same id is ignored. */
        pid: number;
      } | {
        /** The file name of a program, such as `mousepad`, on Windows with or without `.exe`: waits until a process of it is running, of any user; with `gone`, until none is. Processes that run for less than 100 ms may be missed. On Linux a program that has renamed itself has both names, and a script has its own name; elsewhere it has that of its interpreter. */
        name: string;
      };
    } | {
      element: {
        /** The role: `button`, `textbox`, `menuitem`. */
        role?: string;
        /** A part of the name, ignoring case; with `exact` the full name in the same case. */
        name?: string;
        /** A part of the name, the value or the description, ignoring case. */
        text?: string;
        /** States that the element is in, all of them. */
        states?: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
        /** If true, `name` and `text` must match in full, in the same case. */
        exact?: boolean;
        /** The window to search: `all`, `focused`, or the id of a window. */
        window?: string;
        /** The ref of an element: waits for that element, for example until it has a state. */
        ref?: string;
      };
    } | {
      /** A part of the name, value or description of any visible element, ignoring case. */
      text: string;
    } | {
      window: {
        /** A part of the title, ignoring case; with `exact` the full title in the same case. */
        title?: string;
        /** A part of the name of the program, ignoring case; with `exact` the full name in the same case. */
        app?: string;
        /** Identifies the window while it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` accept it. */
        id?: string;
        /** The process of its program. */
        pid?: number;
        /** States that the window must have, all of them: `active`, for example. */
        states?: Array<"active" | "minimized" | "maximized" | "fullscreen" | "above" | "modal" | "attention" | "hidden">;
        /** If true, `title` and `app` must match in full, in the same case. */
        exact?: boolean;
      };
    };
  };
  /** The maximum time to wait, in milliseconds. */
  timeout_ms?: number;
  /** The time without a change after which the display is stable, in milliseconds. */
  stable_ms?: number;
  /** The part of the display to watch; all of it by default. */
  region?: {
    /** The left edge, in pixels. */
    x: number;
    /** The top edge, in pixels. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  };
  /** Changes to ignore for `change` and `stable`. A number ignores changes of fewer pixels (width times height), until they add up; the default is 100 for `stable`, so that a blinking text cursor does not matter, and 0 for `change`. A region, or a list of up to 100, ignores changes there, such as those of a clock or a video. */
  ignore_area?: number | {
    /** The left edge, in pixels. */
    x: number;
    /** The top edge, in pixels. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  } | Array<{
    /** The left edge, in pixels. */
    x: number;
    /** The top edge, in pixels. */
    y: number;
    /** The size, in pixels. */
    width: number;
    /** The size, in pixels. */
    height: number;
  }>;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MoveMouseRequest = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** The duration of the movement, in milliseconds; 0 means immediately. */
  duration_ms?: number;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ClickMouseRequest = {
  /** The button to click. */
  button?: "left" | "middle" | "right";
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** Keys to hold down during the click, for example `["ctrl"]`. */
  modifiers?: Array<string>;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** 1 for a click, 2 for a double click, 3 for a triple click. */
  click_count?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type LeftClickRequest = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** Keys to hold down during the click, for example `["ctrl"]`. */
  modifiers?: Array<string>;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** 1 for a click, 2 for a double click, 3 for a triple click. */
  click_count?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type RightClickRequest = LeftClickRequest;

export type MiddleClickRequest = LeftClickRequest;

export type DoubleClickRequest = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** Keys to hold down during the click, for example `["ctrl"]`. */
  modifiers?: Array<string>;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type TripleClickRequest = DoubleClickRequest;

export type ScrollMouseRequest = {
  /** The number of notches: positive scrolls up, negative down. */
  clicks: number;
  /** The number of horizontal notches: positive scrolls right, negative left. */
  horizontal_clicks?: number;
  /** The unit of `clicks` and `horizontal_clicks`. Pixels are supported on macOS, and on Windows as browsers measure them (100 for a notch); on X11 and Wayland, whose wheel only has notches, the answer is 501. */
  unit?: "notches" | "pixels";
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** Keys to hold down during the scrolling, for example `["ctrl"]`. */
  modifiers?: Array<string>;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type DragMouseRequest = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** The point or the element where the drag begins; by default the position of the cursor. */
  from?: {
    /** The X coordinate, in pixels from the left edge of the display. */
    x: number;
    /** The Y coordinate, in pixels from the top edge of the display. */
    y: number;
  } | {
    /** The ref of an element in a snapshot, such as `e12`: the middle of its visible part, after it was scrolled into view. */
    ref: string;
  };
  /** Points that the cursor passes on the way, in this order. */
  path?: Array<{
    /** The X coordinate, in pixels from the left edge of the display. */
    x: number;
    /** The Y coordinate, in pixels from the top edge of the display. */
    y: number;
  }>;
  /** The button to hold down. */
  button?: "left" | "middle" | "right" | "back" | "forward";
  /** Keys to hold down during the drag, for example `["ctrl"]`. */
  modifiers?: Array<string>;
  /** The duration of the movement, in milliseconds; 0 means immediately, without a pause. */
  duration_ms?: number;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MouseDownRequest = {
  /** The mouse button. */
  button?: "left" | "middle" | "right" | "back" | "forward";
  /** The X coordinate, in pixels from the left edge of the display. */
  x?: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y?: number;
  /** The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done. */
  ref?: string;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MouseUpRequest = MouseDownRequest;

export type TypeTextRequest = {
  /** The text to type. Give exactly one of `text` and `secret`. */
  text?: string;
  /** The value in the keychain to use; it is never returned. */
  secret?: {
    /** The name of the service that the item belongs to, for example `github`. */
    service: string;
    /** The name of a field of the item, for example `password`. */
    field: string;
  };
  /** The time between two keystrokes, in milliseconds. */
  typing_delay?: number;
  /** The number of characters sent as one batch. With a `typing_delay`, as by default, the service checks after every key whether the client is still connected; with 0 between batches (at least every 50 characters). The focus of the element of `ref` is checked between batches. */
  typing_group_size?: number;
  /** `auto`: by keys, and through the clipboard if this desktop has no key for a character. `keys`: never through the clipboard. `paste`: sets the clipboard to the text, presses Ctrl+V (Command+V on macOS), and restores the clipboard; fast for long texts, in programs that paste with that shortcut. */
  method?: "auto" | "keys" | "paste";
  /** If true, the field is cleared first, by selecting and deleting everything in it. A terminal has no selection to delete: leave it `false` there and send `ctrl+u`. */
  clear?: boolean;
  /** The ref of an element in a snapshot, such as `e12`: it gets the keyboard focus first. If it does not take the focus, nothing is done. */
  ref?: string;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type PressKeyRequest = {
  /** A key name, or several joined by `+`: `enter`, `ctrl+shift+t`, `ctrl++`. */
  key: string;
  /** The time for which the key is held down each time, in milliseconds; 0 means immediately. */
  duration_ms?: number;
  /** The number of times that it is pressed and released. */
  repeat?: number;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type PressHotkeyRequest = {
  /** The key names, in the order in which they are pressed. */
  keys: Array<string>;
  /** The number of times that it is pressed and released. */
  repeat?: number;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type HoldKeyRequest = {
  /** The name of a key: a word (`enter`, `f5`, `ctrl`), a name of the DOM (`ArrowRight`, `ControlLeft`), an X keysym name (`Page_Down`) or a single character. */
  key: string;
  /** If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond. */
  effect?: boolean;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ReleaseKeyRequest = HoldKeyRequest;

export type GetClipboardRequest = {
  /** The formats to read. Those that the content does not have are missing in the answer. */
  formats?: Array<"text" | "html" | "png" | "files">;
  /** The maximum time for which the program that owns the content may send no data, in milliseconds. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type SetClipboardRequest = {
  /** The content as plain text. */
  text?: string;
  /** The content as HTML. Give `text`, too, for programs that accept only text. */
  html?: string;
  /** The content as a PNG image, in Base64. */
  png?: string;
  /** The paths of existing files and folders, as if they had been copied in a file manager. */
  files?: Array<string>;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ClearClipboardRequest = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type TakeSnapshotRequest = {
  /** The window to read: `focused`, `all`, or the id of a window. */
  window?: string;
  /** The ref of an element: only this element and what is inside it are read, and `window` is ignored. */
  ref?: string;
  /** If true, elements that are not visible are read, too: those of closed menus, for example. */
  include_hidden?: boolean;
  /** The maximum number of elements to read. */
  max_elements?: number;
  /** The maximum number of levels below a window. */
  max_depth?: number;
  /** The maximum time to read, in milliseconds; the answer contains what was read by then. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The format: `text` for models, one line for each element; `json` as nested objects; `xml` with the coordinates of every element. */
  format?: "text" | "json" | "xml";
  /** The maximum number of characters of the snapshot; the last line says how many elements were omitted. */
  max_chars?: number;
  /** If true, the answer also has a picture of the display, taken right after the elements were read. */
  screenshot?: boolean;
  /** If true, the picture shows the box of each element and its ref; this implies `screenshot`. */
  boxes?: boolean;
  /** The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is the maximum for Claude when a request has more than 20 pictures. */
  max_edge?: number;
  /** Scales the picture down, keeping its aspect ratio, to the largest size that the model accepts without scaling. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` limits the file to n bytes, at least 1000. */
  fit?: string;
  /** The format of the picture. */
  picture_format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type FindElementsRequest = {
  /** The role: `button`, `textbox`, `menuitem`. */
  role?: string;
  /** A part of the name, ignoring case; with `exact` the full name in the same case. */
  name?: string;
  /** A part of the name, the value or the description, ignoring case. */
  text?: string;
  /** States that the element is in, all of them. */
  states?: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
  /** If true, `name` and `text` must match in full, in the same case. */
  exact?: boolean;
  /** The maximum number of elements to return. */
  max_results?: number;
  /** The window to read: `focused`, `all`, or the id of a window. */
  window?: string;
  /** The ref of an element: only this element and what is inside it are read, and `window` is ignored. */
  ref?: string;
  /** If true, elements that are not visible are searched, too; if false, they never are. By default they are searched only if no visible element matches: what is scrolled out of view, for example. */
  include_hidden?: boolean;
  /** The maximum number of elements to read. */
  max_elements?: number;
  /** The maximum number of levels below a window. */
  max_depth?: number;
  /** The maximum time to read, in milliseconds; the answer contains what was read by then. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetElementValueRequest = {
  /** The ref of an element, such as `e12`, from a snapshot or from find. An element that is gone, has another role or name, or is no longer visible is 409. */
  ref: string;
  /** The maximum number of characters of the value. */
  max_chars?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ActOnElementRequest = {
  /** `click` activates; `focus` gives it the keyboard focus; `set_value` replaces the text or the number; `select` and `unselect` are for options, tabs, rows, checkboxes, switches and toggle buttons; `expand` and `collapse` for trees and lists that open; `scroll_to` brings it into view; `menu` chooses an item by `menu_path`. */
  action: "click" | "focus" | "set_value" | "select" | "unselect" | "expand" | "collapse" | "scroll_to" | "menu";
  /** The ref of an element, such as `e12`, from a snapshot or from find. An element that is gone, has another role or name, or is no longer visible is 409. Needed for all actions but `menu`, which takes the menus of the focused window without it. */
  ref?: string;
  /** The new value, for `set_value`: a text, a number such as `20`, or the name of an option of a list that opens. */
  value?: string;
  /** The names of the menus and of the item, for `menu`: `["File", "Save As..."]`. Case, dots at the end and underlines do not matter. */
  menu_path?: Array<string>;
  /** `program` uses the program's accessibility interface; `input` uses the real mouse and keyboard; `auto` uses the accessibility interface, and input where the program refuses, or where a value is not set as requested. */
  method?: "auto" | "program" | "input";
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type FocusWindowRequest = {
  /** The `id` of the window, from `window/list`. */
  id: string;
  /** The maximum time to wait for the effect, in milliseconds. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MoveWindowRequest = {
  /** The `id` of the window, from `window/list`. */
  id: string;
  /** The maximum time to wait for the effect, in milliseconds. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The left edge of the `frame`, in pixels of the display. */
  x: number;
  /** The top edge of the `frame`, in pixels of the display. */
  y: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ResizeWindowRequest = {
  /** The `id` of the window, from `window/list`. */
  id: string;
  /** The maximum time to wait for the effect, in milliseconds. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The width of the `frame`, in pixels. */
  width: number;
  /** The height of the `frame`, in pixels. */
  height: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MinimizeWindowRequest = FocusWindowRequest;

export type MaximizeWindowRequest = FocusWindowRequest;

export type RestoreWindowRequest = FocusWindowRequest;

export type CloseWindowRequest = FocusWindowRequest;

export type OpenWindowRequest = {
  /** The program: a name that is searched in PATH, or a path. */
  program?: string;
  /** The arguments of `program`. On Windows, those for a batch file must not contain `"`, `%` or line breaks. */
  args?: Array<string>;
  /** The path of the file or folder to open: absolute, `~/...`, or relative to the home of the service's user. */
  path?: string;
  /** The URL to open, such as `https://example.org/`. */
  url?: string;
  /** If false, the call returns as soon as the program has been started. */
  wait_for_window?: boolean;
  /** The maximum time to wait for the window, in milliseconds. */
  timeout_ms?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type StartRecordingRequest = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** `webm` needs ffmpeg with libvpx, `mp4` with libx264; `auto` is the first of them that can be made. */
  format?: "auto" | "webm" | "mp4";
  /** The maximum number of pictures per second. */
  max_fps?: number;
  /** The recording ends after this time, in seconds. */
  max_seconds?: number;
  /** The maximum size of the file, in bytes; the recording ends before the file exceeds it. Chapters in a video need twice the size of the file on the disk. */
  max_bytes?: number;
  /** If true, the mouse cursor is recorded, too. */
  cursor?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type StopRecordingRequest = {
  /** The `id` of the recording. */
  id: string;
  /** The maximum time to wait for the file, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type DeleteRecordingRequest = {
  /** The `id` of the recording. */
  id: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type SetKeychainItemRequest = {
  /** The name of the service that the item belongs to, for example `github`. */
  service: string;
  /** The values by field name. `null` means that there is no such field. Other names are allowed. */
  item: {
    /** The user name. */
    username?: string | null;
    /** The password of the account. */
    password?: string | null;
    /** The address of the service. */
    url?: string | null;
    /** An access token. */
    token?: string | null;
    /** An e-mail address. */
    email?: string | null;
    /** A telephone number. */
    phone?: string | null;
    /** A one-time password, or the secret that generates them. */
    otp?: string | null;
    [name: string]: string | null | undefined;
  };
};

export type AuthenticateServiceRequest = {
  /** The elements to check or fill in, in this order. */
  authElements: Array<{
    /** The name of a field of the item, for example `password`. */
    type: string;
    /** The value to compare with the stored one. */
    value?: string;
    /** The position of the field that the stored value is typed into. */
    coordinates?: {
      /** The X coordinate, in pixels from the left edge of the display. */
      x: number;
      /** The Y coordinate, in pixels from the top edge of the display. */
      y: number;
    };
    /** The ref of an element in a snapshot, such as `e12`: the field that the stored value is typed into, which gets the keyboard focus first. */
    ref?: string;
  }>;
  /** The name of the service that the item belongs to, for example `github`. */
  service: string;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** If true, the fields are cleared first, by selecting and deleting everything in them; if false, they are not. By default those of `ref` are, and those of `coordinates` are not. A terminal has no selection to delete, and would take the keys as a part of the value. */
  clear?: boolean;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type DeleteKeychainItemRequest = {
  /** The name of the service that the item belongs to, for example `github`. */
  service: string;
};

export type ViewFileRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The first and the last line, counted from 1; a last line of -1 means the end of the file. */
  view_range?: [number, number] | null;
};

export type CreateFileRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The text of the file; `null` creates an empty one. */
  file_text?: string | null;
};

export type ReplaceStringRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The text to replace, exactly as it is in the file. */
  old_str: string;
  /** The new text; may be empty. */
  new_str: string;
  /** If true, a text that occurs more than once is an error, and nothing is replaced. */
  unique?: boolean;
};

export type InsertTextRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** One or more lines. */
  text: string;
  /** The line number of the first inserted line: 0 and 1 insert at the top, `null` appends. */
  insert_line?: number | null;
};

export type ApplyPatchRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The sections of the diff. */
  diff: string;
};

export type UndoEditRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
};

export type ListDirectoryRequest = {
  /** The path of the folder: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** If true, hidden files and folders are included. */
  include_hidden?: boolean;
  /** Return only names that match. A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\` before a character that is meant literally. */
  pattern?: string | null;
};

export type SearchFilesRequest = {
  /** The path of the folder to start from: absolute, `~/...`, or relative to the home of the service's user. */
  root_path: string;
  /** A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\` before a character that is meant literally. A pattern matches names at any depth; one with `/` is matched against the path below the root. */
  pattern: string;
  /** The maximum number of files and folders to return. */
  max_results?: number;
  /** If true, hidden files and folders are included. */
  include_hidden?: boolean;
};

export type GetDirectoryTreeRequest = {
  /** The path of the folder: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The depth of the tree: 1 is the folder and its entries. */
  max_depth?: number;
  /** If true, hidden files and folders are included. */
  include_hidden?: boolean;
  /** Return only files that match, and the folders that contain them. A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\` before a character that is meant literally. */
  pattern?: string | null;
  /** The maximum number of files and folders to return. */
  max_entries?: number;
};

export type ReadFileRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The encoding of the answer: text or Base64. */
  encoding?: "text" | "base64";
  /** The position to start at, in bytes. */
  offset?: number;
  /** The maximum number of bytes to read. */
  length?: number;
};

export type WriteFileRequest = {
  /** The path of the file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The new content. */
  content: string;
  /** The encoding of `content`: text or Base64. */
  encoding?: "text" | "base64";
  /** If true, an existing file may be replaced. */
  overwrite?: boolean;
};

export type CreateDirectoryRequest = {
  /** The path of the folder: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
};

export type MovePathRequest = {
  /** The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user. */
  source: string;
  /** The new path; missing parent folders are created: absolute, `~/...`, or relative to the home of the service's user. */
  destination: string;
  /** If true, a file may replace a file, and a folder an empty folder. */
  overwrite?: boolean;
};

export type CopyPathRequest = MovePathRequest;

export type DeletePathRequest = {
  /** The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** If true, a folder is deleted with everything in it. */
  recursive?: boolean;
};

export type ExecuteCommandRequest = {
  /** The command line for the shell, at most 128 KiB of UTF-8. */
  command: string;
  /** The time to wait for the command to end, in seconds; with 0 it runs in the background at once. */
  timeout?: number;
  /** The time after which the command is ended, in seconds, whether or not it runs in the background; no limit by default. */
  max_runtime?: number;
  /** The folder that the command runs in: absolute, `~/...`, or relative to the home folder, which is the default. */
  cwd?: string;
  /** Variables to add to the environment, each at most 128 KiB of UTF-8. Those that the shell sets itself (`IFS`, `PPID`, `LINENO` and others) are refused, except `PWD`, `OLDPWD`, `SHLVL` and `_`, for which it uses its own values: set the folder with `cwd`. */
  env?: Record<string, string>;
  /** Variables whose values come from the keychain; only this command gets them. */
  env_secrets?: Record<string, {
    /** The name of the service that the item belongs to, for example `github`. */
    service: string;
    /** The name of a field of the item, for example `password`. */
    field: string;
  }>;
  /** The standard input of the command; empty by default. */
  stdin?: string;
  /** If true, its input stays open for `process/{pid}/input` after `stdin`. */
  stdin_open?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type WriteProcessInputRequest = {
  /** The text to write. */
  text: string;
  /** If true, the input is closed after the text. */
  eof?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type RestartShellRequest = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type OpenTabRequest = {
  /** The address of the page; without it, the tab is empty. */
  url?: string;
  /** The maximum time to wait until the page has loaded, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ActivateTabRequest = {
  /** The tab, by its id in `browser/tabs`. */
  tab_id: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type CloseTabRequest = {
  /** The tab, by its id in `browser/tabs`. */
  tab_id: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type NavigateTabRequest = {
  /** The address: `about:blank`, or with `http:`, `https:`, `data:`, or `file:` unless the group `filesystem` is disabled. */
  url?: string;
  /** The previous or next page, or the same page again, in place of `url`. */
  history?: "back" | "forward" | "reload";
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The maximum time to wait until the page has loaded, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type SnapshotPageRequest = {
  /** `all` is the full page, `visible` what is in the viewport, `interactive` what can be clicked or filled in the viewport. */
  filter?: "all" | "visible" | "interactive";
  /** The element to read, with its full value; by default the page. */
  ref?: string;
  /** The maximum number of levels below the page. */
  max_depth?: number;
  /** The maximum number of characters of the text. */
  max_characters?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The maximum time to read the page, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type FindOnPageRequest = {
  /** Words of the element, ignoring case, such as "search button". */
  query: string;
  /** Only this role, such as `button`. */
  role?: string;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The maximum time to read the page, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetPageTextRequest = {
  /** The maximum number of characters of the text. */
  max_characters?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ScreenshotPageRequest = {
  /** The left edge of a region. */
  x?: number;
  /** The top edge of a region. */
  y?: number;
  /** The width of a region. */
  width?: number;
  /** The height of a region. */
  height?: number;
  /** If true, the picture shows the full page. */
  full_page?: boolean;
  format?: "png" | "jpeg" | "webp";
  /** The quality of JPEG and WebP. */
  quality?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type WaitForPageRequest = {
  /** A text that is visible in the page, within its first 4,000,000 characters. */
  text?: string;
  /** A text that is not visible in the page; refused if the page has more than 4,000,000 characters. */
  text_gone?: string;
  /** A part of its address. */
  url?: string;
  /** An element that is gone, hidden or covered. */
  ref_gone?: string;
  /** If true, the page has loaded. */
  loaded?: boolean;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The maximum time to wait, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type FillFieldRequest = {
  /** The element, by its ref in a snapshot. */
  ref: string;
  /** A text; true or false for a checkbox, a switch or a radio button; an option, or a list of them; a date as `YYYY-MM-DD`. */
  value: string | number | boolean | Array<string>;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type UploadFilesRequest = {
  /** The element, by its ref in a snapshot. */
  ref: string;
  /** The paths of the files. */
  paths: Array<string>;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ClickOnPageRequest = {
  /** The element, by its ref in a snapshot. */
  ref?: string;
  /** The X coordinate, in pixels of the page from the left edge of its viewport. */
  x?: number;
  /** The Y coordinate, in pixels of the page from the top edge of its viewport. */
  y?: number;
  button?: "left" | "middle" | "right" | "back" | "forward";
  /** The number of clicks: 2 is a double click. */
  click_count?: number;
  /** Keys to hold down during the action: `ctrl`, `shift`, `alt`, `meta`. */
  modifiers?: Array<string>;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type MovePagePointerRequest = {
  action?: "move" | "down" | "up";
  /** The element, by its ref in a snapshot. */
  ref?: string;
  /** The X coordinate, in pixels of the page from the left edge of its viewport. */
  x?: number;
  /** The Y coordinate, in pixels of the page from the top edge of its viewport. */
  y?: number;
  button?: "left" | "middle" | "right" | "back" | "forward";
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type DragOnPageRequest = {
  /** The points, in pixels of the viewport. */
  path: Array<{
    x: number;
    y: number;
  }>;
  /** Keys to hold down during the action: `ctrl`, `shift`, `alt`, `meta`. */
  modifiers?: Array<string>;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ScrollPageRequest = {
  /** The element, by its ref in a snapshot. */
  ref?: string;
  /** The X coordinate, in pixels of the page from the left edge of its viewport. */
  x?: number;
  /** The Y coordinate, in pixels of the page from the top edge of its viewport. */
  y?: number;
  /** The number of notches: positive scrolls up, negative down, as in `mouse/scroll`. */
  clicks?: number;
  /** The number of horizontal notches: positive scrolls right, negative left. */
  horizontal_clicks?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type TypeOnPageRequest = {
  text: string;
  /** The element that gets the focus first. */
  ref?: string;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type PressPageKeyRequest = {
  /** One key (`Enter`, `a`, `PageDown`), or a combination such as `ctrl+shift+k`; the words are those of `keyboard/key`, the characters those of a US keyboard. */
  key: string;
  /** The number of times that it is pressed and released. */
  repeat?: number;
  /** The time for which it is held down each time, in milliseconds. */
  duration_ms?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ReadConsoleRequest = {
  /** The number of the last entry that you already have; 0 starts with the oldest one kept. */
  since?: number;
  /** The maximum number of entries. */
  max?: number;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ReadNetworkRequest = ReadConsoleRequest;

export type AnswerDialogRequest = {
  /** If true, its OK button is pressed, else Cancel. */
  accept: boolean;
  /** The text for a `prompt`. */
  text?: string;
  /** The tab of the dialog; without it, the first one. */
  tab_id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type EvaluateScriptRequest = {
  /** JavaScript; the value of its last statement is the answer, and promises are awaited. */
  expression: string;
  /** The tab, by its id in `browser/tabs`; without it, the active one. */
  tab_id?: string;
  /** The maximum time for the script, in milliseconds. */
  timeout_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type SaveLoginRequest = {
  /** The name of the saved login. */
  name: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type LoadLoginRequest = {
  /** The name of the saved login. */
  name: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type DeleteLoginRequest = {
  /** The name of the saved login. */
  name: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type RunBatchRequest = {
  /** They run one after the other, until one fails. A `display.wait` between two steps waits for the effect of the first one. */
  steps: Array<{
    /** The name is the group and what follows in the path (`mouse.left-click`, `bash.command`); the path (`mouse/left-click`) and the `operationId` are accepted, too. */
    operation: string;
    /** The fields of the operation, whether they are in its body, its query or its path. An unknown field is refused. */
    input?: Record<string, unknown>;
    /** The condition to wait for after the step, like `until` of `display/wait` without `change`: the next step runs when it is met; if it is not met in time, the step fails with `timed_out`. */
    until?: string | Record<string, unknown>;
    /** The maximum time to wait for `until` after the step, in milliseconds; by default that of `display/wait`. */
    timeout_ms?: number;
  }>;
  /** A picture to take at the end, also if a step has failed. The fields are those of a screenshot. */
  then_screenshot?: {
    /** The left edge of the region, in pixels; 0 by default. */
    x?: number;
    /** The top edge of the region, in pixels; 0 by default. */
    y?: number;
    /** The width of the region, in pixels; up to the right edge by default. */
    width?: number;
    /** The height of the region, in pixels; down to the bottom edge by default. */
    height?: number;
    /** The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
    max_width?: number;
    /** The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
    max_height?: number;
    /** The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is the maximum for Claude when a request has more than 20 pictures. */
    max_edge?: number;
    /** If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that have difficulty with small pictures. */
    enlarge?: boolean;
    /** Scales the picture down, keeping its aspect ratio, to the largest size that the model accepts without scaling. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` limits the file to n bytes, at least 1000. */
    fit?: string;
    /** If true, the cursor is drawn into the picture. */
    cursor?: boolean;
    /** The format of the picture. */
    format?: "png" | "jpeg" | "webp";
    /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
    quality?: number;
    /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
    frame?: string;
    /** The `X-Frame` of an older picture: the answer then contains only what has changed since. Region and scale are those of the older picture and cannot be given. */
    since?: string;
    /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
    display_num?: number;
  };
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type AnswerAnthropicRequest = {
  /** The `content` of the model's message, as the API returned it. */
  content: Array<{
    /** Blocks of types other than `tool_use` are ignored. */
    type: string;
    [name: string]: unknown;
  }>;
  /** The `tools` of your request, as you sent them: they specify which versions of the tools the model uses. Without them the newest versions are assumed. */
  tools?: Array<{
    type?: string;
    name?: string;
    [name: string]: unknown;
  }>;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** Scales pictures to fit the model, like the `fit` of a screenshot; without it, `claude`, or for the older tools the display size that they declare. */
  fit?: string;
  /** The maximum length of either side of a picture, in pixels. */
  max_edge?: number;
  /** The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes. */
  frame?: string;
  /** The format of the pictures. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** If true, the cursor is drawn into pictures. */
  cursor?: boolean;
  /** The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait. */
  settle_ms?: number;
  /** If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it. */
  after_action?: boolean;
  /** If true, a picture of the display after the actions is added to the last result, if it has none yet. */
  then_screenshot?: boolean;
  /** The name of the shell that the `bash` tool uses: each name has a shell of its own. */
  shell?: string;
  /** The maximum time for a command of the `bash` tool, in seconds; a command that takes longer is ended together with its shell. */
  bash_timeout?: number;
  /** The folder that is `/memories` for the `memory` tool: absolute, `~/...`, or relative to the home of the service's user. */
  memory_dir?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type AnswerOpenaiRequest = {
  /** The `output` of the model's response, as the API returned it. */
  output: Array<{
    /** Items of types other than `computer_call`, `apply_patch_call`, `shell_call` and `local_shell_call` are ignored. */
    type: string;
    [name: string]: unknown;
  }>;
  /** The `pending_safety_checks` of the calls that a person has approved. */
  acknowledged_safety_checks?: Array<{
    id: string;
    code?: string | null;
    message?: string | null;
    [name: string]: unknown;
  }>;
  /** The folder that `apply_patch` works in, and in which commands begin: absolute, `~/...`, or relative to the home of the service's user. */
  workspace?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** Scales pictures to fit the model, like the `fit` of a screenshot; without it, `openai`. */
  fit?: string;
  /** The maximum length of either side of a picture, in pixels. */
  max_edge?: number;
  /** The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes. */
  frame?: string;
  /** The format of the pictures. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** If true, the cursor is drawn into pictures. */
  cursor?: boolean;
  /** The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait. */
  settle_ms?: number;
  /** If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it. */
  after_action?: boolean;
  /** If false, a computer call is answered only if it fails, by the message: for drivers of the vendor's classes, which request the picture separately. */
  then_screenshot?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type AnswerGeminiRequest = {
  /** The `parts` of the model's content, as `generateContent` returned them; those without a `functionCall` are ignored. */
  parts?: Array<Record<string, unknown>>;
  /** The steps of an interaction instead, as the Interactions API returned them; those of types other than `function_call` are ignored. */
  steps?: Array<{
    type: string;
    [name: string]: unknown;
  }>;
  /** The ids, or the indexes from 0, of the calls that a person has approved. */
  acknowledged?: Array<string | number>;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** Scales pictures to fit the model, like the `fit` of a screenshot; without it, `gemini`. */
  fit?: string;
  /** The maximum length of either side of a picture, in pixels. */
  max_edge?: number;
  /** The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes. */
  frame?: string;
  /** The format of the pictures. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** If true, the cursor is drawn into pictures. */
  cursor?: boolean;
  /** The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait. */
  settle_ms?: number;
  /** If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it. */
  after_action?: boolean;
  /** If true, a picture of the display after the actions is added to the last result, if it has none yet. */
  then_screenshot?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type AnswerUiTarsRequest = {
  /** The content of the model's message. */
  text: string;
  /** The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28). */
  coordinates?: "0..1000" | "pixels" | "resized";
  /** With `resized`: the minimum area of the pictures that the model is configured for, in pixels. */
  min_pixels?: number;
  /** With `resized`: the maximum area of the pictures that the model is configured for, in pixels. */
  max_pixels?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** Scales pictures to fit the model, like the `fit` of a screenshot; without it, the display in its own pixels. */
  fit?: string;
  /** The maximum length of either side of a picture, in pixels. */
  max_edge?: number;
  /** The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes. */
  frame?: string;
  /** The format of the pictures. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** If true, the cursor is drawn into pictures. */
  cursor?: boolean;
  /** The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait. */
  settle_ms?: number;
  /** If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it. */
  after_action?: boolean;
  /** If true, a picture of the display after the actions is added to the last result, if it has none yet. */
  then_screenshot?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type AnswerQwenRequest = {
  /** The model's message, as the server returned it; without `tool_calls` the calls are parsed from the text of `content`. */
  message: {
    content?: string | Array<Record<string, unknown>> | null;
    tool_calls?: Array<Record<string, unknown>> | null;
    [name: string]: unknown;
  };
  /** The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28). */
  coordinates?: "0..1000" | "pixels" | "resized";
  /** With `resized`: the minimum area of the pictures that the model is configured for, in pixels. */
  min_pixels?: number;
  /** With `resized`: the maximum area of the pictures that the model is configured for, in pixels. */
  max_pixels?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** Scales pictures to fit the model, like the `fit` of a screenshot; without it, the display in its own pixels. */
  fit?: string;
  /** The maximum length of either side of a picture, in pixels. */
  max_edge?: number;
  /** The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes. */
  frame?: string;
  /** The format of the pictures. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** If true, the cursor is drawn into pictures. */
  cursor?: boolean;
  /** The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait. */
  settle_ms?: number;
  /** If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it. */
  after_action?: boolean;
  /** If true, a picture of the display after the actions is added to the last result, if it has none yet. */
  then_screenshot?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type CreateDeskRequest = {
  /** A new name for it. */
  name: string;
  /** The size of its display, in pixels. */
  size?: {
    width: number;
    height: number;
  };
  /** If true, its display is one of Wayland (sway), where programs of X do not run; if false, of X11. */
  wayland?: boolean;
  /** A login that `browser/state/save` has saved: its browser is started and signed in by it. */
  login?: string;
  /** A program to start there, with its arguments, as in `xterm -e top`; the answer comes when its window is open. */
  open?: string;
};

export type DeleteDeskRequest = {
  /** The name of the desk. */
  name: string;
};

export type RequestHelpRequest = {
  /** The task for the person, in one sentence. */
  reason: string;
  /** The maximum time to wait, in milliseconds. */
  timeout_ms?: number;
};

export type PauseControlRequest = {
  /** The reason, for those who are refused. */
  reason?: string;
  /** The desk of which it is, as `desk/create` names it; by default that of the token, or the whole service with its desks. */
  desk?: string;
};

export type ResumeControlRequest = {
  /** The desk of which it is, as `desk/create` names it; by default that of the token, or the whole service with its desks. */
  desk?: string;
};

export type TakeLeaseRequest = {
  /** The time for which it lasts from now on, in seconds. */
  seconds: number;
  /** The lease to renew. */
  id?: string;
  /** The desk of which it is, as `desk/create` names it; by default that of the token, or the whole service with its desks. */
  desk?: string;
};

export type ReleaseLeaseRequest = {
  /** The `id` of the lease. */
  id?: string;
  /** The desk of which it is, as `desk/create` names it; by default that of the token, or the whole service with its desks. */
  desk?: string;
};

export type CreateLinkRequest = {
  /** After how many seconds it ends. */
  expires_in_seconds: number;
  /** The `id` of the one window to show, from `window/list`; else the display. */
  window?: string;
  /** Who watches by it, as the console shows it: at most 64 letters and digits, with spaces, dots, dashes, _ and @ between them; `link` and its id if absent. */
  name?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
};

export type RevokeLinkRequest = {
  /** The `id` of the link. */
  id: string;
};

export type StartTrailRequest = {
  /** If true, typed texts are kept, as a replay needs them; if false, only their lengths, and words that were typed are `…` in names and titles. */
  texts?: boolean;
  /** If true, pictures are taken. */
  pictures?: boolean;
  /** If true, the elements of windows and pages are kept, and what steps act on is described by them. */
  trees?: boolean;
  /** It ends after this time, in seconds. */
  max_seconds?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type StopTrailRequest = {
  /** The `id` of the trajectory; by default the newest. */
  id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ExportTrailRequest = {
  /** The `id` of the trajectory; by default the newest. */
  id?: string;
  /** `atif`: a folder with `trajectory.json` (ATIF 1.8) and the pictures and elements; `osworld`: a folder with `traj.jsonl` and the pictures; `html`: one page to open in a browser. */
  format: "atif" | "osworld" | "html";
  /** The path of the new folder, or for `html` of the new file: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ReleaseAllRequest = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type TakeScreenshotParameters = {
  /** The left edge of the region, in pixels; 0 by default. */
  x?: number;
  /** The top edge of the region, in pixels; 0 by default. */
  y?: number;
  /** The width of the region, in pixels; up to the right edge by default. */
  width?: number;
  /** The height of the region, in pixels; down to the bottom edge by default. */
  height?: number;
  /** The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
  max_width?: number;
  /** The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
  max_height?: number;
  /** The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is the maximum for Claude when a request has more than 20 pictures. */
  max_edge?: number;
  /** If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that have difficulty with small pictures. */
  enlarge?: boolean;
  /** Scales the picture down, keeping its aspect ratio, to the largest size that the model accepts without scaling. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` limits the file to n bytes, at least 1000. */
  fit?: string;
  /** If true, the cursor is drawn into the picture. */
  cursor?: boolean;
  /** The format of the picture. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted. */
  frame?: string;
  /** The `X-Frame` of an older picture: the answer then contains only what has changed since. Region and scale are those of the older picture and cannot be given. */
  since?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetScreenSizeParameters = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListDisplaysParameters = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetMousePositionParameters = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListHeldKeysParameters = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListWindowsParameters = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetActiveWindowParameters = {
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type TakeWindowScreenshotParameters = {
  /** The `id` of the window, from `window/list`. */
  id: string;
  /** The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
  max_width?: number;
  /** The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio. */
  max_height?: number;
  /** The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is the maximum for Claude when a request has more than 20 pictures. */
  max_edge?: number;
  /** If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that have difficulty with small pictures. */
  enlarge?: boolean;
  /** Scales the picture down, keeping its aspect ratio, to the largest size that the model accepts without scaling. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` limits the file to n bytes, at least 1000. */
  fit?: string;
  /** If true, the cursor is drawn into the picture. */
  cursor?: boolean;
  /** The format of the picture. */
  format?: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best). */
  quality?: number;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListRecordingsParameters = {
  /** The id of a recording: returns only this one, with its chapters. */
  id?: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetRecordingParameters = {
  /** The `id` of the recording. */
  id: string;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetPathInfoParameters = {
  /** The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user. */
  path: string;
};

export type GetProcessOutputParameters = {
  /** The process id. */
  pid: number;
  /** The position to start at, in bytes of the full output: 0, or the `next_offset` of an earlier answer. If that part is no longer kept, reading starts at the next byte that is. */
  offset?: number;
  /** The time to wait for output after `offset` (by default: for new output) or the end of the process, in milliseconds; 0 answers at once. */
  wait_ms?: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type WriteProcessInputParameters = {
  /** The process id. */
  pid: number;
};

export type TerminateProcessParameters = {
  /** The process id. */
  pid: number;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListManagedProcessesParameters = {
  /** If true, processes that have ended and whose output can still be read are included. */
  all?: boolean;
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListTabsParameters = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListDialogsParameters = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListDownloadsParameters = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type ListLoginsParameters = {
  /** The desk on which it runs, as `desk/create` names it; by default that of the token, or the displays of the service. */
  desk?: string;
};

export type GetControlStateParameters = {
  /** The desk of which it is, as `desk/create` names it; by default that of the token, or the whole service with its desks. */
  desk?: string;
};

export type ListTrailParameters = {
  /** Only operations that began then or later, in ISO 8601. */
  since?: string;
  /** Only operations that began before, in ISO 8601. */
  until?: string;
  /** Only those of the token, or the person, with this name. */
  who?: string;
  /** Only those on this desk; on an earlier one of this name only while there is none now. */
  desk?: string;
  /** Only this operation (`mouse.left-click`), or those of this group (`mouse`). */
  operation?: string;
  /** Only those with this outcome: `done`, `cancelled`, the code of an error, `running`, or `failed` for any but `done`. */
  outcome?: string;
  /** Only those with a smaller id: `next` of the answer before, for the next page. */
  before?: number;
  /** The maximum number of operations. */
  limit?: number;
};

export type ReadEventsParameters = {
  /** The types to send, separated by commas: `operation,window`; by default all. */
  types?: string;
  /** The id of the last event that the client has, where it cannot send the header. */
  last_event_id?: string;
  /** The only desk whose operations and windows are told; by default all operations, and the windows of the service's own displays. */
  desk?: string;
  /** The number of the display. Display 1 is opened at the start of the service, others on demand. */
  display_num?: number;
};

export type GetPixelColorResponse = [number, number, number];

export type GetScreenSizeResponse = {
  /** The size, in pixels. */
  width: number;
  /** The size, in pixels. */
  height: number;
};

export type ListDisplaysResponse = Array<{
  display_num: number;
  /** The system's name of the display, for example `:1`. */
  name: string;
  /** The size, in pixels. */
  width: number;
  /** The size, in pixels. */
  height: number;
  /** The number of picture pixels per unit of the coordinates. */
  scale: number;
  primary: boolean;
}>;

export type LocateImageResponse = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y: number;
  width: number;
  height: number;
  /** The similarity of the match; 1 means identical. */
  confidence: number;
} | null | Array<{
  /** The X coordinate, in pixels from the left edge of the display. */
  x: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y: number;
  width: number;
  height: number;
  /** The similarity of the match; 1 means identical. */
  confidence: number;
}>;

export type WaitForDisplayResponse = {
  /** `found`: the pixel has the colour, the image, element, text or window is visible, the file exists and contains the text, or a process of that name is running; `gone` is the opposite. `ended`: the process has ended. */
  status: "changed" | "stable" | "found" | "gone" | "ended" | "timeout";
  elapsed_ms: number;
  /** The first matching element; operations accept its `ref`. */
  element?: {
    /** Operations that act on an element take it as `ref`. */
    ref: string;
    /** A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own. */
    role: string;
    /** The label; empty if it has none. */
    name: string;
    /** The text to the left of a field without a name, or above it; `find` and waits find it by this as by a name. */
    label?: string;
    /** The text or the number that it holds; never that of a password field. */
    value?: string;
    /** The description that its program reports in addition to the name. */
    description?: string;
    /** The states that it is in. A toggle button that is off is `unpressed`; no other button is. */
    states: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
    /** The bounds of the element, in pixels of the display; parts of it can be out of view. Missing if its program does not report them. */
    bounds?: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** The id of the window, if this is one; window operations take it. */
    window?: string;
    /** The actions that its program offers for it by its accessibility interface. */
    abilities: Array<"click" | "focus" | "set value" | "select" | "scroll to" | "expand">;
    /** The nearest named element around it: `dialog "Save as"`. */
    within?: string;
  };
  /** The first matching window. */
  window?: WindowEntry;
  /** The process that was waited for by its `name`. */
  pid?: number;
  /** The position of the image. */
  match?: {
    /** The X coordinate, in pixels from the left edge of the display. */
    x: number;
    /** The Y coordinate, in pixels from the top edge of the display. */
    y: number;
    width: number;
    height: number;
    /** The similarity of the match; 1 means identical. */
    confidence: number;
  };
};

export type MoveMouseResponse = InputEffect | undefined;

export type ClickMouseResponse = InputEffect | undefined;

export type LeftClickResponse = InputEffect | undefined;

export type RightClickResponse = InputEffect | undefined;

export type MiddleClickResponse = InputEffect | undefined;

export type DoubleClickResponse = InputEffect | undefined;

export type TripleClickResponse = InputEffect | undefined;

export type ScrollMouseResponse = InputEffect | undefined;

export type DragMouseResponse = InputEffect | undefined;

export type MouseDownResponse = InputEffect | undefined;

export type MouseUpResponse = InputEffect | undefined;

export type GetMousePositionResponse = {
  /** The X coordinate, in pixels from the left edge of the display. */
  x: number;
  /** The Y coordinate, in pixels from the top edge of the display. */
  y: number;
};

export type TypeTextResponse = null | InputEffect;

export type PressKeyResponse = null | InputEffect;

export type PressHotkeyResponse = null | InputEffect;

export type HoldKeyResponse = null | InputEffect;

export type ReleaseKeyResponse = null | InputEffect;

export type ListHeldKeysResponse = Array<string>;

export type GetClipboardResponse = {
  /** The formats in which the content can be read. */
  available: Array<"text" | "html" | "png" | "files">;
  /** The system's names of all formats of the content, such as `text/html`; at most 256. */
  types: Array<string>;
  /** The text, if it was requested and is available. */
  text?: string;
  /** The HTML, if it was requested and is available. */
  html?: string;
  /** The image as PNG in Base64, if it was requested and is available. */
  png?: string;
  /** The paths of copied files, if they were requested and are available. */
  files?: Array<string>;
  /** Present only if stored secrets may be in the content, because the keychain could not be read; says why. */
  redaction_gap?: string;
};

export type TakeSnapshotResponse = {
  /** The snapshot, with the format `text`. */
  text?: string;
  /** The snapshot, with the format `json`. */
  elements?: Array<AccessibleElement>;
  /** The snapshot, with the format `xml`. */
  xml?: string;
  /** The number of elements in it that have a ref. */
  count: number;
  /** The limits that ended the reading before everything was read; if the list is empty, nothing is missing. `size`: the texts of the elements together have more than 16,777,216 characters. */
  truncated: Array<"characters" | "depth" | "elements" | "size" | "time">;
  /** The number of elements omitted because of `max_chars`. */
  omitted: number;
  /** Programs that did not answer in time or gave damaged answers, by name or process id. */
  silent: Array<string>;
  /** Present only if the answer may contain stored secrets, because the keychain could not be read; says why. */
  redaction_gap?: string;
  /** The picture, if it was requested. */
  screenshot?: {
    /** The media type, for example `image/png`. */
    media_type: string;
    /** The file, in Base64. */
    data: string;
    /** The size, in pixels of the picture. */
    width: number;
    height: number;
    /** The id of the picture, for the `frame` of operations with coordinates. */
    frame: string;
    /** The number of picture pixels per pixel of the screen. */
    scale: number;
    /** The number of the display that the picture shows. */
    display_num: number;
    /** With `since`: where the part belongs in the older picture. */
    region?: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** With `since`: the boxes that have changed: `[x, y, width, height]`. */
    changes?: Array<[number, number, number, number]>;
  };
  /** The time that it took, in milliseconds. */
  elapsed_ms: number;
};

export type FindElementsResponse = {
  /** The elements are in the order in which their program lists them. */
  elements: Array<{
    /** Operations that act on an element take it as `ref`. */
    ref: string;
    /** A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own. */
    role: string;
    /** The label; empty if it has none. */
    name: string;
    /** The text to the left of a field without a name, or above it; `find` and waits find it by this as by a name. */
    label?: string;
    /** The text or the number that it holds; never that of a password field. */
    value?: string;
    /** The description that its program reports in addition to the name. */
    description?: string;
    /** The states that it is in. A toggle button that is off is `unpressed`; no other button is. */
    states: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
    /** The bounds of the element, in pixels of the display; parts of it can be out of view. Missing if its program does not report them. */
    bounds?: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** The id of the window, if this is one; window operations take it. */
    window?: string;
    /** The actions that its program offers for it by its accessibility interface. */
    abilities: Array<"click" | "focus" | "set value" | "select" | "scroll to" | "expand">;
    /** The nearest named element around it: `dialog "Save as"`. */
    within?: string;
  }>;
  /** The number of elements that match, including those not returned. */
  total: number;
  /** The limits that ended the reading before everything was read; if the list is empty, nothing is missing. `size`: the texts of the elements together have more than 16,777,216 characters. */
  truncated: Array<"characters" | "depth" | "elements" | "size" | "time">;
  /** Programs that did not answer in time or gave damaged answers, by name or process id. */
  silent: Array<string>;
  /** Present only if the answer may contain stored secrets, because the keychain could not be read; says why. */
  redaction_gap?: string;
};

export type GetElementValueResponse = {
  /** A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own. */
  role: string;
  name: string;
  /** The text or the number that it holds now; `null` if it holds none, or is a password field. */
  value: string | null;
  /** If true, the value is longer than the part that was returned. */
  truncated: boolean;
  description?: string;
  states: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
  /** The actions that its program offers for it by its accessibility interface. */
  abilities: Array<"click" | "focus" | "set value" | "select" | "scroll to" | "expand">;
  /** The bounds of the element, in pixels of the display; parts of it can be out of view. Missing if its program does not report them. */
  bounds?: {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  /** Present only if the answer may contain stored secrets, because the keychain could not be read; says why. */
  redaction_gap?: string;
};

export type ActOnElementResponse = {
  /** `confirmed`: the effect was read back, for a state 150 ms later, too. `unverified`: no effect was observed; check before you repeat it. */
  result: "confirmed" | "unverified";
  /** The method that was used: the program's accessibility interface, or the real mouse and keyboard. */
  by: "program" | "input";
  /** One sentence about what was read back, or what is unknown. */
  reason: string;
  /** Its value now, if it has one that can be read. */
  value?: string;
  /** Its states now, if it is still there. */
  states?: Array<"focused" | "checked" | "mixed" | "selected" | "expanded" | "collapsed" | "pressed" | "unpressed" | "disabled" | "readonly" | "editable" | "focusable" | "modal" | "multiline" | "required" | "invalid" | "protected" | "offscreen" | "active">;
};

export type ListWindowsResponse = Array<WindowEntry>;

export type GetActiveWindowResponse = WindowEntry | null;

export type FocusWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type MoveWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type ResizeWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type MinimizeWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type MaximizeWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type RestoreWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type CloseWindowResponse = {
  /** `confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened. */
  result: "confirmed" | "adjusted" | "unverified";
  /** The window as it is now; `null` once it has closed. */
  window: WindowEntry | null;
};

export type OpenWindowResponse = {
  /** The process that was started. */
  process_id: number;
  /** Its window; `null` if none opened in time, for example because a running program opened the file in an existing window, or if the call did not wait. */
  window: WindowEntry | null;
  /** `true` if the window has the keyboard focus, so that it receives what is typed next. */
  active: boolean;
  /** Present only if `active` is false: the reason, and what to do. */
  reason?: string;
};

export type StartRecordingResponse = {
  /** The id of the recording. */
  id: string;
  /** The number of the recorded display. */
  display_num: number;
  /** `recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded. */
  state: "recording" | "finishing" | "finished" | "failed";
  /** The reason for its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it is recording. */
  ended_by: "stop" | "time_limit" | "size_limit" | "disk_full" | "display_gone" | "encoder_failed" | "service_ended" | "error" | null;
  /** Details about the end, or what is missing; otherwise `null`. */
  detail: string | null;
  /** `webm` (VP8) or `mp4` (H.264). */
  format: "webm" | "mp4";
  /** The media type of the file. */
  media_type: string;
  /** `true` if the file has at least one picture. */
  playable: boolean;
  /** The time of its start, in UTC: `2026-01-31T12:00:00.000Z`. */
  started_at: string;
  /** The length so far, in milliseconds. */
  duration_ms: number;
  /** The number of different pictures so far. */
  frames: number;
  /** The size of the file so far, in bytes. */
  bytes: number;
  /** The width of the display at the start, in pixels. */
  width: number;
  /** The height of the display at the start, in pixels. */
  height: number;
  /** The number of times that the display was resized; its pictures are then scaled to fit. */
  resizes: number;
  /** The maximum number of pictures per second. */
  max_fps: number;
  /** The number of areas that are black because stored secrets were filled in there. */
  blacked_out: number;
  /** The number of chapters. */
  chapter_count: number;
  /** The operations that changed something during the recording, at most 1000; present if a single recording was requested. */
  chapters?: Array<{
    /** When it began, in milliseconds after the start of the recording. */
    at_ms: number;
    /** The operation: `mouse.left-click`. */
    title: string;
  }>;
};

export type StopRecordingResponse = StartRecordingResponse;

export type ListRecordingsResponse = Array<StartRecordingResponse>;

export type AuthenticateServiceResponse = boolean;

export type ListKeychainServicesResponse = Array<string>;

export type ViewFileResponse = string;

export type ListDirectoryResponse = Array<FilesystemEntry>;

export type SearchFilesResponse = Array<FilesystemEntry>;

export type GetDirectoryTreeResponse = DirectoryTreeNode;

export type GetPathInfoResponse = FilesystemEntry;

export type ReadFileResponse = {
  content: string;
  encoding: "text" | "base64";
  /** The size of the file, in bytes. */
  size: number;
  /** The offset for the next read, in bytes; equal to `size` at the end. */
  next_offset: number;
};

export type ExecuteCommandResponse = {
  /** Standard output and standard error, in the order of arrival; bytes that are not UTF-8 become U+FFFD. */
  output: string;
  status: "completed" | "background";
  /** The process id; `null` if the command has completed. */
  process_id: number | null;
  /** 0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs. */
  exit_code: number | null;
  /** If true, a part of `output` is missing, or output after it has not been read. */
  truncated: boolean;
  /** Present only if stored secrets may be in `output`, because the keychain could not be read; says why. */
  redaction_gap?: string;
};

export type GetProcessOutputResponse = {
  output: string;
  process_id: number;
  status: "completed" | "background";
  /** 0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs. */
  exit_code: number | null;
  /** If true, a part of `output` is missing, or output after it has not been read. */
  truncated: boolean;
  /** Present only if stored secrets may be in `output`, because the keychain could not be read; says why. */
  redaction_gap?: string;
  /** The offset for the next read; never inside a character. */
  next_offset: number;
};

export type ListManagedProcessesResponse = Array<{
  pid: number;
  /** The command; one longer than 1024 characters is cut and ends in "…". */
  command: string;
  status: "running" | "completed";
  /** The last 16384 bytes of its output; fewer if many processes are listed, 1048576 bytes in all. */
  output: string;
  /** When the process was started, in UTC. */
  started_at: string;
  /** 0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs. */
  exit_code: number | null;
  /** The number of bytes that it has written. */
  output_bytes: number;
  /** If true, `output` is only a part of the output. */
  truncated: boolean;
  /** Present only if stored secrets may be in `output`, because the keychain could not be read; says why. */
  redaction_gap?: string;
}>;

export type ListTabsResponse = Array<ActivateTabResponse>;

export type OpenTabResponse = {
  tab: ActivateTabResponse;
  /** If false, the page is open, but parts of it were not loaded in time; or there was no page (`http_status` 204 or 205) and the tab still has its previous one. */
  loaded: boolean;
  /** The HTTP status of the page; null if it has none. */
  http_status: number | null;
  /** The file that was downloaded instead of a page: the tab still has its previous page, and `loaded` says whether the download is complete. */
  download?: {
    id: string;
    url: string;
    /** The file name that the page suggests. */
    name: string;
    state: "running" | "completed" | "failed";
    /** The path of the file, once it is completed. */
    path: string | null;
    /** The number of bytes received so far. */
    bytes: number;
  };
};

export type ActivateTabResponse = {
  /** The id of the tab; never reused. */
  id: string;
  title: string;
  url: string;
  /** True for the tab that is visible. */
  active: boolean;
};

export type NavigateTabResponse = OpenTabResponse;

export type SnapshotPageResponse = {
  tab: ActivateTabResponse;
  /** One line per element, indented by its depth: `- button "Save" [ref=e12] [disabled]`, then its value. Names and values of more than 200 characters are cut and end with `…`. */
  text: string;
  /** The number of elements in the text. */
  elements: number;
  /** The limits because of which elements were omitted; empty if the text is complete. `size`: the names and values of the page together have more than 16,777,216 characters, or those of the lines more than 2,000,000. */
  truncated: Array<"elements" | "characters" | "depth" | "size">;
  /** The full value of the element that `ref` names, with its line breaks, up to 65,536 characters; absent if it has none, and for passwords. */
  value?: string;
};

export type FindOnPageResponse = {
  tab: ActivateTabResponse;
  /** One line per element, indented by its depth: `- button "Save" [ref=e12] [disabled]`, then its value. Names and values of more than 200 characters are cut and end with `…`. */
  text: string;
  /** The number of elements in the text. */
  elements: number;
  /** The limits because of which elements were omitted; empty if the text is complete. `size`: the names and values of the page together have more than 16,777,216 characters, or those of the lines more than 2,000,000. */
  truncated: Array<"elements" | "characters" | "depth" | "size">;
  /** The same elements as a list, the best ones first. */
  matches: Array<{
    ref: string;
    role: string;
    /** The name, shortened to 200 characters. */
    name: string;
    /** True for a text field of several lines; absent for all others. */
    multiline?: boolean;
  }>;
};

export type GetPageTextResponse = {
  tab: ActivateTabResponse;
  text: string;
  /** If true, the page has more text. */
  truncated: boolean;
};

export type WaitForPageResponse = {
  status: "met" | "timeout";
  /** The time that has passed, in milliseconds. */
  elapsed_ms: number;
};

export type FillFieldResponse = {
  /** `confirmed` if the field had the requested value when it was read again. */
  result: "confirmed" | "unverified";
  /** The reason for the result. */
  reason: string;
};

export type UploadFilesResponse = {
  /** `confirmed` if the field had the requested value when it was read again. */
  result: "confirmed" | "unverified";
  /** The reason for the result. */
  reason: string;
};

export type ReadConsoleResponse = {
  entries: Array<{
    /** The entry's number in its tab. */
    number: number;
    /** The time in UTC, in ISO 8601 format. */
    time: string;
    /** The kind of entry, such as `log`, `warning` or `error`. */
    level: string;
    text: string;
    /** The address of the script. */
    source: string;
  }>;
  /** The number of entries after `since` that are no longer kept. */
  dropped: number;
};

export type ReadNetworkResponse = {
  entries: Array<{
    /** The entry's number in its tab. */
    number: number;
    /** The time in UTC, in ISO 8601 format. */
    time: string;
    method: string;
    url: string;
    /** The purpose, such as `Document`, `Script` or `Fetch`. */
    type: string;
    /** The HTTP status; null until there is an answer. */
    status: number | null;
    /** The reason why it failed, if it did. */
    error: string | null;
  }>;
  /** The number of entries after `since` that are no longer kept. */
  dropped: number;
};

export type ListDialogsResponse = Array<AnswerDialogResponse>;

export type AnswerDialogResponse = {
  /** The tab whose page it blocks. */
  tab: string;
  kind: "alert" | "confirm" | "prompt" | "beforeunload";
  message: string;
};

export type ListDownloadsResponse = Array<{
  id: string;
  url: string;
  /** The file name that the page suggests. */
  name: string;
  state: "running" | "completed" | "failed";
  /** The path of the file, once it is completed. */
  path: string | null;
  /** The number of bytes received so far. */
  bytes: number;
}>;

export type EvaluateScriptResponse = {
  /** The value as JSON, or the exception. */
  text: string;
  /** If true, the script has thrown an exception. */
  threw: boolean;
  /** If true, the text was cut to 200,000 characters. */
  truncated: boolean;
};

export type SaveLoginResponse = {
  /** The number of cookies. */
  cookies: number;
  /** The number of origins whose local storage it has. */
  origins: number;
};

export type LoadLoginResponse = {
  /** The number of cookies. */
  cookies: number;
  /** The number of origins whose local storage it has. */
  origins: number;
};

export type ListLoginsResponse = Array<string>;

export type RunBatchResponse = {
  /** `failed` if a step has failed. */
  status: "completed" | "failed";
  /** One result for each step. */
  results: Array<{
    status: "done";
    /** The answer of the operation, if it has one; a picture is an object with `media_type` and `data`. */
    value?: unknown;
    /** The value was omitted, because the full answer would be too large: request less, or use a separate batch. */
    value_omitted?: true;
    /** The answer of `display/wait`, if the step has `until`. */
    waited?: unknown;
    /** The time that it took, in milliseconds. */
    elapsed_ms: number;
  } | {
    status: "failed";
    error: {
      /** The error code, as in every error: `not_found`, `conflict`. */
      code: "already_exists" | "not_a_directory" | "is_a_directory" | "not_a_file" | "not_empty" | "unauthorized" | "forbidden" | "permission_denied" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "too_large" | "invalid" | "locked" | "too_many_requests" | "internal" | "unsupported" | "unavailable" | "timed_out";
      /** The status with which the operation alone would answer. */
      status: number;
      /** One sentence, or the list of validation errors if the input is invalid. */
      detail: string | Array<{
        loc: Array<string | number>;
        msg: string;
        type: string;
      }>;
    };
    /** The time that it took, in milliseconds. */
    elapsed_ms: number;
  } | {
    status: "not_run";
  }>;
  /** The picture, if `then_screenshot` requests one; `null` if nothing has changed `since`. */
  screenshot?: {
    /** The media type, for example `image/png`. */
    media_type: string;
    /** The file, in Base64. */
    data: string;
    /** The size, in pixels of the picture. */
    width: number;
    height: number;
    /** The id of the picture, for the `frame` of operations with coordinates. */
    frame: string;
    /** The number of picture pixels per pixel of the screen. */
    scale: number;
    /** The number of the display that the picture shows. */
    display_num: number;
    /** With `since`: where the part belongs in the older picture. */
    region?: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    /** With `since`: the boxes that have changed: `[x, y, width, height]`. */
    changes?: Array<[number, number, number, number]>;
  } | null;
  /** The value was omitted, because the full answer would be too large: request less, or use a separate batch. */
  screenshot_omitted?: true;
  /** The picture could not be taken. */
  screenshot_error?: {
    /** The error code, as in every error: `not_found`, `conflict`. */
    code: "already_exists" | "not_a_directory" | "is_a_directory" | "not_a_file" | "not_empty" | "unauthorized" | "forbidden" | "permission_denied" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "too_large" | "invalid" | "locked" | "too_many_requests" | "internal" | "unsupported" | "unavailable" | "timed_out";
    /** The status with which the operation alone would answer. */
    status: number;
    /** One sentence, or the list of validation errors if the input is invalid. */
    detail: string | Array<{
      loc: Array<string | number>;
      msg: string;
      type: string;
    }>;
  };
  /** The time that it took, in milliseconds. */
  elapsed_ms: number;
};

export type AnswerAnthropicResponse = {
  /** The `content` of your next message, whose role is `user`. */
  content: Array<{
    type: "tool_result";
    tool_use_id: string;
    /** The `toolset_name` of the call, if it had one. */
    toolset_name?: string;
    /** An error contains only text. */
    content: Array<{
      type: "text";
      text: string;
    } | {
      type: "image";
      source: {
        type: "base64";
        /** One of `image/png`, `image/jpeg` and `image/webp`. */
        media_type: string;
        /** The picture file, in Base64. */
        data: string;
      };
    }>;
    is_error?: true;
  }>;
  /** The ids of the calls of your own tools, which you must answer. */
  unhandled: Array<string>;
};

export type AnswerOpenaiResponse = {
  /** Append these items to the `input` of the next request, after the model's own. */
  input: Array<{
    type: string;
    [name: string]: unknown;
  }>;
  /** A person must approve these first: nothing was performed. Ask a person, then send the same request with them in `acknowledged_safety_checks`. */
  pending_safety_checks: Array<{
    call_id: string;
    id: string;
    code: string | null;
    message: string | null;
  }>;
  /** The `X-Frame` of the last picture. */
  frame: string | null;
};

export type AnswerGeminiResponse = {
  /** The `parts` of your next content, whose role is `user`. */
  parts: Array<Record<string, unknown>>;
  /** The steps of your next input, for calls that came as steps. */
  steps: Array<{
    type: string;
    [name: string]: unknown;
  }>;
  /** A person must approve these calls first: nothing was performed. Ask a person, then send the same request with their ids or indexes in `acknowledged`. */
  confirmations: Array<{
    /** The index of the call in the request, from 0. */
    index: number;
    id: string | null;
    name: string;
    decision: string;
    explanation: string | null;
  }>;
  /** The `X-Frame` of the last picture. */
  frame: string | null;
};

export type AnswerUiTarsResponse = {
  /** Append these chat messages after the model's own: what went wrong, and the next picture. */
  messages: Array<{
    role: string;
    [name: string]: unknown;
  }>;
  /** The results of the actions, in order. */
  results: Array<{
    action: string;
    status: "done" | "failed" | "not_run";
    error: string | null;
  }>;
  /** The way in which the model ended its task; `null` while it continues. */
  end: {
    kind: "finished" | "call_user" | "answer" | "terminate";
    status: "success" | "failure" | null;
    content: string | null;
  } | null;
  /** The `X-Frame` of the picture. */
  frame: string | null;
};

export type AnswerQwenResponse = {
  /** Append these chat messages after the model's own: an answer for each call, and the next picture. */
  messages: Array<{
    role: string;
    [name: string]: unknown;
  }>;
  /** The results of the actions, in order. */
  results: Array<{
    action: string;
    status: "done" | "failed" | "not_run";
    error: string | null;
  }>;
  /** The way in which the model ended its task; `null` while it continues. */
  end: {
    kind: "finished" | "call_user" | "answer" | "terminate";
    status: "success" | "failure" | null;
    content: string | null;
  } | null;
  /** The `X-Frame` of the picture. */
  frame: string | null;
};

export type CreateDeskResponse = {
  /** The name by which operations take it, as `desk`. */
  name: string;
  /** The system's name of its display: `:100`. */
  display: string;
  /** The size of its display, in pixels. */
  size: {
    width: number;
    height: number;
  };
  /** `true` if its display is one of Wayland, `false` if of X11. */
  wayland: boolean;
  /** The home of its programs, and the folder in which its commands start. It is removed with the desk. */
  folder: string;
  /** The folder for downloads of its browser. */
  downloads: string;
  /** `true` if its display can be used now. */
  ready: boolean;
  /** The reason, in one sentence. */
  reason: string;
  /** The number of programs that run on it. */
  programs: number;
  /** The memory that these programs have for themselves, without that of the display, in MiB. */
  memory_mib: number;
  /** The name of the token that made it. */
  by: string;
  /** When it was made, in ISO 8601. */
  created: string;
};

export type ListDesksResponse = Array<CreateDeskResponse>;

/** The state of control. */
export type GetControlStateResponse = {
  /** `programs`: all may act; `person`: `by` has taken over, and everything else is refused; `paused`: no program may act; `leased`: only the program with the lease. */
  mode: "programs" | "person" | "paused" | "leased";
  /** The one who has control, has paused, or has the lease. */
  by: {
    id: string;
    name: string;
  } | null;
  /** The time, in ISO 8601, in UTC. */
  since: string;
  /** The time at which it ends if nothing happens, in ISO 8601, in UTC. */
  until: string | null;
  /** If true, the person's control ends within 30 seconds. Input of the person prevents that, but not when the control has lasted for 60 minutes. */
  warning: boolean;
  /** The reason for the pause. */
  reason: string | null;
  /** The desk that is paused or leased; absent where it is the whole service. */
  desk?: string;
  /** The programs that wait for a person. */
  help: Array<{
    id: string;
    /** The name of the program that asks. */
    name: string;
    reason: string;
    /** The time, in ISO 8601, in UTC. */
    since: string;
    /** The time, in ISO 8601, in UTC. */
    until: string;
  }>;
};

export type RequestHelpResponse = {
  /** `handed_back`: a person has had control, and has given it back. */
  outcome: "handed_back" | "declined" | "timed_out";
  /** The name of the person. */
  by?: string;
  /** The words of the person. */
  reason?: string;
};

/** The state of control. */
export type PauseControlResponse = GetControlStateResponse;

/** The state of control. */
export type ResumeControlResponse = GetControlStateResponse;

export type TakeLeaseResponse = {
  id: string;
  /** The time, in ISO 8601, in UTC. */
  until: string;
};

export type CreateLinkResponse = {
  /** The address below that of the service. It cannot be read again: whoever has it can watch. */
  url_path: string;
  /** The `id` of the link. */
  id: string;
  /** When it ends, in ISO 8601. */
  expires: string;
};

export type ListLinksResponse = Array<{
  /** The `id` of the link. */
  id: string;
  /** Who watches by it, as the console shows it. */
  name: string;
  /** The display that it shows. */
  display_num: number;
  /** The one window that it shows. */
  window?: string;
  /** The name of the token that made it. */
  by: string;
  /** When it was made, in ISO 8601. */
  created: string;
  /** When it ends, in ISO 8601. */
  expires: string;
}>;

export type ListTrailResponse = {
  /** The newest first. */
  entries: Array<{
    /** Counts from 1 with each run of the service, in the order of the beginnings. */
    id: number;
    /** When it began, in ISO 8601, in UTC, with milliseconds. */
    time: string;
    /** The request that it was, as its answer named it in `X-Request-Id`; the operations of a batch share that of the batch. */
    request_id?: string;
    /** The name of the token, `anyone`, or `a person`. */
    who: string;
    /** A person acts through the console. */
    kind: "program" | "person";
    /** The desk on which it ran. */
    desk?: string;
    /** Its name, as batches have it: `mouse.left-click`. */
    operation: string;
    /** The fields that it was called with: numbers, switches and names of places and things. Of a command, only its first word; never what is typed, written or stored. */
    fields: Record<string, string | number | boolean>;
    /** The names of its other fields. */
    omitted?: Array<string>;
    /** The element that `ref` named: `button "Save"`. Words that were typed are `…` in it. */
    element?: string;
    /** `running`, `done`, `cancelled` (its caller has left), or the code of its error, such as `not_found`. */
    outcome: string;
    /** The effect as far as it was known, if that was asked for. */
    effect?: "confirmed" | "unverified";
    /** The time that it took, in milliseconds. */
    duration_ms?: number;
  }>;
  /** For the next page, as `before`; `null` when there is none. */
  next: number | null;
  /** Since when operations are noted; the last 10000 are kept. In ISO 8601. */
  noted_since: string;
};

export type StartTrailResponse = {
  /** Names it for `trail/stop` and `trail/export`. */
  id: string;
  /** The time of its start, in ISO 8601, in UTC. */
  started_at: string;
  /** `null` while it is recorded. */
  ended_at: string | null;
  /** It has been ended by this: `stop`, the time, 1000 steps, or the end of the service. */
  ended_by: "stop" | "steps" | "time" | "service_ended" | null;
  display_num: number;
  /** If true, typed texts are kept. */
  texts: boolean;
  /** The number of steps so far. */
  steps: number;
  /** The bytes that its pictures and trees take. */
  size: number;
  /** For what there was no room, or no time. */
  dropped: {
    steps: number;
    pictures: number;
    trees: number;
  };
};

export type StopTrailResponse = StartTrailResponse;

export type ExportTrailResponse = {
  /** The absolute path. */
  path: string;
  /** The number of files. */
  files: number;
  /** Their size together, in bytes. */
  bytes: number;
  /** The number of steps. */
  steps: number;
};

export type GetHealthResponse = {
  status: "ok";
};

export type GetReadinessResponse = {
  ready: boolean;
  display: {
    ready: boolean;
    /** The reason, in one sentence. */
    reason: string;
  };
  keychain: {
    ready: boolean;
    /** The reason, in one sentence. */
    reason: string;
  };
  /** With `--audit-file`: whether the operations are written to the file now. */
  audit?: {
    ready: boolean;
    /** The reason, in one sentence. */
    reason: string;
  };
};

export type GetSystemInfoResponse = {
  version: string;
  /** The computer's name in the base address, or `null`. */
  name: string | null;
  system: "linux" | "macos" | "windows";
  backends: Array<{
    job: "display" | "input" | "keychain";
    /** The backend in use. */
    chosen: string | null;
    /** The reason why it was chosen, and the others were not. */
    reason: string;
  }>;
  /** The state of the redaction of stored secrets in the output of commands. */
  redaction: {
    state: "on" | "incomplete" | "off";
    /** The reason, in one sentence. */
    reason: string;
  };
  /** The method by which pictures are read, for each X display of which one was taken. */
  pictures: Array<{
    /** The system's name of the display, for example `:1`. */
    display: string;
    /** `shared_memory`: the X server writes pictures into the service's memory; `socket`: it sends them, which takes longer. */
    way: "shared_memory" | "socket";
    /** The reason for the choice. */
    reason: string;
  }>;
  /** Who may act now; `control/state` says more. */
  control: {
    mode: "programs" | "person" | "paused" | "leased";
    /** The name of who has control, has paused, or has a lease. */
    by: string | null;
  };
  disabled_groups: Array<"display" | "mouse" | "keyboard" | "clipboard" | "accessibility" | "window" | "recording" | "editor" | "filesystem" | "bash" | "keychain" | "browser" | "batch" | "agents" | "desk" | "control" | "trail" | "system">;
  read_only: boolean;
  /** All limits; some have a flag. */
  limits: {
    /** Fixed, in the unit that ends its name. */
    max_batch_steps: number;
    /** Fixed, in the unit that ends its name. */
    max_batch_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_connections: number;
    /** Fixed, in the unit that ends its name. */
    max_connections_per_address: number;
    /** Fixed, in the unit that ends its name. */
    header_timeout_ms: number;
    /** Fixed, in the unit that ends its name. */
    body_timeout_ms: number;
    /** Fixed, in the unit that ends its name. */
    write_timeout_ms: number;
    /** Fixed, in the unit that ends its name. */
    idle_timeout_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_clipboard_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_text_length: number;
    /** Fixed, in the unit that ends its name. */
    max_typing_delay_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_duration_ms: number;
    /** Fixed, in the unit that ends its name. */
    suspended_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_waiting_input: number;
    /** Fixed, in the unit that ends its name. */
    modifier_wait_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_frames: number;
    /** Fixed, in the unit that ends its name. */
    max_image_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_image_pixels: number;
    /** Fixed, in the unit that ends its name. */
    max_recordings: number;
    /** Fixed, in the unit that ends its name. */
    max_recording_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_recording_fps: number;
    /** Fixed, in the unit that ends its name. */
    max_recording_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_commands: number;
    /** Fixed, in the unit that ends its name. */
    max_waiting_commands: number;
    /** Fixed, in the unit that ends its name. */
    command_wait_ms: number;
    /** Fixed, in the unit that ends its name. */
    kept_head_bytes: number;
    /** Fixed, in the unit that ends its name. */
    kept_tail_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_ended_processes: number;
    /** Fixed, in the unit that ends its name. */
    max_ended_bytes: number;
    /** Fixed, in the unit that ends its name. */
    keep_ended_ms: number;
    /** Fixed, in the unit that ends its name. */
    drain_ms: number;
    /** Fixed, in the unit that ends its name. */
    kill_after_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_edit_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_view_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_replacements: number;
    /** Fixed, in the unit that ends its name. */
    max_undo_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_read_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_search_results: number;
    /** Fixed, in the unit that ends its name. */
    max_tree_entries: number;
    /** Fixed, in the unit that ends its name. */
    max_walks: number;
    /** Fixed, in the unit that ends its name. */
    max_walk_ms: number;
    /** Fixed, in the unit that ends its name. */
    focus_wait_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_secret_bytes: number;
    /** Fixed, in the unit that ends its name. */
    max_wrong_tries: number;
    /** Fixed, in the unit that ends its name. */
    wrong_try_delay_ms: number;
    /** Fixed, in the unit that ends its name. */
    max_wrong_try_delay_ms: number;
    /** Fixed, in the unit that ends its name. */
    keychain_timeout_ms: number;
    /** Set by `--shutdown-grace`: how long running requests may continue after a signal to stop. */
    shutdown_grace_ms: number;
    /** Set by `--max-desks`: maximum number of desks (desk/create; on Linux). */
    max_desks: number;
    /** Set by `--max-body`: maximum size of the body of a request. */
    max_body_bytes: number;
    /** Set by `--max-hold`: maximum time for which a key or button is held. */
    max_hold_ms: number;
    /** Set by `--keymap-settle`: pause before a scratch keycode is remapped to another character. */
    keymap_settle_ms: number;
    /** Set by `--max-recordings-size`: maximum size of the files of all recordings; the oldest are removed for new ones. */
    max_recordings_bytes: number;
    /** Set by `--max-command-timeout`: maximum timeout that a request may specify. */
    max_command_timeout_ms: number;
    /** Set by `--command-nice`: how far the priority of commands is lowered, in steps of nice (Linux, macOS). */
    command_nice: number;
  };
};
