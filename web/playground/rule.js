// The page of a rule, in a dialog.
import { marked } from "marked";
import { $, element } from "./elements.js";

// showRule shows what crdlift answers about a rule: its page. The page is ours, so that its Markdown may become HTML; the page's policy
// would not run a script in it either.
export function showRule(id, page) {
  $("rule-title").textContent = id;
  const text = $("rule-text");
  if (page.error) {
    text.replaceChildren(element("p", {}, page.error));
  } else {
    text.innerHTML = marked.parse(page.markdown.replace(/^# .*\n/, ""));
    for (const code of text.querySelectorAll("pre")) code.tabIndex = 0;
    for (const link of text.querySelectorAll("a")) {
      link.href = new URL(link.getAttribute("href"), page.url).href;
      link.target = "_blank";
      link.rel = "noopener";
    }
  }
  $("rule-link").href = page.url ?? "../rules/";
  if (!$("rule").open) $("rule").showModal();
}

$("rule-close").addEventListener("click", () => $("rule").close());
