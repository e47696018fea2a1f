/** @jsxImportSource preact */
/** How the service is, the names in the keychain, the colour of a pixel, and the links to watch. */

import { useEffect, useState } from "preact/hooks";
import { time } from "./driver.tsx";
import type { Service, ShownDisplay } from "./service.ts";

interface Readiness {
  readonly display: { readonly ready: boolean; readonly reason: string };
  readonly keychain: { readonly ready: boolean; readonly reason: string };
}

interface Info {
  readonly version: string;
  readonly backends: readonly {
    readonly job: string;
    readonly chosen: string | null;
    readonly reason: string;
  }[];
}

interface StatusProps {
  readonly service: Service;
  readonly shown: ShownDisplay;
  readonly onPicker: (pick: ((x: number, y: number) => void) | undefined) => void;
}

export function StatusPanel({ service, shown, onPicker }: StatusProps) {
  const [ready, setReady] = useState<Readiness>();
  const [info, setInfo] = useState<Info>();
  const [names, setNames] = useState<readonly string[]>();
  const [pixel, setPixel] = useState("");
  useEffect(() => {
    service.call<Readiness>("/readyz").then(setReady, () => {});
    service.call<Info>("api/system/info").then(setInfo, () => {});
    return () => onPicker(undefined);
  }, []);
  const pick = () =>
    onPicker((x, y) => {
      onPicker(undefined);
      service.call<number[]>("api/display/pixel_color", { x, y, ...shown }).then(
        (colour) => setPixel(`${x}, ${y}: rgb(${colour.join(", ")})`),
        service.fail,
      );
    });
  const list = () =>
    service.call<string[]>("api/keychain/list-services").then(setNames, service.fail);
  return (
    <section aria-label="Status">
      <h2>Service {info?.version}</h2>
      <dl>
        {ready !== undefined && (
          <>
            <Fact name="Display" value={ready.display.reason} />
            <Fact name="Keychain" value={ready.keychain.reason} />
          </>
        )}
        {info?.backends.map(({ job, chosen, reason }) => (
          <Fact
            key={job}
            name={`Backend of the ${job}`}
            value={`${chosen ?? "none"} (${reason})`}
          />
        ))}
      </dl>
      <h2>Pixel</h2>
      <p>
        <button type="button" onClick={pick}>Pick a pixel</button>{" "}
        <span role="status">{pixel}</span>
      </p>
      {service.may("keychain") && (
        <>
          <h2>
            Keychain <button type="button" onClick={list}>List</button>
          </h2>
          {names?.length === 0 && <p class="empty">It is empty.</p>}
          <ul class="list">{names?.map((name) => <li key={name}>{name}</li>)}</ul>
        </>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface Link {
  readonly id: string;
  readonly name: string;
  readonly display_num: number;
  readonly expires: string;
}

const DURATIONS = [[600, "10 minutes"], [3_600, "1 hour"], [86_400, "1 day"]] as const;

export function LinksPanel(
  { service, display }: { readonly service: Service; readonly display: number },
) {
  const [links, setLinks] = useState<readonly Link[]>([]);
  const [seconds, setSeconds] = useState<number>(600);
  const [made, setMade] = useState("");
  const list = () => service.call<Link[]>("api/control/links").then(setLinks, service.fail);
  useEffect(() => void list(), []);
  const make = (event: Event) => {
    event.preventDefault();
    const wanted = { expires_in_seconds: seconds, display_num: display };
    service.call<{ url_path: string }>("api/control/link", wanted).then(({ url_path }) => {
      setMade(new URL(`.${url_path}`, location.href).href);
      list();
    }, service.fail);
  };
  const end = (id: string) =>
    service.call("api/control/revoke-link", { id }).then(list, service.fail);
  return (
    <section aria-label="Links to watch">
      <p>Whoever opens such a link sees this display, and can do nothing else.</p>
      <form class="line" onSubmit={make}>
        <select
          aria-label="How long"
          value={String(seconds)}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        >
          {DURATIONS.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
        <button type="submit" class="primary">Make a link</button>
      </form>
      {made !== "" && (
        <label>
          It is visible only now:
          <input readOnly value={made} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      <ul class="list">
        {links.map(({ id, name, display_num, expires }) => (
          <li key={id}>
            <span class="row">{name}: display {display_num}, until {time(expires)}</span>
            <button type="button" onClick={() => end(id)}>End</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
