/** @jsxImportSource preact */
/** The live picture of a display, or of one window, with the hands of the person who has control. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Point, Region } from "../../core/geometry.ts";
import { pixelAt, useHands } from "./hands.ts";
import { LivePicture } from "./picture.ts";
import type { Service, ShownDisplay } from "./service.ts";

/** A picture that could not be drawn is asked for again after this time. */
const RETRY_MS = 1_000;

interface ScreenProps {
  readonly service: Service;
  readonly shown: ShownDisplay;
  readonly onShow: (shown: ShownDisplay) => void;
  /** What is marked on the picture. */
  readonly mark: Region | undefined;
  /** Takes the next click instead of the display. */
  readonly onPick: ((x: number, y: number) => void) | undefined;
}

interface Display {
  readonly display_num: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

interface Desk {
  readonly name: string;
}

interface Window {
  readonly id: string;
  readonly title: string;
}

export function Screen({ service, shown, onShow, mark, onPick }: ScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLImageElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(true);
  const [window, setWindow] = useState("");
  const [displays, setDisplays] = useState<readonly Display[]>([]);
  const [desks, setDesks] = useState<readonly Desk[]>([]);
  const [windows, setWindows] = useState<readonly Window[]>([]);
  const [note, setNote] = useState("");
  /** Where the picture begins on the display: a watched window is a part of it. */
  const origin = useRef<Point>({ x: 0, y: 0 });
  const current = useRef({ shown, window, isPicking: false });
  current.current = { shown, window, isPicking: onPick !== undefined };

  useEffect(() => {
    let retry: ReturnType<typeof setTimeout> | undefined;
    const picture = new LivePicture({
      canvas: canvas.current!,
      cursor: cursor.current!,
      acknowledge: (id) => service.send({ t: "ack", id }),
      changed: () => {
        origin.current = picture.origin;
        setNote(picture.gone ?? "");
      },
      failed: () => retry = setTimeout(() => service.onOpen(), RETRY_MS),
    });
    service.onPicture = (data) => picture.receive(data);
    service.onLive = (note) => picture.note(note);
    service.onOpen = () => {
      const { shown: { display_num: display, desk }, window } = current.current;
      clearTimeout(retry);
      picture.restart();
      const shown = { ...(desk && { desk }), ...(window !== "" && { window }) };
      service.send({ t: "watch", display, ...shown });
      if (!service.may("view")) return;
      service.call<Display[]>("api/display/list").then(setDisplays, () => {});
      listDesks();
    };
    const release = useHands({
      field: field.current!,
      canvas: canvas.current!,
      isActive: () => service.hasControl && !current.current.isPicking,
      origin: () => origin.current,
      shown: () => current.current.shown,
      isShown: () => picture.isShown,
      send: (op, fields) => service.send({ t: "input", op, fields }),
      copy: (text) => service.call("api/clipboard/set", { text, ...current.current.shown }),
      fail: service.fail,
      release: () => service.send({ t: "release" }),
      leave: () => document.getElementById("hand-back")?.focus(),
    });
    return () => {
      release();
      clearTimeout(retry);
      service.onPicture = service.onLive = service.onOpen = () => {};
    };
  }, []);

  useEffect(() => {
    if (service.hello !== undefined && service.status === "open") service.onOpen();
  }, [shown, window]);

  useEffect(() => {
    if (service.hasControl) field.current?.focus({ preventScroll: true });
  }, [service.hasControl]);

  const listDesks = () => void service.call<Desk[]>("api/desk/list").then(setDesks, () => {});
  const listWindows = () => {
    const query = new URLSearchParams(
      Object.entries(shown).map(([name, value]) => [name, `${value}`]),
    );
    service.call<Window[]>(`api/window/list?${query}`).then((there) => {
      if (current.current.shown === shown) setWindows(there);
    }, () => {});
  };
  const show = (next: ShownDisplay) => {
    if (service.hasControl) service.send({ t: "release" }); // nothing stays pressed where the person does not look
    setWindow("");
    setWindows([]);
    onShow(next);
  };
  const pick = (event: MouseEvent) => {
    if (onPick === undefined) return;
    const { x, y } = pixelAt(canvas.current!, origin.current, event);
    onPick(x, y);
  };

  return (
    <div class="screen">
      <div class="toolbar" role="toolbar" aria-label="View">
        {service.may("view") && (
          <select
            aria-label="Desk"
            value={shown.desk ?? ""}
            onFocus={listDesks}
            onChange={({ currentTarget: { value } }) =>
              show({ display_num: 1, ...(value !== "" && { desk: value }) })}
          >
            <option value="">No desk</option>
            {desks.map(({ name }) => <option key={name} value={name}>Desk {name}</option>)}
          </select>
        )}
        {displays.length > 1 && shown.desk === undefined && (
          <select
            aria-label="Display"
            value={String(shown.display_num)}
            onChange={(event) => show({ display_num: Number(event.currentTarget.value) })}
          >
            {displays.map(({ display_num, name, width, height }) => (
              <option key={display_num} value={String(display_num)}>
                {display_num}: {name}, {width}x{height}
              </option>
            ))}
          </select>
        )}
        {service.may("view") && (
          <select
            aria-label="What to watch"
            value={window}
            onFocus={listWindows}
            onChange={(event) => setWindow(event.currentTarget.value)}
          >
            <option value="">Whole display</option>
            {windows.map(({ id, title }) => <option key={id} value={id}>{title || id}</option>)}
          </select>
        )}
        <button type="button" aria-pressed={fit} onClick={() => setFit(!fit)}>
          {fit ? "Original size" : "Fit"}
        </button>
        <button type="button" onClick={() => stage.current?.requestFullscreen().catch(() => {})}>
          Full screen
        </button>
        {service.hasControl && (
          <span class="hint">
            The keyboard is the display's. Ctrl+Alt+Esc gives it back to this page.
          </span>
        )}
      </div>
      <div class={`stage ${fit ? "fit" : "original"}`} ref={stage}>
        <div class={service.hasControl ? "picture controlled" : "picture"} onClick={pick}>
          <canvas
            ref={canvas}
            width={1}
            height={1}
            role="img"
            aria-label={`Live picture of ${
              shown.desk === undefined ? `display ${shown.display_num}` : `desk ${shown.desk}`
            }`}
          />
          <img ref={cursor} class="cursor" alt="" hidden />
          {mark !== undefined && (
            <MarkView mark={mark} origin={origin.current} canvas={canvas.current} />
          )}
          <textarea
            ref={field}
            class="keyboard"
            aria-label="Keyboard of the display. Ctrl+Alt+Escape leaves it."
            tabIndex={service.hasControl ? 0 : -1}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </div>
        {note !== "" && <p class="note" role="status">It cannot be seen now: {note}</p>}
      </div>
    </div>
  );
}

interface MarkProps {
  readonly mark: Region;
  readonly origin: Point;
  readonly canvas: HTMLCanvasElement | null;
}

function MarkView({ mark, origin, canvas }: MarkProps) {
  if (canvas === null) return null;
  const share = (part: number, all: number) => `${(part * 100 / all).toFixed(3)}%`;
  return (
    <div
      class="mark"
      style={{
        left: share(mark.x - origin.x, canvas.width),
        top: share(mark.y - origin.y, canvas.height),
        width: share(mark.width, canvas.width),
        height: share(mark.height, canvas.height),
      }}
    />
  );
}
