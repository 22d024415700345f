// The list of findings, and entries like those elsewhere.
import { $, button, count, element, enable, renew } from "./elements.js";

// How many entries are shown at once.
const page = 100;

const rank = { error: 3, warning: 2, info: 1 };

// entry is one finding, or a note of a conversion. What it leads to is up to the caller: go(finding), rule(id), fix(finding).
export function entry(f, { go, rule, fix }) {
  const place = f.file ? `${f.file}:${f.line}` : `line ${f.line}`;
  return element(
    "li",
    { class: f.ignored ? "ignored" : f.severity },
    element("p", {}, element("span", { class: "kind" }, `${f.ignored ? "ignored" : (f.class ?? f.severity)}: `), f.message),
    element(
      "div",
      { class: "about" },
      button(place, () => go(f), { class: "link" }),
      button(f.rule, () => rule(f.rule), { class: "link rule", "aria-haspopup": "dialog" }),
      f.fix && fix && !f.ignored ? button(`Fix: ${f.fix.title}${f.fix.safe ? "" : " (unsafe)"}`, () => fix(f), { class: "fix" }) : undefined,
    ),
  );
}

// entries shows findings in a list, a page at a time.
export function entries(list, findings, actions, shown = page) {
  const items = findings.slice(0, shown).map((f) => entry(f, actions));
  const left = findings.length - shown;
  if (left > 0) {
    items.push(element("li", {}, button(`Show ${Math.min(left, page)} more of ${left}`, () => entries(list, findings, actions, shown + page))));
  }
  renew(list, items);
}

// showFindings shows the findings at or above the chosen severity.
export function showFindings(findings, actions) {
  const least = rank[$("severity").value];
  entries($("findings-list"), findings.filter((f) => rank[f.severity] >= least), actions);
  const fixes = findings.filter((f) => f.fix && !f.ignored);
  enable($("fix-safe"), fixes.some((f) => f.fix.safe));
  enable($("fix-all"), fixes.length > 0);
}

// summary is a line about a report.
export function summary({ findings, summary }) {
  const active = findings.filter((f) => !f.ignored);
  const counts = ["error", "warning", "info"].map((s) => [s, active.filter((f) => f.severity === s).length]).filter(([, n]) => n > 0);
  const objects = summary.objects ?? 0;
  const missing = Object.keys(summary.passedOver?.withoutCRD ?? {});
  if (counts.length === 0 && summary.crds === 0 && objects === 0 && missing.length === 0) return "There is no CRD or custom resource here.";
  const parts = [counts.length > 0 ? counts.map(([s, n]) => count(n, s)).join(", ") : "No findings"];
  parts.push(`checked ${count(summary.crds, "CRD")}${objects > 0 ? ` and ${count(objects, "custom resource")}` : ""}`);
  if (missing.length > 0) parts.push(`no CRD here defines ${missing.join(", ")}`);
  if (summary.unjudged > 0) parts.push(`${count(summary.unjudged, "object")} could not be checked`);
  if (summary.ignored > 0) parts.push(`${summary.ignored} ignored`);
  return `${parts.join("; ")}.`;
}
