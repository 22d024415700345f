// The playground: it asks crdlift about the texts in the editor, and shows the answers.
import worker from "worker-code"; // which build.sh bundles, as it gives PROGRAM its name
import { Editor } from "./editor.js";
import { $, count, enable, tabs } from "./elements.js";
import { examples } from "./examples.js";
import { Files } from "./files.js";
import { showFindings, summary } from "./findings.js";
import * as converting from "./convert.js";
import * as judging from "./objects.js";
import { Program } from "./program.js";
import * as reading from "./read.js";
import { showRule } from "./rule.js";
import { longest, packed, unpacked } from "./share.js";

// How long nothing is typed before crdlift is asked, in milliseconds.
const pause = 120;

const files = new Files(new Editor($("editor"), () => changed()), () => changed());
const program = new Program(new URL(PROGRAM, import.meta.url).href, worker);
let mode = "findings";
let report; // on the texts as they are; undefined while that is not known
let conversions; // of the texts as they are, by the options as they are; undefined while that is not known
let version = 0; // of the texts, so that an answer about older ones is not shown
let asks = 0; // how often it was asked: only the newest answer is shown
let timer;
let notice; // what came of the last action, {text, trouble}, until the texts or the panel change

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
  notice = { text, trouble };
  say(text, trouble);
}

function busy(is) {
  $("results").setAttribute("aria-busy", String(is));
}

function changed() {
  version++;
  notice = undefined;
  report = undefined;
  $("back").hidden = !files.canBringBack;
  offer(undefined);
  busy(true);
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

// offer keeps the result of a conversion for whoever wants to use it; undefined while there is none.
function offer(all) {
  conversions = all;
  const texts = new Map(all && files.all().map((f) => [f.name, f.text]));
  enable($("use"), Boolean(all?.some((made) => made.text !== texts.get(made.name))));
}

// asked is the answer to a question about the texts; undefined for one about texts that are not there any more.
async function asked(question) {
  const of = version;
  const answer = await program.ask({ files: files.all(), ...question });
  return of === version ? answer : undefined;
}

// ask asks what the chosen panel shows; what the editor underlines is asked always. After an answer that ends it, nothing else is
// asked until the texts or the panel change: it would break another worker.
async function ask() {
  clearTimeout(timer);
  const own = ++asks;
  const begun = performance.now();
  offer(undefined);
  busy(true);
  const said = [];
  for (const panel of mode === "findings" ? [findings] : [panels[mode], findings]) {
    const answer = await panel();
    if (!answer || own !== asks) return;
    said.push(answer);
    if (answer.ended) break;
  }
  if (said.at(-1).ended) for (const clear of [clearFindings, converting.clear, judging.clear]) clear();
  const most = said.find((s) => s.trouble) ?? said[0];
  say(notice ? `${notice.text} ${most.text}` : most.text, most.trouble || notice?.trouble);
  performance.clearMeasures("answered");
  performance.measure("answered", { start: begun });
  busy(false);
}

// Each panel asks and shows the answer, and returns what there is to say about it: {text}, with trouble and ended where there is
// no answer. What is shown of older texts goes then. It returns undefined if the texts are others by now.
const panels = { convert, objects: judge };

const trouble = ({ error, ended }) => ({ text: error, trouble: true, ended });

async function findings() {
  const answer = await asked({ ask: "findings" });
  if (!answer) return undefined;
  if (answer.error) {
    clearFindings();
    return trouble(answer);
  }
  report = answer;
  showFindings(report.findings, actions);
  files.mark(report.findings);
  return { text: summary(report) };
}

function clearFindings() {
  report = undefined;
  showFindings([], actions);
  files.mark([]);
}

async function convert() {
  const answer = await asked({ ask: "convert", options: converting.options() });
  if (!answer) return undefined;
  if (answer.error) {
    converting.clear();
    return trouble(answer);
  }
  offer(answer);
  converting.showConversions(files.all(), answer, actions);
  return { text: converting.statement(answer) };
}

function useConversions() {
  if (!conversions) return;
  files.update(conversions);
  note("The texts are those of the result. Undo in the editor takes that back.");
}

async function judge() {
  const answer = await asked({ ask: "objects", served: $("as").value === "served" });
  if (!answer) return undefined;
  if (answer.error) {
    judging.clear();
    return trouble(answer);
  }
  judging.showObjects(answer, actions);
  return { text: judging.statement(answer) };
}

// fix makes the fix of one finding. In a list that is about older texts, it waits for the next one.
async function fix({ rule, file, line, column }) {
  if (!report) return say("The text has changed since. Its findings are on their way.");
  const answer = await asked({ ask: "edit", finding: { rule, file, line, column } });
  if (!answer) return;
  if (answer.error) return note(answer.error, true);
  if (answer.edits.length === 0) return note("This fix cannot be made in the text.", true);
  files.edit(file, answer.edits);
}

async function fixAll(unsafe) {
  const answer = await asked({ ask: "fix", unsafe });
  if (!answer) return;
  if (answer.error) return note(answer.error, true);
  files.update(answer.files);
  const left = answer.withheld.length > 0 ? ` ${count(answer.withheld.length, "fix was", "fixes were")} not made: ${answer.withheld[0]}.` : "";
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

async function open(sources) {
  const { files: read, said } = await reading.read(sources);
  if (read.length > 0) files.open(read);
  if (said) note(said, true);
}

// show shows what an example or a link has.
function show({ files: all, mode: wanted }, isExample) {
  files.set(all, isExample);
  choose(wanted ?? "findings");
}

const choose = tabs(document.querySelector("[role=tablist]"), (panel) => {
  mode = panel;
  notice = undefined;
  ask();
});

for (const [i, { title }] of examples.entries()) $("example").append(new Option(title, i));
$("show").addEventListener("click", () => show(examples[$("example").value], true));
$("back").addEventListener("click", () => files.bringBack());
$("open").addEventListener("change", () => {
  open(reading.chosen([...$("open").files]));
  $("open").value = ""; // or choosing the same file again would change nothing
});
$("share").addEventListener("click", share);
$("use").addEventListener("click", useConversions);
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
  if (event.dataTransfer.types.includes("Files")) {
    event.preventDefault();
    open(reading.dropped(event.dataTransfer));
  }
}, true);

// shared is what a link has in it; undefined where the address has no fragment, or one that names a part of the page.
async function shared() {
  const fragment = location.hash.slice(1);
  return fragment === "" || $(fragment) ? undefined : unpacked(fragment);
}

async function begin() {
  const link = await shared();
  const isExample = !link || Boolean(link.problem);
  show(isExample ? examples[0] : link, isExample);
  if (link?.problem) note(`${link.problem} This is an example.`, true);
}

addEventListener("hashchange", async () => {
  const link = await shared();
  if (link?.problem) note(link.problem, true);
  else if (link) show(link, false);
});
await begin();
const built = await program.ask({ ask: "version" });
if (!built.error) $("version").textContent = `crdlift ${built.version}, with the API server's code ${built.judge}.`;
