// The panel about custom resources.
import { $, button, count, difference, element, renew } from "./elements.js";
import { entries } from "./findings.js";

const looks = { accepted: "ok", refused: "error", unjudged: "warning" };
const words = { refused: "rejected", unjudged: "not checked" };

// showObjects shows what an API server makes of each object.
export function showObjects({ crds, objects, previews, unread, report }, actions) {
  const parts = [];
  if (objects.length === 0) parts.push(element("p", {}, crds === 0 ? "Add the CRD and an object of its kind, in one text or in several files." : "There is no object of the CRDs' kinds. Add one, in the same text after ---, or as another file."));
  for (const line of unread ?? []) parts.push(element("p", {}, `This CRD cannot be used: ${line}`));
  if (objects.length > 0) parts.push(element("ul", { class: "entries" }, ...objects.map((o) => verdict(o, actions))));
  if (report.findings.length > 0) {
    const causes = element("ol", { class: "entries" });
    entries(causes, report.findings, actions);
    parts.push(element("h3", {}, "Causes and changes"), causes);
  }
  for (const { name, diff, left } of previews) {
    parts.push(element("h3", {}, `Preview of ${name}`));
    if (left.length > 0) parts.push(element("p", {}, `Some objects are shown as they are: ${left.join("; ")}.`));
    parts.push(diff ? difference(`Preview of ${name}`, diff) : element("p", {}, "Nothing is dropped or added."));
  }
  renew($("verdicts"), parts);
}

// clear shows nothing.
export const clear = () => renew($("verdicts"), []);

function verdict(o, { go }) {
  return element(
    "li",
    { class: looks[o.verdict] ?? "info" },
    element("p", {}, element("span", { class: "kind" }, `${words[o.verdict] ?? o.verdict}: `), `${o.kind} ${o.label}`),
    element("div", { class: "about" }, button(`${o.file}:${o.line}`, () => go({ ...o, column: 1 }), { class: "link" })),
  );
}

// statement is a line about verdicts.
export function statement({ objects }) {
  if (objects.length === 0) return "There is no object to check.";
  const refused = objects.filter((o) => o.verdict === "refused").length;
  return `${count(objects.length, "object")}, ${refused} rejected.`;
}
