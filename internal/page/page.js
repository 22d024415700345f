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
    const has = (node) => words.every((word) => textOf(node).includes(word));
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.dataset.severity));
    let shown = 0;
    for (const item of items) {
      const yes = has(item) && !off.has(item.dataset.severity);
      show(item, yes);
      shown += yes ? 1 : 0;
      if (!input.dataset.rows) continue;
      const rows = [...item.querySelectorAll(input.dataset.rows)];
      const some = rows.some(has);
      for (const row of rows) show(row, !some || has(row));
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
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("#findings details.rule, #migration details")) details.open = true;
});
