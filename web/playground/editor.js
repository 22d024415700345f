// Texts with line numbers and colours. Each is in a shadow root: there, styles come from style sheets that scripts make, and the
// page's policy need not allow any in the document.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { diff, unifiedMergeView } from "@codemirror/merge";
import { searchKeymap } from "@codemirror/search";
import { EditorState, Text } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, highlightActiveLine } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.9rem", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--selection) 35%, transparent)" },
  "&.cm-focused .cm-content ::selection, ::selection": { backgroundColor: "var(--selection)" },
  ".cm-diagnosticSource": { opacity: "1" },
  ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-panels button, .cm-panels input": { color: "var(--text)", background: "var(--surface)", border: "1px solid var(--control)" },
  ".cm-insertedLine": { backgroundColor: "var(--added)" },
  ".cm-changedLine": { backgroundColor: "var(--added) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed) !important" },
  "&.cm-merge-b .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: "none", textDecoration: "underline 1px" },
  ".cm-deletedChunk del": { textDecoration: "none" },
  ".cm-collapsedLines": { color: "var(--muted)", background: "var(--raised)" },
});

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.meta, tags.bool, tags.null], color: "var(--code-keyword)" },
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-name)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--code-comment)" },
  ]),
);

const common = [lineNumbers(), yaml(), colours, theme, EditorView.lineWrapping];

function show(host, extensions, doc) {
  const root = host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.append(parent);
  return new EditorView({ state: EditorState.create({ doc, extensions }), parent, root });
}

// endingOf is what ends the lines of a text. The editor has lines only, whatever ended them in a file or in what is pasted, so
// that its lines are those that crdlift counts; a text whose lines end in several ways gets one of them.
export const endingOf = (text) => (/\r\n/.test(text) && !/[^\r]\n|^\n/.test(text) ? "\r\n" : "\n");

// textOf is the text of a state, with such ends of lines.
export const textOf = (state, ending) => state.doc.sliceString(0, state.doc.length, ending);

// changesTo are what makes a state's text another one: no more than differs, so that the cursor and what is in view stay.
function changesTo(state, text) {
  const after = state.toText(text).toString();
  return diff(state.doc.toString(), after, { scanLimit: 500 }).map((c) => ({ from: c.fromA, to: c.toA, insert: after.slice(c.fromB, c.toB) }));
}

// changed is a state with another text, which is one step of its history.
export const changed = (state, text) => state.update({ changes: changesTo(state, text) }).state;

// An Editor shows one text at a time, and keeps for each its history and the place in it.
export class Editor {
  #view;
  #changed;

  constructor(host, changed) {
    this.#changed = changed;
    this.#view = show(host, [], "");
  }

  // stateOf is the state of an editor that has a new text.
  stateOf(name, text) {
    const extensions = [
      history(),
      lintGutter(),
      highlightActiveLine(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${name}`, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#changed();
      }),
      ...common,
    ];
    return EditorState.create({ doc: text, extensions });
  }

  get state() {
    return this.#view.state;
  }

  set state(state) {
    this.#view.setState(state);
  }

  focus() {
    this.#view.focus();
  }

  // mark underlines findings of the text that is shown.
  mark(findings) {
    const doc = this.#view.state.doc;
    const diagnostics = findings.map((f) => {
      const from = offset(doc, f.line, f.column);
      const to = Math.max(from, offset(doc, f.endLine, f.endColumn));
      return { from, to, severity: f.severity, source: f.rule, message: f.message };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  // go puts the cursor at a place of the text that is shown.
  go(line, column) {
    const at = offset(this.#view.state.doc, line, column);
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.#view.focus();
  }

  // edit makes edits of the text that is shown. They are one step of its history.
  edit(edits) {
    const state = this.#view.state;
    const changes = edits.map((e) => ({
      from: offset(state.doc, e.line, e.column),
      to: offset(state.doc, e.endLine, e.endColumn),
      insert: state.toText(e.text),
    }));
    this.#view.dispatch({ changes });
  }

  // change makes the text that is shown another one. It is one step of its history.
  change(text) {
    this.#view.dispatch({ changes: changesTo(this.#view.state, text) });
  }
}

// offset is where a place is in a text. Lines and columns count from 1, columns in code points.
function offset(doc, line, column) {
  if (line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  let units = 0;
  for (let left = column - 1; left > 0 && units < text.length; left--) units += text.codePointAt(units) > 0xffff ? 2 : 1;
  return from + units;
}

// unfold shows the equal lines that a difference folds: its own way to do that is a click.
function unfold(view) {
  for (const folded of view.contentDOM.querySelectorAll(".cm-collapsedLines")) folded.click();
  return true;
}

// Diffs are the differences that a panel shows.
export class Diffs {
  #views = [];

  // clear ends the editors of the differences: they hear of everything in the window, shown or not.
  clear() {
    for (const view of this.#views) view.destroy();
    this.#views = [];
  }

  // of is an element that shows the difference of two texts.
  of(label, before, after) {
    const host = document.createElement("div");
    host.className = "diff";
    const lines = (text) => Text.of(text.split(/\r\n?|\n/));
    const extensions = [
      ...common,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false), // or a phone shows its keyboard
      EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", "aria-description": "Enter unfolds equal lines", tabindex: "0" }),
      keymap.of([{ key: "Enter", run: unfold }]),
      unifiedMergeView({ original: lines(before), mergeControls: false, collapseUnchanged: { margin: 3, minSize: 8 } }),
    ];
    this.#views.push(show(host, extensions, lines(after)));
    return host;
  }
}
