// Reports events of the page under test, and answers what the test asks.

const TYPES = [
  ..."keydown keyup beforeinput input change compositionstart compositionend".split(" "),
  ..."mousedown mouseup mousemove click dblclick auxclick contextmenu wheel scroll".split(" "),
  ..."dragstart dragenter dragover dragleave drop dragend focusin focusout select".split(" "),
];
const FIELDS = [
  ..."key code keyCode repeat detail button buttons deltaX deltaY deltaMode".split(" "),
  ..."clientX clientY screenX screenY data".split(" "),
];

const link = new WebSocket(`ws://${location.host}/events`);
const send = (value) => link.send(JSON.stringify(value));
link.onopen = () => {
  for (const type of TYPES) addEventListener(type, report, { capture: true, passive: true });
  requestAnimationFrame(() => requestAnimationFrame(reportReady));
};
link.onmessage = async ({ data }) => {
  const { ask, expression } = JSON.parse(data);
  try {
    send({ answer: ask, value: { result: await (0, eval)(expression) } });
  } catch (error) {
    send({ answer: ask, value: { error: String(error) } });
  }
};

/** A browser can drop what comes before it has shown the page; one that paints nothing is never shown. */
function reportReady(now, until = now + 1_000) {
  const isShown = performance.getEntriesByType("paint").length > 0;
  if (isShown || now > until) send({ ready: GENERATION });
  else requestAnimationFrame((next) => reportReady(next, until));
}

function report(event) {
  const said = { type: event.type, isTrusted: event.isTrusted, target: nameOf(event.target) };
  for (const field of FIELDS) if (event[field] !== undefined) said[field] = event[field];
  if (event.ctrlKey !== undefined) {
    said.modifiers = ["ctrl", "shift", "alt", "meta"].filter((name) => event[`${name}Key`]);
  }
  if (typeof event.target?.value === "string") said.value = event.target.value;
  const selection = selectedText();
  if (selection !== "") said.selection = selection;
  if (event.type === "scroll") {
    said.scrollTop = (event.target.scrollingElement ?? event.target).scrollTop;
  }
  send(said);
}

function nameOf(target) {
  return target?.id || target?.nodeName?.toLowerCase() || "window";
}

function selectedText() {
  const field = document.activeElement;
  if (typeof field?.selectionStart === "number") {
    return field.value.slice(field.selectionStart, field.selectionEnd);
  }
  return String(getSelection());
}
