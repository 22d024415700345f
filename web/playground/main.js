// The playground: it asks crdlift about the texts in the editor, and shows the answers.
import { Editor } from "./editor.js";
import { $, count, tabs } from "./elements.js";
import { examples } from "./examples.js";
import { Files } from "./files.js";
import { showFindings, summary } from "./findings.js";
import * as converting from "./convert.js";
import * as judging from "./objects.js";
import { Program } from "./program.js";
import { showRule } from "./rule.js";
import { longest, packed, unpacked } from "./share.js";

// How long nothing is typed before crdlift is asked, in milliseconds.
const pause = 120;

const files = new Files(new Editor($("editor"), () => changed()), () => changed());
const program = new Program(new URL("crdlift.bin", location.href).href, (state) => tell(state));
let mode = "findings";
let report; // on the texts as they are; undefined while that is not known
let version = 0; // of the texts, so that an answer about older ones is not shown
let asks = 0; // how often it was asked: only the newest answer is shown
let timer;
let notice = ""; // what came of the last action, until the texts or the panel change

const actions = {
  go: (f) => files.go(f.file, f.line, f.column),
  rule: (id) => showRule(program, id),
  fix,
};

function say(text, trouble = false) {
  $("status").textContent = text;
  $("status").classList.toggle("trouble", trouble);
}

// note says what came of an action. Later answers are said behind it.
function note(text, trouble = false) {
  notice = text;
  say(text, trouble);
}

async function tell(state) {
  if (state === "loading") return report || say("Loading crdlift …");
  if (state !== "ready") return say(state, true);
  ask();
  const built = await program.ask({ ask: "version" });
  if (built && !built.error) $("version").textContent = `crdlift ${built.version}, with the API server's code ${built.judge}.`;
}

function changed() {
  version++;
  notice = "";
  report = undefined;
  $("results").setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

// asked is the answer to a question about the texts; undefined for one about texts that are not there any more.
async function asked(question, kind) {
  const of = version;
  const answer = await program.ask({ files: files.all(), ...question }, kind);
  if (answer === undefined || of !== version) return undefined;
  if (answer.error) {
    say(answer.error, true);
    $("results").setAttribute("aria-busy", "false");
    return undefined;
  }
  return answer;
}

// ask asks what the chosen panel shows; what the editor underlines is asked always.
async function ask() {
  clearTimeout(timer);
  const own = ++asks;
  $("results").setAttribute("aria-busy", "true");
  performance.mark("asked");
  const about = await (mode === "convert" ? convert() : mode === "objects" ? judge() : undefined);
  if (own !== asks) return;
  const found = await asked({ ask: "findings" });
  if (!found || own !== asks) return;
  report = found;
  showFindings(report.findings, actions);
  files.mark(report.findings);
  say([notice, mode === "findings" ? summary(report) : (about ?? summary(report))].filter(Boolean).join(" "));
  performance.measure("answered", "asked");
  $("results").setAttribute("aria-busy", "false");
}

async function convert() {
  const before = files.all();
  const all = await asked({ ask: "convert", options: converting.options() });
  if (!all) return undefined;
  converting.showConversions(before, all, actions);
  $("use").onclick = () => {
    files.update(all);
    note("The texts are those of the result. Undo in the editor takes that back.");
  };
  return converting.statement(all);
}

async function judge() {
  const answer = await asked({ ask: "objects", served: $("as").value === "served" });
  if (!answer) return undefined;
  judging.showObjects(answer, actions);
  return judging.statement(answer);
}

// fix makes the fix of one finding.
async function fix({ rule, file, line, column }) {
  const answer = await asked({ ask: "edit", finding: { rule, file, line, column } });
  if (!answer) return;
  if (answer.edits.length === 0) return note("This fix cannot be made in the text.", true);
  files.edit(file, answer.edits);
}

async function fixAll(unsafe) {
  const answer = await asked({ ask: "fix", unsafe });
  if (!answer) return;
  files.update(answer.files);
  const left = answer.withheld.length > 0 ? ` ${count(answer.withheld.length, "fix was", "fixes were")} not made: ${answer.withheld[0].why}.` : "";
  note(`${count(answer.fixed, "finding")} fixed.${left}`);
}

async function share() {
  const fragment = await packed({ files: files.all(), mode });
  const link = `${location.href.split("#")[0]}#${fragment}`;
  if (link.length > longest) return note(`The text is too large for a link: it would have ${link.length} characters, and ${longest} are what programs pass on.`, true);
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(link);
    note("The link is in the address bar and in the clipboard. The text is in it.");
  } catch {
    note("The link is in the address bar. The text is in it.");
  }
}

async function open(list) {
  const read = await Promise.all([...list].map(async (file) => ({ name: file.name, text: await file.text() })));
  if (read.length > 0) files.open(read);
}

function show({ files: all, mode: wanted }) {
  files.set(all);
  choose(wanted ?? "findings");
}

const choose = tabs(document.querySelector("[role=tablist]"), (panel) => {
  mode = panel;
  notice = "";
  ask();
});

for (const [i, { title }] of examples.entries()) $("example").append(new Option(title, i));
$("example").addEventListener("change", () => show(examples[$("example").value]));
$("open").addEventListener("change", () => open($("open").files));
$("share").addEventListener("click", share);
$("severity").addEventListener("change", () => report && showFindings(report.findings, actions));
$("fix-safe").addEventListener("click", () => fixAll(false));
$("fix-all").addEventListener("click", () => fixAll(true));
for (const id of ["to", "policy", "drop", "as"]) $(id).addEventListener("change", ask);

// Files may be dropped anywhere: a browser would leave the page for one that misses the editor.
addEventListener("dragover", (event) => {
  event.preventDefault();
  $("editor").classList.add("over");
});
addEventListener("dragleave", () => $("editor").classList.remove("over"));
addEventListener("drop", (event) => {
  $("editor").classList.remove("over");
  if (event.dataTransfer.files.length > 0) {
    event.preventDefault();
    open(event.dataTransfer.files);
  }
}, true);

async function begin() {
  const shared = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : undefined;
  show(shared ?? examples[0]);
  if (location.hash.length > 1 && !shared) note("The link has no text that can be read: it may have been cut. This is an example.", true);
}

addEventListener("hashchange", begin);
await begin();
await program.start(new URL("worker.js", location.href).href);
