/** @jsxImportSource preact */
/** Who drives, the buttons to take over and hand back, and what programs ask of a person. */

import { useEffect, useRef, useState } from "preact/hooks";
import { MAX_MS } from "../../features/control/person_times.ts";
import type { Service } from "./service.ts";

/** A click is meant for what was there so long before, in milliseconds. */
const SETTLING_MS = 500;
/** Times of the service are exact to far less. */
const ROUNDING_MS = 1_000;
/** Characters of a reason, as many as the socket takes. */
const MAX_REASON = 500;

const STATUS = {
  connecting: "Connecting",
  open: "",
  lost: "Not connected",
} as const;

export function Driver({ service }: { readonly service: Service }) {
  const { control, status, hasControl, mayControl, hello } = service;
  const state = status === "open" ? sentence(service) : STATUS[status];
  const mode = status !== "open" ? "lost" : hasControl ? "mine" : control?.mode ?? "lost";
  const handBack = () => service.send({ t: "hand_back" });
  return (
    <div class="driver">
      <p class={`chip ${mode}`} role="status" aria-live="polite" id="driver">{state}</p>
      {hello?.watch_only && <p class="chip">You are watching</p>}
      {mayControl && !hasControl && <TakeOver service={service} />}
      {hasControl && (
        <button type="button" id="hand-back" class="primary" onClick={handBack}>Hand back</button>
      )}
      {mayControl && !hasControl && <CallButton service={service} {...pauseOrResume(control)} />}
      {mayControl && control?.mode === "leased" && (
        <CallButton
          service={service}
          path="release-lease"
          label="End the lease"
          desk={control.desk}
        />
      )}
    </div>
  );
}

function TakeOver({ service }: { readonly service: Service }) {
  const take = () => service.send({ t: "take" });
  return <button type="button" class="primary" onClick={take}>Take over</button>;
}

interface CallButtonProps {
  readonly service: Service;
  readonly path: string;
  readonly label: string;
  /** The only one that it is about; absent for all. */
  readonly desk?: string | undefined;
}

function CallButton({ service, path, label, desk }: CallButtonProps) {
  const fields = desk === undefined ? {} : { desk };
  const call = () => service.call(`api/control/${path}`, fields).catch(service.fail);
  return <button type="button" onClick={call}>{label}</button>;
}

function pauseOrResume(control: Service["control"]) {
  return control?.mode === "paused"
    ? { path: "resume", label: "Resume programs", desk: control.desk }
    : { path: "pause", label: "Pause programs" };
}

function sentence({ control, hasControl }: Service): string {
  if (control === undefined) return "Connecting";
  const { mode, by, until, reason } = control;
  const name = by?.name ?? "somebody";
  const end = until === null ? "" : ` until ${time(until)}`;
  switch (mode) {
    case "person":
      return hasControl ? `You have control${end}` : `${name} has control${end}`;
    case "paused":
      return `Paused by ${name}${reason ? `: ${reason}` : ""}`;
    case "leased":
      return `${name} has a lease${end}`;
    default:
      return "Programs have control";
  }
}

export function time(iso: string): string {
  return new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** What waits for a person, and what has failed. */
export function Notices({ service }: { readonly service: Service }) {
  const { control, mayControl, hasControl, problem } = service;
  const [isLoud, setLoud] = useState(false);
  const help = mayControl ? control?.help ?? [] : [];
  const approvals = mayControl ? service.approvals : [];
  useSound(isLoud, help.length + approvals.length);
  const isWarning = hasControl && control?.warning === true;
  const ids = [...help, ...approvals].map(({ id }) => id);
  const isSettled = useSettled([isWarning, ...ids].join());
  return (
    <section class="notices" aria-label="Notices">
      {isWarning && <Warning service={service} />}
      {help.map(({ id, name, reason }) => (
        <div key={id} class="notice" role="alert">
          <strong>{name}</strong> asks for help: <bdi>{reason}</bdi>{" "}
          {!hasControl && <TakeOver service={service} />}{" "}
          <Refusal
            label="Decline"
            onRefuse={(reason) => service.send({ t: "decline", id, reason })}
          />
        </div>
      ))}
      {approvals.map((pending) => (
        <Approval key={pending.id} service={service} isSettled={isSettled} {...pending} />
      ))}
      {help.length + approvals.length > 0 && (
        <label class="sound">
          <input
            type="checkbox"
            checked={isLoud}
            onChange={(event) => setLoud(event.currentTarget.checked)}
          />{" "}
          Sound
        </label>
      )}
      {problem !== "" && <p class="notice problem" role="alert">{problem}</p>}
    </section>
  );
}

/** Control ends soon: it is kept by whatever the person does, unless its longest time is over. */
function Warning({ service }: { readonly service: Service }) {
  const { since, until } = service.control!;
  if (Date.parse(until!) - Date.parse(since) >= MAX_MS - ROUNDING_MS) {
    return (
      <p class="notice warning" role="alert">
        Control ends soon because you have had it for an hour. You can take over again then.
      </p>
    );
  }
  return (
    <p class="notice warning" role="alert">
      Control ends soon because nothing was done.{" "}
      <button type="button" onClick={() => service.send({ t: "take" })}>Keep control</button>
    </p>
  );
}

type ApprovalProps = Service["approvals"][number] & {
  readonly service: Service;
  readonly isSettled: boolean;
};

/** A call that waits for this person's word, with all of it that may be seen. */
function Approval(
  { service, isSettled, id, name, operation, fields, session }: ApprovalProps,
) {
  const answers = [
    ["once", "Allow once"],
    ...(session ? [["session", `Allow every ${operation} for this session`] as const] : []),
  ] as const;
  return (
    <div class="notice" role="alert">
      <strong>{name}</strong> wants to call <code>{operation}</code>
      {fields.map(({ name, value, more }) => (
        <div key={name} class="field">
          <code>{name}</code> {value === undefined
            ? <em>not shown</em>
            : <pre role="group" tabIndex={0} aria-label={name}>{value}</pre>}
          {more !== undefined && <em>{more} more characters, not shown</em>}
        </div>
      ))}
      {answers.map(([answer, label]) => (
        <button
          key={answer}
          type="button"
          aria-disabled={!isSettled}
          onClick={({ currentTarget }) => {
            if (currentTarget.ariaDisabled !== "true") service.send({ t: "answer", id, answer });
          }}
        >
          {label}
        </button>
      ))}
      <Refusal
        label="Refuse"
        onRefuse={(reason) => service.send({ t: "answer", id, answer: "refuse", reason })}
      />
    </div>
  );
}

interface RefusalProps {
  readonly label: string;
  readonly onRefuse: (reason: string | undefined) => void;
}

/** Says no, with words for the program if the person has some. */
function Refusal({ label, onRefuse }: RefusalProps) {
  const [reason, setReason] = useState("");
  const refuse = (event: Event) => {
    event.preventDefault();
    onRefuse(reason.trim() || undefined);
  };
  return (
    <form class="line" onSubmit={refuse}>
      <input
        aria-label="Reason, optional"
        placeholder="Reason, optional"
        maxLength={MAX_REASON}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit">{label}</button>
    </form>
  );
}

/** Whether this has stayed the same for a while, so that nothing has moved below the mouse. */
function useSettled(shown: string): boolean {
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => settle(shown), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled === shown;
}

/** A short tone whenever something more waits. */
function useSound(isLoud: boolean, waiting: number): void {
  const before = useRef(0);
  useEffect(() => {
    if (isLoud && waiting > before.current) {
      const audio = new AudioContext();
      const tone = audio.createOscillator();
      tone.connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + 0.15);
      tone.onended = () => audio.close();
    }
    before.current = waiting;
  }, [waiting, isLoud]);
}
