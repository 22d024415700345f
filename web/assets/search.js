// The search page: everything happens in the browser, over an index that is a file of the site.

import MiniSearch from "minisearch";

const field = document.getElementById("search");
const status = document.getElementById("search-status");
const list = document.getElementById("search-results");
const most = 30;

const engine = new MiniSearch({
  fields: ["title", "was", "text", "also"],
  storeFields: ["title", "address", "kind", "text", "also"],
  searchOptions: { boost: { title: 4, was: 4 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), combineWith: "AND" },
});

// around is a part of a text that has one of the words that were found.
function around(text, words) {
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).filter((i) => i >= 0);
  const from = at.length === 0 ? 0 : Math.max(0, text.lastIndexOf(" ", Math.max(0, Math.min(...at) - 60)));
  const to = from + 200 < text.length ? text.lastIndexOf(" ", from + 200) : text.length;
  return (from > 0 ? "… " : "") + text.slice(from, to).trim() + (to < text.length ? " …" : "");
}

function item(result) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = list.dataset.root + result.address;
  link.textContent = result.title;
  const kind = document.createElement("span");
  kind.className = "kind";
  kind.textContent = result.kind;
  const text = document.createElement("p");
  text.textContent = around(result.text, result.terms);
  entry.append(link, " ", kind, text);
  return entry;
}

function show() {
  const query = field.value.trim();
  const results = query === "" ? [] : engine.search(query);
  // What has the query as it is comes first: an error of a server, above all.
  const whole = query.toLowerCase();
  const has = (result) => [result.title, result.also, result.text].some((text) => text?.toLowerCase().includes(whole));
  results.sort((a, b) => has(b) - has(a)); // which keeps the order of others
  list.replaceChildren(...results.slice(0, most).map(item));
  if (query === "") {
    status.textContent = "Type what to look for: the name of a rule, or words of a message.";
  } else if (results.length === 0) {
    status.textContent = `Nothing is found for “${query}”.`;
  } else {
    const all = results.length === 1 ? "1 result" : `${results.length} results`;
    status.textContent = results.length > most ? `${all}, of which these are the best ${most}` : all;
  }
}

async function start() {
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  status.textContent = "The index is being read …";
  let entries;
  try {
    const answer = await fetch(list.dataset.index);
    if (!answer.ok) throw new Error(answer.statusText);
    entries = await answer.json();
  } catch {
    status.textContent = "The index of the search could not be read. Reload the page to try again.";
    return;
  }
  engine.addAll(entries);
  show();
  field.addEventListener("input", show);
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
    show();
  });
  field.focus();
}

start();
