// Texts with line numbers and colours. Each is in a shadow root: there, styles come from style sheets that scripts make, and the
// page's policy need not allow any in the document.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, lineNumbers, highlightActiveLine } from "@codemirror/view";
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
  ".cm-note": { maxWidth: "40rem", padding: "0.4rem 0.6rem", whiteSpace: "pre-wrap" },
  ".cm-completionIcon-deprecated + .cm-completionLabel": { textDecoration: "line-through" },
  ".cm-panels button, .cm-panels input": { color: "var(--text)", background: "var(--surface)", border: "1px solid var(--control)" },
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

// endingOf is what ends the lines of a text. The editor has lines only, whatever ended them in a file or in what is pasted, so
// that its lines are those that crdlift counts; a text whose lines end in several ways gets one of them.
export const endingOf = (text) => (/\r\n/.test(text) && !/[^\r]\n|^\n/.test(text) ? "\r\n" : "\n");

// textOf is the text of a state, with such ends of lines.
export const textOf = (state, ending) => state.doc.sliceString(0, state.doc.length, ending);

// edited is what edits make of a state, replaced what another text does. Either is one step of its history.
export const edited = (state, edits) => state.update({ changes: changes(state, edits) });
export const replaced = (state, text) => state.update({ changes: { from: 0, to: state.doc.length, insert: state.toText(text) } });

const changes = (state, edits) => edits.map((e) => ({
  from: offset(state.doc, e.line, e.column),
  to: offset(state.doc, e.endLine, e.endColumn),
  insert: state.toText(e.text),
}));

// An Editor shows one text at a time, and keeps for each its history and the place in it.
export class Editor {
  #view;
  #changed;
  #ask;

  // changed is called when the text is another one, and ask has crdlift asked about a place of it.
  constructor(host, changed, ask) {
    this.#changed = changed;
    this.#ask = ask;
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.#view = new EditorView({ parent, root });
  }

  // stateOf is the state of an editor that has a new text.
  stateOf(name, text) {
    const extensions = [
      history(),
      lintGutter(),
      highlightActiveLine(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, ...completionKeymap]),
      autocompletion({ override: [(context) => this.#complete(name, context)] }),
      hoverTooltip((view, at) => this.#explain(name, view.state.doc, at)),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${name}`, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#changed();
      }),
      lineNumbers(),
      yaml(),
      colours,
      theme,
      EditorView.lineWrapping,
    ];
    return EditorState.create({ doc: text, extensions });
  }

  // complete offers what may be written at a place, where somebody asks for it or types a word.
  async #complete(name, { state, pos, explicit }) {
    if (!explicit && !/[\w.:-] ?$/.test(state.doc.lineAt(pos).text.slice(0, pos - state.doc.lineAt(pos).from))) return null;
    const items = await this.#ask("complete", name, place(state.doc, pos));
    if (!Array.isArray(items) || items.length === 0) return null;
    const options = items.map((item, nth) => ({
      label: item.label,
      detail: item.detail,
      info: item.doc,
      type: item.deprecated ? "deprecated" : "property",
      boost: -Math.min(nth, 99),
      apply: item.text,
    }));
    return { from: offset(state.doc, items[0].line, items[0].column), to: offset(state.doc, items[0].endLine, items[0].endColumn), options };
  }

  // explain shows what there is to say about what is written at a place.
  async #explain(name, doc, at) {
    const note = await this.#ask("explain", name, place(doc, at));
    if (!note?.text) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "cm-note";
      dom.textContent = note.text.replaceAll("**", "");
      return { dom };
    };
    return { pos: offset(doc, note.line, note.column), end: offset(doc, note.endLine, note.endColumn), create };
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
    this.#view.dispatch(edited(this.#view.state, edits));
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

// place is where an offset is, as offset has it.
function place(doc, at) {
  const { number, text, from } = doc.lineAt(at);
  return { line: number, column: [...text.slice(0, at - from)].length + 1 };
}
