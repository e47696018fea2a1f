/** @jsxImportSource preact */
/** The console's page: who drives, the live picture, and the panels beside it. */

import { type JSX, render } from "preact";
import { useEffect, useReducer, useState } from "preact/hooks";
import type { Region } from "../../core/geometry.ts";
import { ActivityPanel } from "./activity_panel.tsx";
import { Driver, Notices } from "./driver.tsx";
import { ElementsPanel } from "./elements_panel.tsx";
import { FilesPanel } from "./files_panel.tsx";
import { LinksPanel, StatusPanel } from "./status_panel.tsx";
import { Screen } from "./screen.tsx";
import { Service, type ShownDisplay } from "./service.ts";
import { ShellPanel } from "./shell_panel.tsx";

const service = new Service();

/** Each panel with the scope that its operations need. */
const PANELS = [
  { name: "Activity", scope: "control" },
  { name: "Elements", scope: "view" },
  { name: "Commands", scope: "shell" },
  { name: "Files", scope: "files" },
  { name: "Links", scope: "control" },
  { name: "Status", scope: "view" },
] as const;

type PanelName = typeof PANELS[number]["name"];

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  service.onChange = () => redraw(undefined);
  const [shown, setShown] = useState<ShownDisplay>({ display_num: 1 });
  const [mark, setMark] = useState<Region>();
  const [picked, setPicked] = useState<(x: number, y: number) => void>();
  const { hello, control } = service;
  useEffect(() => {
    const waiting = (control?.help.length ?? 0) + service.approvals.length;
    document.title = `${waiting > 0 ? "(!) " : ""}${hello?.computer ?? "Console"}`;
  });
  const panels = PANELS.filter(({ name, scope }) =>
    service.may(scope) && (name !== "Links" || shown.desk === undefined) // they show no desk
  );
  return (
    <div class={panels.length > 0 ? "app" : "app alone"}>
      <header>
        <h1>{hello?.computer ?? "Console"}</h1>
        <Driver service={service} />
      </header>
      <Notices service={service} />
      <main>
        <Screen
          service={service}
          shown={shown}
          onShow={(next) => {
            setMark(undefined);
            setShown(next);
          }}
          mark={mark}
          onPick={picked}
        />
      </main>
      {panels.length > 0 && (
        <Panels
          names={panels.map(({ name }) => name)}
          shown={shown}
          onMark={setMark}
          onPicker={(pick) => setPicked(() => pick)}
        />
      )}
    </div>
  );
}

interface PanelsProps {
  readonly names: readonly PanelName[];
  readonly shown: ShownDisplay;
  readonly onMark: (mark: Region | undefined) => void;
  readonly onPicker: (pick: ((x: number, y: number) => void) | undefined) => void;
}

function Panels({ names, shown, onMark, onPicker }: PanelsProps) {
  const [chosen, choose] = useState<PanelName>(names[0]!);
  const open = names.includes(chosen) ? chosen : names[0]!;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(open) + step + names.length) % names.length]!;
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const panels: Record<PanelName, () => JSX.Element> = {
    Activity: () => <ActivityPanel service={service} />,
    Elements: () => (
      <ElementsPanel key={JSON.stringify(shown)} service={service} shown={shown} onMark={onMark} />
    ),
    Commands: () => <ShellPanel service={service} />,
    Files: () => <FilesPanel service={service} />,
    Links: () => <LinksPanel service={service} display={shown.display_num} />,
    Status: () => <StatusPanel service={service} shown={shown} onPicker={onPicker} />,
  };
  return (
    <aside aria-label="Panels">
      <div role="tablist" aria-label="Panels" onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === open}
            aria-controls="panel"
            tabIndex={name === open ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${open}`} tabIndex={0}>
        {panels[open]()}
      </div>
    </aside>
  );
}

/** The secret of somebody who is signed in already. */
function dropFragment(): void {
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
}

addEventListener("hashchange", dropFragment);
dropFragment();
render(<App />, document.getElementById("console")!);
service.connect();
