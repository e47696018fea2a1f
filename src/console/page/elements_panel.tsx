/** @jsxImportSource preact */
/** The elements on the display as programs find them: to point at one marks it on the picture. */

import { useState } from "preact/hooks";
import type { Region } from "../../core/geometry.ts";
import { copyText, type Service, type ShownDisplay } from "./service.ts";

interface Element {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly bounds?: Region;
  readonly children?: readonly Element[];
}

interface ElementsProps {
  readonly service: Service;
  readonly shown: ShownDisplay;
  readonly onMark: (mark: Region | undefined) => void;
}

const MAX_ELEMENTS = 500;

export function ElementsPanel({ service, shown, onMark }: ElementsProps) {
  const [elements, setElements] = useState<readonly Element[]>();
  const [copied, setCopied] = useState("");
  const load = async () => {
    const { elements = [] } = await service.call<{ elements?: readonly Element[] }>(
      "api/accessibility/snapshot",
      { format: "json", ...shown, max_elements: MAX_ELEMENTS, boxes: true },
    );
    setElements(elements);
  };
  const copy = (ref: string) => {
    const { desk } = shown;
    const call = `POST /api/mouse/click ${JSON.stringify({ ...(desk && { desk }), ref })}`;
    copyText(call).then(() => setCopied(`Copied: ${call}`), service.fail);
  };
  return (
    <section aria-label="Elements">
      <p>
        <button type="button" onClick={() => load().catch(service.fail)}>
          {elements === undefined ? "Read the elements" : "Read again"}
        </button>
        <span role="status">{copied}</span>
      </p>
      {elements !== undefined && elements.length === 0 && (
        <p class="empty">No program reports elements.</p>
      )}
      <Tree elements={elements ?? []} onMark={onMark} onCopy={copy} />
    </section>
  );
}

interface TreeProps extends Pick<ElementsProps, "onMark"> {
  readonly elements: readonly Element[];
  readonly onCopy: (ref: string) => void;
}

function Tree({ elements, onMark, onCopy }: TreeProps) {
  if (elements.length === 0) return null;
  return (
    <ul class="tree">
      {elements.map(({ ref, role, name, bounds, children = [] }) => (
        <li key={ref}>
          <button
            type="button"
            class="row"
            title="Copy the call that clicks it"
            onMouseEnter={() => onMark(bounds)}
            onMouseLeave={() => onMark(undefined)}
            onFocus={() => onMark(bounds)}
            onBlur={() => onMark(undefined)}
            onClick={() => onCopy(ref)}
          >
            <span class="role">{role}</span> {name} <code>{ref}</code>
          </button>
          <Tree elements={children} onMark={onMark} onCopy={onCopy} />
        </li>
      ))}
    </ul>
  );
}
