/** Functions that fill fields, as text for the page; each is called with the element as `this`. */

/** The control itself: that of a label, the element of a text. */
const CONTROL = `
  const given = this.nodeType === 1 ? this : this.parentElement;
  const element = given?.tagName === "LABEL" && given.control ? given.control : given;
  if (!element?.isConnected) return { kind: "gone" };
`;

/** What kind of field it is, and whether it can be filled now. */
export const KIND = `function () {
  ${CONTROL}
  const tag = element.tagName;
  const role = element.getAttribute("role");
  const blocked = element.matches(":disabled") || element.getAttribute("aria-disabled") === "true"
    ? "disabled" : element.readOnly || element.getAttribute("aria-readonly") === "true"
    ? "readonly" : undefined;
  if (tag === "SELECT") return { kind: "select", blocked, multiple: element.multiple };
  if (tag === "TEXTAREA") return { kind: "text", blocked };
  if (tag === "INPUT") {
    const { type } = element;
    if (type === "checkbox" || type === "radio") return { kind: type, blocked };
    if (type === "file") return { kind: "file", blocked };
    if (["button", "submit", "reset", "image", "hidden"].includes(type)) return { kind: "none" };
    const set = ["date", "time", "month", "week", "datetime-local", "color", "range", "number"];
    return { kind: set.includes(type) ? "set" : "text", type, blocked };
  }
  if (role === "checkbox" || role === "switch" || role === "radio" || role === "menuitemcheckbox")
    return { kind: "checkbox", blocked };
  if (element.isContentEditable) return { kind: "text", blocked };
  return { kind: "none" };
}`;

/**
 * Selects everything in it, so that the next text replaces that, and says whether it would: a page
 * can put the focus elsewhere. Inside an editable element it is that one that has the focus.
 */
export const SELECT_ALL = `function () {
  ${CONTROL}
  element.focus({ preventScroll: true });
  if (element.select) element.select();
  else getSelection().selectAllChildren(element);
  const active = element.getRootNode().activeElement;
  return { hasFocus: active === element || active?.isContentEditable === true && active.contains(element) };
}`;

/** Whether it holds the text. */
export const HOLDS = `function (wanted) {
  ${CONTROL}
  const plain = (text) => text.replaceAll("\\u00a0", " ").replaceAll("\\r\\n", "\\n").replace(/\\n+$/, "");
  const has = element.value ?? element.innerText ?? "";
  return { holds: has === wanted || plain(has) === plain(wanted) };
}`;

/** Sets the value of a field that takes no typed text, as a person's choice does. */
export const SET_VALUE = `function (value) {
  ${CONTROL}
  element.focus({ preventScroll: true });
  const before = element.value;
  element.value = value;
  const isTaken = element.type === "number" || element.type === "range"
    ? element.value !== "" && Number(element.value) === Number(value)
    : element.value.toLowerCase() === String(value).toLowerCase() ||
      (element.value !== "" && element.value.startsWith(value));
  if (!isTaken && !(value === "" && element.value === "")) {
    element.value = before;
    return { refused: element.type, min: element.min, max: element.max };
  }
  if (element.value !== before) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return { set: element.value };
}`;

export const IS_CHECKED = `function () {
  ${CONTROL}
  return { checked: element.checked ?? element.getAttribute("aria-checked") === "true" };
}`;

export const CLICK = `function () {
  ${CONTROL}
  element.click();
  return {};
}`;

/** Chooses options by value or label; without one of them, nothing is changed. */
export const SELECT_OPTIONS = `function (wanted) {
  ${CONTROL}
  const label = (option) => option.label.replace(/\\s+/g, " ").trim();
  const all = [...element.options];
  const chosen = wanted.map((text) => all.find((option) => option.value === text) ??
    all.find((option) => label(option) === text.trim()) ??
    all.find((option) => label(option).toLowerCase() === text.trim().toLowerCase()));
  const missing = chosen.findIndex((option) => option === undefined);
  if (missing >= 0) return { missing, options: all.slice(0, 20).map((each) => {
    const text = label(each);
    return text.length > 80 ? text.slice(0, 80) + "…" : text;
  }) };
  const off = chosen.findIndex((option) => option.disabled || option.parentElement?.disabled);
  if (off >= 0) return { off };
  element.focus({ preventScroll: true });
  const before = all.map((option) => option.selected).join();
  for (const option of all) {
    const select = chosen.includes(option);
    if (option.selected !== select) option.selected = select;
  }
  if (all.map((option) => option.selected).join() !== before) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return {};
}`;

/** Whether exactly these options are chosen. */
export const HAS_SELECTED = `function (wanted) {
  ${CONTROL}
  const label = (option) => option.label.replace(/\\s+/g, " ").trim().toLowerCase();
  const chosen = [...element.selectedOptions];
  const fits = (option, text) => option.value === text || label(option) === text.trim().toLowerCase();
  return { holds: chosen.length === new Set(wanted).size &&
    wanted.every((text) => chosen.some((option) => fits(option, text))) };
}`;

/** The names of the files that it has. */
export const FILES = `function () {
  ${CONTROL}
  return { names: [...(element.files ?? [])].map(({ name }) => name) };
}`;
