// The files that the page has, one of which the editor shows.
import { changed, textOf } from "./editor.js";
import { $, button } from "./elements.js";

export class Files {
  #editor;
  #changed;
  #all = [];
  #shown = 0;
  #findings = [];

  constructor(editor, changed) {
    this.#editor = editor;
    this.#changed = changed;
  }

  // all are the files with their texts.
  all() {
    this.#keep();
    return this.#all.map(({ name, state }) => ({ name, text: textOf(state) }));
  }

  // set replaces all files.
  set(files) {
    this.#all = [];
    this.#add(files);
    this.#show(0);
    this.#changed();
  }

  // open adds files, in the place of those with the same names and of texts that are empty.
  open(files) {
    this.#keep();
    const names = new Set(files.map((f) => f.name));
    this.#all = this.#all.filter(({ name, state }) => !names.has(name) && state.doc.length > 0);
    this.#add(files);
    this.#show(this.#all.length - files.length);
    this.#changed();
  }

  // update changes the texts of files; each change can be undone.
  update(files) {
    this.#keep();
    for (const { name, text } of files) {
      const file = this.#all.find((f) => f.name === name);
      if (file && textOf(file.state) !== text) file.state = changed(file.state, text);
    }
    this.#show(this.#shown);
    this.#changed();
  }

  // edit makes edits of a file, and shows it.
  edit(name, edits) {
    this.#showFile(name);
    this.#editor.edit(edits);
  }

  // go shows a place.
  go(name, line, column) {
    this.#showFile(name);
    this.#editor.go(line, column);
  }

  // mark underlines findings.
  mark(findings) {
    this.#findings = findings;
    const name = this.#all[this.#shown].name;
    this.#editor.mark(findings.filter((f) => f.file === name && !f.ignored));
  }

  // #keep keeps what the editor has of the file that it shows.
  #keep() {
    if (this.#all[this.#shown]) this.#all[this.#shown].state = this.#editor.state;
  }

  // #add adds files. Names of files are those of crdlift's answers, and differ.
  #add(files) {
    for (const { name, text } of files) {
      let unique = name || "manifests.yaml";
      for (let n = 2; this.#all.some((f) => f.name === unique); n++) unique = `${n}-${name}`;
      this.#all.push({ name: unique, state: this.#editor.stateOf(unique, text) });
    }
  }

  #showFile(name) {
    const at = this.#all.findIndex((f) => f.name === name);
    if (at < 0 || at === this.#shown) return;
    this.#keep();
    this.#show(at);
    this.mark(this.#findings);
  }

  #show(at) {
    this.#shown = at;
    this.#editor.state = this.#all[at].state;
    const chips = this.#all.map(({ name }, i) => button(name, () => this.#showFile(name), { "aria-pressed": String(i === at) }));
    if (this.#all.length > 1) chips.push(button(`Remove ${this.#all[at].name}`, () => this.#remove(at), { class: "link" }));
    const focused = $("files").contains(document.activeElement);
    $("files").replaceChildren(...chips);
    if (focused) chips[at].focus();
  }

  #remove(at) {
    this.#all.splice(at, 1);
    this.#show(Math.min(at, this.#all.length - 1));
    this.#changed();
    this.#editor.focus();
  }
}
