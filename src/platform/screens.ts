/** Opens a screen by its address, in any thread. */

import type {
  MeasuredBackend,
  MeasuredScreen,
  Screen,
  ScreenAddress,
  ScreenBackend,
} from "./types/mod.ts";

/** The imports are literal, so that a compiled program contains them. */
const MEASURED = {
  screencapture: async (name) => (await import("./macos/screen.ts")).openMacosScreen(name),
  gdi: async (name) => (await import("./windows/screen.ts")).openWindowsScreen(name),
  wlroots: async (name) =>
    await (await import("./linux/wayland/wlroots/screen.ts")).openWlrootsScreen(name),
  kde: async (name) => await (await import("./linux/wayland/kde/screen.ts")).openKdeScreen(name),
} satisfies Record<MeasuredBackend, (name: string) => Promise<MeasuredScreen>>;

const SCREENS: Record<ScreenBackend, (name: string) => Promise<Screen>> = {
  ...MEASURED,
  x11: async (name) => await (await import("./linux/x11/screen_reader.ts")).openX11Screen(name),
  x11_window: async (name) =>
    await (await import("./linux/x11/windows/windows.ts")).openWindowScreen(name),
  pipewire: async (name) =>
    (await import("./linux/pipewire/open_screen.ts")).openPipeWireScreen(name),
};

export async function openScreen({ backend, name }: ScreenAddress): Promise<Screen> {
  return await SCREENS[backend](name);
}

export async function openMeasuredScreen(
  { backend, name }: ScreenAddress<MeasuredBackend>,
): Promise<MeasuredScreen> {
  return await MEASURED[backend](name);
}
