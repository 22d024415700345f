"use strict";
for (const bar of document.querySelectorAll(".filter")) {
  const input = bar.querySelector("input[type=search]");
  const boxes = [...bar.querySelectorAll("input[data-severity]")];
  const items = [...document.querySelectorAll(input.dataset.filter)];
  const text = new Map();
  const textOf = (node) => {
    if (!text.has(node)) text.set(node, node.textContent.toLowerCase());
    return text.get(node);
  };
  const show = (node, yes) => node.toggleAttribute("data-out", !yes);
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (...nodes) => words.every((word) => nodes.some((node) => textOf(node).includes(word)));
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.dataset.severity));
    let shown = 0;
    for (const item of items) {
      const rows = input.dataset.rows ? [...item.querySelectorAll(input.dataset.rows)] : [];
      const title = item.querySelector("summary, h3");
      let yes = rows.length === 0 && has(item);
      for (const row of rows) {
        const fits = !off.has(row.dataset.severity) && has(title, row);
        show(row, fits);
        yes = yes || fits;
      }
      show(item, yes);
      shown += yes ? 1 : 0;
    }
    for (const topic of document.querySelectorAll(".topic")) {
      show(topic, topic.querySelector("details.rule:not([data-out])") !== null);
    }
    const all = words.length === 0 && off.size === 0;
    bar.querySelector("output").textContent = all ? "" : `${shown} of ${items.length}`;
  };
  bar.hidden = false;
  bar.addEventListener("input", apply);
}
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
  folded = [];
});
