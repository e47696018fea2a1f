/** A page of buttons and switches that are on and off, and what is to be reported of each, by whatever reads the page. */

export interface Toggle {
  readonly role: "button" | "switch";
  readonly name: string;
  readonly state?: "checked" | "pressed" | "unpressed" | "mixed";
}

export const TOGGLE_PAGE = `<title>Toggles</title>
<button>Plain</button>
<button aria-pressed="false">Off</button>
<button aria-pressed="true">On</button>
<button aria-pressed="mixed">Partly</button>
<div role="switch" aria-checked="false" tabindex="0">Wi-Fi</div>
<div role="switch" aria-checked="true" tabindex="0">Sound</div>`;

export const TOGGLES: readonly Toggle[] = [
  { role: "button", name: "Plain" },
  { role: "button", name: "Off", state: "unpressed" },
  { role: "button", name: "On", state: "pressed" },
  { role: "button", name: "Partly", state: "mixed" },
  { role: "switch", name: "Wi-Fi" }, // the role says that it is off
  { role: "switch", name: "Sound", state: "checked" },
];
