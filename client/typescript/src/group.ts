/** What all groups of operations share: each method is one request. */

import type { CallOptions, Connection, Method } from "./connection.ts";
import { type Picture, readPicture } from "./picture.ts";

export abstract class Group {
  constructor(protected readonly connection: Connection) {}

  /** An operation that answers nothing. */
  protected async send(
    method: Method,
    path: string,
    fields: object,
    options?: CallOptions,
  ): Promise<void> {
    const response = await this.connection.request(method, path, fields, options);
    await response.body?.cancel();
  }

  /** An operation that answers JSON, or nothing. */
  protected async ask<T>(
    method: Method,
    path: string,
    fields: object,
    options?: CallOptions,
  ): Promise<T> {
    const response = await this.connection.request(method, path, fields, options);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** An operation that answers a picture, or nothing when nothing has changed. */
  protected async look(
    method: Method,
    path: string,
    fields: object,
    options?: CallOptions,
  ): Promise<Picture | undefined> {
    const response = await this.connection.request(method, path, fields, options);
    if (response.status === 204) return undefined;
    return await readPicture(response);
  }
}
