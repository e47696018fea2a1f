/**
 * The script for `osascript -l JavaScript` that reports the displays, the session and the
 * permissions; it requests no permission and changes nothing.
 */

/**
 * Prints one JSON object. Each value is read independently; a value that this version of macOS does
 * not report is `null`.
 * - NSScreen counts upwards from the bottom left corner of the primary display; `y` is converted to
 *   count from its top, as mouse events and screencapture do.
 * - CGPreflightScreenCaptureAccess (macOS 10.15) is not among the functions that the bridge knows.
 * - CGSSessionScreenIsLocked is in the session only while it is locked.
 */
export const DESKTOP_SCRIPT = `
ObjC.import("AppKit");
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");

function answer(question) {
  try {
    const value = question();
    return value === undefined ? null : value;
  } catch (_) {
    return null;
  }
}

function screens() {
  const all = $.NSScreen.screens;
  const count = Number(all.count);
  const found = [];
  for (let i = 0; i < count; i++) {
    const screen = all.objectAtIndex(i);
    const { origin, size } = screen.frame;
    const primary = all.objectAtIndex(0).frame.size.height;
    found.push({
      id: answer(() => Number(screen.deviceDescription.objectForKey("NSScreenNumber").intValue)),
      name: answer(() => screen.localizedName.js),
      x: Number(origin.x),
      y: Number(primary - origin.y - size.height),
      width: Number(size.width),
      height: Number(size.height),
      scale: Number(screen.backingScaleFactor),
    });
  }
  return found;
}

function recording() {
  try {
    ObjC.bindFunction("CGPreflightScreenCaptureAccess", ["bool", []]);
  } catch (_) {}
  return Boolean($.CGPreflightScreenCaptureAccess());
}

function session() {
  const now = ObjC.deepUnwrap(ObjC.castRefToObject($.CGSessionCopyCurrentDictionary()));
  if (!now) return null;
  return {
    locked: Boolean(now.CGSSessionScreenIsLocked),
    onConsole: now.kCGSSessionOnConsoleKey === undefined || Boolean(now.kCGSSessionOnConsoleKey),
  };
}

function layout() {
  const settings = $.NSUserDefaults.alloc.initWithSuiteName("com.apple.HIToolbox");
  return settings.stringForKey("AppleCurrentKeyboardLayoutInputSourceID").js;
}

function run() {
  return JSON.stringify({
    screens: answer(screens),
    accessibility: answer(() => Boolean($.AXIsProcessTrusted())),
    recording: answer(recording),
    session: answer(session),
    layout: answer(layout),
  });
}
`;
