// The playground: it asks crdlift about the texts in the editor, and shows the answers.
import worker from "worker-code"; // which build.sh bundles, as it gives PROGRAM its name
import { Editor } from "./editor.js";
import { $, choice, count, enable, setChoice, tabs } from "./elements.js";
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

// How long nothing changes before the address follows, in milliseconds. Browsers refuse to change it more than a few times a second.
const rest = 500;

// What is chosen beside the panel, and is in the address as well.
const controls = ["severity", "to", "policy", "drop", "as"].map($);

const files = new Files(new Editor($("editor"), () => changed(), (ask, file, place) => asked({ ask, place: { file, ...place } })), changed);
const program = new Program(new URL(PROGRAM, import.meta.url).href, worker);
let mode = "findings";
let report; // on the texts as they are; undefined while that is not known
let result = { text: $("status").textContent }; // what there is to say about the newest answers, {text, trouble}
let conversions; // of the texts as they are, by the options as they are; undefined while that is not known
let version = 0; // of the texts, so that an answer about older ones is not shown
let asks = 0; // how often it was asked: only the newest answer is shown
let timer;
let asking = true; // whether what is shown is not yet about the texts and options as they are
let acting = 0; // how many actions wait for something
let doing; // what the last of them does
let following; // the timer of the address
let follows = 0; // how often something began with the address: only the newest goes on
let others = false; // whether the texts took the place of those in the address, rather than being what became of them
let notice; // what came of the last action, {text, trouble}, until the texts or the panel change

function say(text, trouble = false) {
  $("status").textContent = text;
  $("status").classList.toggle("trouble", trouble);
}

// tell says how things are.
function tell() {
  if (acting > 0) say(doing);
  else if (notice) say(`${notice.text} ${result.text}`, result.trouble || notice.trouble);
  else say(result.text, result.trouble);
}

// note says what came of an action. Later answers are said behind it.
function note(text, trouble = false) {
  notice = { text, trouble };
  say(text, trouble);
}

function busy() {
  $("results").setAttribute("aria-busy", String(asking || acting > 0));
}

function changed(replaced = false) {
  version++;
  others ||= replaced;
  follow();
  notice = undefined;
  report = undefined;
  $("back").hidden = !files.canBringBack;
  offer(undefined);
  asking = true;
  busy();
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

// offer keeps the result of a conversion for whoever wants to use it; undefined while there is none.
function offer(all) {
  conversions = all;
  enable($("use"), Boolean(all?.some((made) => made.diff)));
}

// asked is the answer to a question about the texts; undefined for one about texts that are not there any more.
async function asked(question) {
  const of = version;
  const answer = await program.ask({ files: files.all(), ...question });
  return of === version ? answer : undefined;
}

// Each panel has a question. It shows the answer, and returns what there is to say about it: {text}, with trouble where a person
// should look at something. It is cleared where there is no answer, as what it shows is about older texts.
const panels = {
  findings: { question: () => ({ ask: "findings" }), show: showReport, clear: clearFindings },
  convert: { question: () => ({ ask: "convert", options: converting.options() }), show: showConversions, clear: clearConversions },
  objects: { question: () => ({ ask: "objects", served: $("as").value === "served" }), show: showVerdicts, clear: judging.clear },
};

// ask asks what the chosen panel shows; what the editor underlines is asked always. After an answer that ends it, nothing else is
// asked until something changes: it would break another worker.
async function ask() {
  clearTimeout(timer);
  const own = ++asks;
  const begun = performance.now();
  offer(undefined);
  asking = true;
  busy();
  const left = mode === "findings" ? [panels.findings] : [panels[mode], panels.findings];
  const said = [];
  while (left.length > 0) {
    const answer = await asked(left[0].question());
    if (!answer || own !== asks) return;
    if (answer.error) left[0].clear();
    said.push(answer.error ? { text: answer.error, trouble: true } : left[0].show(answer));
    left.shift();
    if (answer.ended) break;
  }
  for (const panel of left) panel.clear();
  result = together(said);
  tell();
  performance.clearMeasures("answered");
  performance.measure("answered", { start: begun });
  asking = false;
  busy();
}

// together is what is said of a panel, and of the findings beside it if they are missing.
function together([first, beside]) {
  return beside?.trouble ? { text: `${first.text} The findings are missing: ${beside.text}`, trouble: true } : first;
}

// actions are what entries lead to. A list that is about older texts has nothing fixed: it waits for the next one.
function actions() {
  const of = version;
  return {
    go: (f) => files.go(f.file, f.line, f.column),
    rule,
    fix: (f) => (of === version ? fix(f) : say("The text has changed since. Its findings are on their way.")),
  };
}

function showReport(answer) {
  report = answer;
  showFindings(report.findings, actions());
  files.mark(report.findings);
  return { text: summary(report) };
}

function clearFindings() {
  report = undefined;
  showFindings([], actions());
  files.mark([]);
}

function showConversions(answer) {
  offer(answer);
  converting.showConversions(files.all(), answer, actions());
  return converting.statement(answer);
}

function clearConversions() {
  offer(undefined);
  converting.clear();
}

function showVerdicts(answer) {
  judging.showObjects(answer, actions());
  return { text: judging.statement(answer) };
}

function useConversions() {
  if (!conversions) return;
  files.update(conversions);
  note("The texts are those of the result. Undo in the editor takes that back.");
}

// during waits for something, and says so. Whoever calls it calls busy after what comes of it, which may be the next question.
async function during(what, awaited) {
  acting++;
  doing = what;
  busy();
  tell();
  const answer = await awaited;
  acting--;
  tell();
  return answer;
}

// act asks what an action needs, and does the rest with the answer. Nothing is done if the text has changed since: whoever types
// has gone on to something else.
async function act(what, question, done) {
  const answer = await during(what, asked(question));
  if (answer) done(answer);
  busy();
}

const rule = (id) => act("Looking the rule up …", { ask: "page", rule: id, files: [] }, (page) => showRule(id, page));

// fix makes the fix of one finding.
function fix({ rule, file, line, column }) {
  act("Making the fix …", { ask: "edit", finding: { rule, file, line, column } }, ({ error, edits }) => {
    if (error) note(error, true);
    else if (edits.length === 0) note("This fix cannot be made in the text.", true);
    else files.edit(file, edits);
  });
}

function fixAll(unsafe) {
  act("Making the fixes …", { ask: "fix", unsafe }, ({ error, files: made, fixed, withheld }) => {
    if (error) return note(error, true);
    files.update(made);
    const left = withheld.length > 0 ? ` ${count(withheld.length, "fix was", "fixes were")} not made: ${withheld[0]}.` : "";
    note(`${count(fixed, "finding")} fixed.${left}`);
  });
}

// follow has the address follow what is seen, as soon as that rests.
function follow() {
  clearTimeout(following);
  following = setTimeout(address, rest);
}

// stay leaves the address as it is. It returns the number of what begins with it.
function stay() {
  clearTimeout(following);
  return ++follows;
}

// address has the address open what is seen, and returns the link. Of one that is too long it has nothing, rather than what was seen
// before. Texts that were replaced keep an address of their own, to which the browser goes back.
async function address() {
  const own = stay();
  const shown = { files: files.all(), mode, choices: Object.fromEntries(controls.map((c) => [c.id, choice(c)])) };
  const page = location.href.split("#")[0];
  const link = `${page}#${await packed(shown)}`;
  const fits = link.length <= longest;
  if (own !== follows) return link;
  const to = fits ? link : page;
  history[others && to !== location.href ? "pushState" : "replaceState"](null, "", to);
  others = false;
  if (fits) files.saved(shown.files);
  $("too-large").hidden = fits;
  return link;
}

async function share() {
  const link = await address();
  if (link.length > longest) return note(`The text is too large for a link: it would have ${link.length} characters, and programs cut links of more than ${longest}.`, true);
  try {
    await navigator.clipboard.writeText(link);
    note("The link is in the address bar and in the clipboard. The text is in it.");
  } catch {
    note("The link is in the address bar. The text is in it.");
  }
}

async function open(sources) {
  const { files: read, said } = await during("Reading the files …", reading.read(sources));
  if (read.length > 0) files.open(read);
  if (said) note(said, true);
  busy();
}

// show shows what an example or a link has.
function show({ files: all, mode: wanted }, isExample) {
  files.set(all, isExample);
  choose(wanted ?? "findings");
}

// visit shows what the address has, which is an example where it has nothing.
function visit(link) {
  for (const control of controls) setChoice(control, link?.choices?.[control.id]);
  show(link ?? examples[0], !link);
  $("too-large").hidden = true;
  others = false;
  stay();
}

const choose = tabs(document.querySelector("[role=tablist]"), (panel) => {
  mode = panel;
  notice = undefined;
  follow();
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
$("severity").addEventListener("change", () => report && showFindings(report.findings, actions()));
$("fix-safe").addEventListener("click", () => fixAll(false));
$("fix-all").addEventListener("click", () => fixAll(true));
for (const control of controls) control.addEventListener("change", follow);
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
  visit(link?.problem ? undefined : link);
  if (link?.problem) note(`${link.problem} This is an example.`, true);
}

// Where the address gets nothing that can be shown, it follows what is seen.
addEventListener("hashchange", async () => {
  const own = stay();
  const link = await shared();
  if (own !== follows) return;
  if (link?.problem) note(link.problem, true);
  if (link?.problem || (!link && location.hash)) follow();
  else visit(link);
});
addEventListener("beforeunload", (event) => {
  if (!files.unsaved) return;
  event.preventDefault();
  event.returnValue = true; // for browsers of 2023
});
await begin();
const built = await program.ask({ ask: "version" });
if (!built.error) $("version").textContent = `crdlift ${built.version}, with the API server's code ${built.judge}.`;
