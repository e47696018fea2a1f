/** Connects to the PipeWire of a session. */

import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import { connectFile } from "../wayland/wire/connect_file.ts";

/**
 * The descriptor of a connection, which the caller passes on or closes.
 * @throws ServiceError `unavailable`: it does not run
 */
export function connectPipeWire({ env, uid }: Host): number {
  const folder = env["PIPEWIRE_RUNTIME_DIR"] || env["XDG_RUNTIME_DIR"] || `/run/user/${uid}`;
  const name = env["PIPEWIRE_REMOTE"] || "pipewire-0";
  try {
    return connectFile(name.startsWith("/") ? name : `${folder}/${name}`);
  } catch (error) {
    const text = `Cannot take pictures: ${
      (error as Error).message
    }: start PipeWire and wireplumber`;
    throw new ServiceError("unavailable", text, { cause: error });
  }
}
