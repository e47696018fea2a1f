/** @jsxImportSource preact */
/** Folders and files: view, edit, upload and download. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Service } from "./service.ts";

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory";
  readonly size: number;
}

interface Content {
  readonly content: string;
  readonly size: number;
  readonly next_offset: number;
}

interface OpenFile extends EditedText {
  readonly path: string;
  /** As it was read, in Base64. */
  readonly content: string;
}

/** Larger ones are not edited here. */
const MAX_EDITED_KIB = 256;
const MAX_UPLOAD = 10 * 1024 * 1024;
const PIECE = 4 * 1024 * 1024;

export function FilesPanel({ service }: { readonly service: Service }) {
  const [path, setPath] = useState("/");
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [file, setFile] = useState<OpenFile>();
  const [notEdited, setNotEdited] = useState("");
  const isSaving = useRef(false);
  const { fail } = service;

  const open = async (folder: string) => {
    setEntries(await service.call<Entry[]>("api/filesystem/list", { path: folder }));
    setPath(folder);
    setFile(undefined);
    setNotEdited("");
  };
  useEffect(() => void open("/").catch(fail), []);

  const read = (path: string) =>
    service.call<Content>("api/filesystem/read", { path, encoding: "base64" });
  const view = async (entry: Entry) => {
    const { path, name } = entry;
    setNotEdited("");
    const edited = await readEdited(entry);
    if (typeof edited !== "string") return setFile({ path, ...edited });
    setNotEdited(`"${name}" is downloaded, not opened: ${edited}.`);
    await download(entry);
  };
  /** Or why it is not edited here. */
  const readEdited = async ({ path, size }: Entry) => {
    const tooLarge = `it is larger than ${MAX_EDITED_KIB} KiB`;
    if (size > MAX_EDITED_KIB * 1024) return tooLarge;
    const { content, size: now, next_offset } = await read(path);
    if (next_offset < now) return tooLarge; // it has grown
    const text = editedText(fromBase64(content));
    return typeof text === "string" ? text : { content, ...text };
  };
  const save = async () => {
    if (file === undefined || isSaving.current) return;
    isSaving.current = true;
    try {
      const { path, text, lineBreak } = file;
      const content = text.replaceAll("\n", lineBreak);
      const there = (await read(path)).content;
      const isOurs = there === toBase64(new TextEncoder().encode(content)); // an answer was lost
      if (there !== file.content && !isOurs) {
        throw new Error("The file has changed meanwhile: close it, and open it again");
      }
      await service.call("api/filesystem/write", { path, content, overwrite: true });
      await open(parentOf(path));
    } finally {
      isSaving.current = false;
    }
  };
  const upload = async (files: FileList | null) => {
    for (const each of files ?? []) {
      if (each.size > MAX_UPLOAD) throw new Error(`"${each.name}" is larger than 10 MiB`);
      const content = toBase64(new Uint8Array(await each.arrayBuffer()));
      const target = `${path === "/" ? "" : path}/${each.name}`;
      await service.call("api/filesystem/write", { path: target, content, encoding: "base64" });
    }
    await open(path);
  };
  const download = async ({ path, name }: Entry) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let offset = 0, size = 1; offset < size;) {
      const read = await service.call<Content>("api/filesystem/read", {
        path,
        encoding: "base64",
        offset,
        length: PIECE,
      });
      parts.push(fromBase64(read.content));
      if (read.next_offset <= offset) break;
      [offset, size] = [read.next_offset, read.size];
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  };

  if (file !== undefined) {
    return (
      <section aria-label="File">
        <p>
          <code>{file.path}</code>
        </p>
        <textarea
          class="editor"
          aria-label="Content"
          spellcheck={false}
          value={file.text}
          onInput={(event) => setFile({ ...file, text: event.currentTarget.value })}
        />
        <p class="line">
          <button type="button" class="primary" onClick={() => save().catch(fail)}>Save</button>
          <button type="button" onClick={() => setFile(undefined)}>Close</button>
        </p>
      </section>
    );
  }
  return (
    <section aria-label="Files">
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          open(path).catch(fail);
        }}
      >
        <input
          aria-label="Folder"
          value={path}
          spellcheck={false}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <button type="submit">Open</button>
        <button type="button" onClick={() => open(parentOf(path)).catch(fail)}>Up</button>
      </form>
      <label class="upload">
        Upload{" "}
        <input
          type="file"
          multiple
          onChange={(event) => upload(event.currentTarget.files).catch(fail)}
        />
      </label>
      {notEdited !== "" && <p role="status">{notEdited}</p>}
      <ul class="list">
        {entries.map((entry) => (
          <li key={entry.path}>
            {entry.type === "directory"
              ? (
                <button type="button" class="row" onClick={() => open(entry.path).catch(fail)}>
                  {entry.name}/
                </button>
              )
              : (
                <>
                  <button type="button" class="row" onClick={() => view(entry).catch(fail)}>
                    {entry.name} <span class="target">{entry.size} bytes</span>
                  </button>
                  <button type="button" onClick={() => download(entry).catch(fail)}>
                    Download
                  </button>
                </>
              )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function parentOf(path: string): string {
  return path.replace(/\/+[^/]*\/*$/, "") || "/";
}

/** As a field of the page has it: with "\n" alone. */
interface EditedText {
  readonly text: string;
  readonly lineBreak: string;
}

/** Gives why not where a field would not keep all of it: other bytes than text, line breaks of two kinds. */
export function editedText(bytes: Uint8Array): EditedText | string {
  const content = decodeText(bytes);
  if (content === undefined) return "it is no text in UTF-8";
  const lineBreak = content.includes("\r\n") ? "\r\n" : "\n";
  const text = content.replaceAll("\r\n", "\n");
  if (text.includes("\r")) return "it has line breaks of an old kind, which editing would change";
  if (text.replaceAll("\n", lineBreak) === content) return { text, lineBreak };
  return "it has line breaks of two kinds, and editing would make them all alike";
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
