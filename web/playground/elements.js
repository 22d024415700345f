// Elements of the page.

// $ is the element with an id.
export const $ = (id) => document.getElementById(id);

// element makes an element. What it has is text, never HTML, as it comes from manifests.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

const kinds = { " ": "", "+": "gi", "-": "gd" };

// difference shows a unified diff, with the classes that chroma has for such lines. Lines of a kind are one element, as there may be
// many. The first two are the header.
export function difference(label, diff) {
  const made = element("pre", { class: "diff chroma", role: "region", "aria-label": label, tabindex: "0" });
  for (const [i, line] of diff.slice(0, -1).split("\n").entries()) {
    const kind = (i > 1 ? kinds[line[0]] : undefined) ?? "gu";
    if (made.lastChild?.className !== kind) made.append(element("span", { class: kind }));
    made.lastChild.append(line, "\n");
  }
  return made;
}

// enable enables a button, or disables it. One that has the focus passes it on to its panel: it would be nowhere.
export function enable(control, on) {
  if (!on && document.activeElement === control) control.closest("[role=tabpanel]").focus();
  control.disabled = !on;
}

// renew replaces the children of a list. Where one of them had the focus, what is in its place has it then, or the panel.
export function renew(list, children) {
  const at = [...list.children].findIndex((child) => child.contains(document.activeElement));
  list.replaceChildren(...children);
  if (at < 0) return;
  const next = list.children[Math.min(at, children.length - 1)];
  (next?.querySelector("button.fix") ?? next?.querySelector("button") ?? list.closest("[role=tabpanel]")).focus();
}

// choice is what is chosen in a control; setChoice chooses it, or what is chosen at first where there is no such thing.
export const choice = (control) => (control.type === "checkbox" ? control.checked : control.value);
export function setChoice(control, wanted) {
  if (control.type === "checkbox") control.checked = wanted === true;
  else control.selectedIndex = Math.max(0, [...control.options].findIndex((o) => o.value === wanted));
}

// count is a number of things, in words.
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// tabs has the arrow keys, Home and End go through the tabs of a list, and shows the panel of the one that is chosen.
export function tabs(list, chosen) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const one of all) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
      $(one.getAttribute("aria-controls")).hidden = one !== tab;
    }
    chosen(tab.getAttribute("aria-controls"));
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = all.at(to % all.length);
    choose(tab);
    tab.focus();
  });
  return (panel) => choose(all.find((tab) => tab.getAttribute("aria-controls") === panel) ?? all[0]);
}
