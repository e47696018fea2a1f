/** @jsxImportSource preact */
/** Runs commands and shows their output while it is written; lists the processes of the service. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Service } from "./service.ts";

interface Output {
  readonly output: string;
  readonly status: "completed" | "background";
  readonly exit_code: number | null;
  readonly process_id: number | null;
  readonly next_offset?: number;
}

interface Process {
  readonly pid: number;
  readonly command: string;
  readonly status: string;
  readonly exit_code: number | null;
}

const WAIT_MS = 5_000;
/** Characters of output that are kept. */
const MAX_SHOWN = 200_000;

export function ShellPanel({ service }: { readonly service: Service }) {
  const [command, setCommand] = useState("");
  const [output, setOutput] = useState("");
  const [state, setState] = useState("");
  const [processes, setProcesses] = useState<readonly Process[]>([]);
  const following = useRef(0);

  const list = () =>
    service.call<Process[]>("api/bash/processes/managed").then(setProcesses, service.fail);
  useEffect(() => {
    list();
    return () => void following.current++;
  }, []);

  /** Only the last one that was chosen is shown. */
  const follow = async (pid: number) => {
    const number = ++following.current;
    setOutput("");
    setState(`process ${pid}`);
    for (let offset = 0; number === following.current;) {
      const path = `api/bash/process/${pid}/output?offset=${offset}&wait_ms=${WAIT_MS}`;
      const next = await service.call<Output>(path);
      if (number !== following.current) return;
      setOutput((before) => (before + next.output).slice(-MAX_SHOWN));
      if (next.status === "completed") {
        setState(`process ${pid} ended with ${next.exit_code}`);
        return list();
      }
      offset = next.next_offset ?? offset;
    }
  };
  const run = async (event: Event) => {
    event.preventDefault();
    try {
      const { process_id, output, exit_code } = await service.call<Output>("api/bash/command", {
        command,
        timeout: 0,
      });
      list();
      if (process_id !== null) return await follow(process_id);
      setOutput(output);
      setState(`ended with ${exit_code}`);
    } catch (error) {
      service.fail(error);
    }
  };
  const end = (pid: number) =>
    service.fetch(`api/bash/process/${pid}`, {}, "DELETE").then(list, service.fail);

  return (
    <section aria-label="Commands">
      <form onSubmit={run} class="line">
        <input
          aria-label="Command"
          placeholder="Command"
          required
          spellcheck={false}
          value={command}
          onInput={(event) => setCommand(event.currentTarget.value)}
        />
        <button type="submit">Run</button>
      </form>
      {state !== "" && <p role="status">{state}</p>}
      {output !== "" && <pre tabIndex={0} aria-label="Output">{output}</pre>}
      <h2>
        Processes <button type="button" onClick={list}>Refresh</button>
      </h2>
      {processes.length === 0 && <p class="empty">No command runs.</p>}
      <ul class="list">
        {processes.map(({ pid, command, status, exit_code }) => (
          <li key={pid}>
            <button type="button" class="row" onClick={() => follow(pid).catch(service.fail)}>
              {pid} <code>{command}</code>{" "}
              {status === "running" ? "running" : `ended with ${exit_code}`}
            </button>
            {status === "running" && <button type="button" onClick={() => end(pid)}>End</button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
