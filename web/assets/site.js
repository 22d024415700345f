// What pages do beyond links: "/" leads to the search, the catalogue is filtered as one types, and they say what is missing.

const search = document.getElementById("search");

document.addEventListener("keydown", (event) => {
  const typing = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable]"); // the editor's is in a shadow root
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});

// A page whose own script is not to be had, or does not run, says so: scripts come after this one, in their order. One that has said
// something by itself did run.
const status = document.querySelector("[role=status]");
const unsaid = status?.textContent;
addEventListener("error", ({ target, error }) => {
  const missing = target.localName === "script";
  if (!status || status.textContent !== unsaid || (!missing && !error)) return;
  status.textContent = missing ? "A part of this page could not be loaded. Reload it to try again." : "A part of this page does not run in this browser, which may be too old.";
  document.querySelector("[aria-busy]")?.setAttribute("aria-busy", "false");
}, true);

const filter = document.getElementById("filter");
if (filter) {
  const form = filter.closest("form");
  const rows = [...document.querySelectorAll(".catalogue tbody tr")].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const topics = [...document.querySelectorAll(".topic")];
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    for (const topic of topics) {
      topic.hidden = !topic.querySelector("tbody tr:not([hidden])");
    }
    const one = shown === 1 ? "1 row" : `${shown} rows`;
    document.getElementById("filtered").textContent = words.length === 0 ? "" : shown === 0 ? "No rule has that." : one;
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", apply);
  apply(); // a browser that goes back fills the field in again
}
