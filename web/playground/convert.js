// The panel that converts.
import { $, count, difference, element, renew } from "./elements.js";
import { entries } from "./findings.js";

// options are those of a conversion, as they are chosen.
export function options() {
  const to = $("to").value;
  $("policy").disabled = to === "v1beta1";
  $("drop").disabled = to === "v1";
  return { to, policy: $("policy").value, onLoss: $("drop").checked ? "drop" : "report" };
}

// showConversions shows what became of each file.
export function showConversions(files, all, actions) {
  renew($("conversions"), all.map((made, i) => section(files[i], made, actions)));
}

// clear shows nothing.
export const clear = () => renew($("conversions"), []);

function section(file, made, actions) {
  const notes = element("ol", { class: "entries" });
  entries(notes, made.notes.map((n) => ({ ...n, file: file.name })), actions);
  const parts = [element("h3", {}, file.name)];
  const states = made.crds.map((c) => element("li", { class: c.state === "needs a person" ? "error" : "ok" }, element("p", {}, element("span", { class: "kind" }, `${c.state}: `), c.name)));
  if (states.length > 0) parts.push(element("ul", { class: "entries" }, ...states));
  const said = made.error || made.why || (states.length === 0 ? "There is no CRD in this file." : "");
  if (said) parts.push(element("p", {}, said));
  if (made.diff) parts.push(difference(`Difference of ${file.name}`, made.diff));
  if (made.notes.length > 0) parts.push(notes);
  return element("section", { "aria-label": file.name }, ...parts);
}

// statement is a line about a conversion, {text}, with trouble where files do not parse.
export function statement(all) {
  const states = all.flatMap((made) => made.crds.map((c) => c.state));
  const counts = ["converted", "already there", "needs a person"].map((s) => [s, states.filter((state) => state === s).length]).filter(([, n]) => n > 0);
  const unread = all.filter((made) => made.error).length;
  const parts = counts.map(([s, n]) => `${n} ${s}`);
  if (unread > 0) parts.push(`${count(unread, "file does", "files do")} not parse`);
  return { text: parts.length > 0 ? `${parts.join(", ")}.` : "There is no CRD to convert.", trouble: unread > 0 };
}
