// The files that the page has, one of which the editor shows.
import { edited, endingOf, replaced, textOf } from "./editor.js";
import { $, button } from "./elements.js";

export class Files {
  #editor;
  #changed;
  #all = []; // {name, state, ending, elsewhere}: what the editor has, what ends the lines, the text that is outside of the page, too
  #shown = 0;
  #findings = [];
  #example; // the files of the example, while it may be untouched
  #earlier = []; // the files before they were replaced or one was removed, as often as that took somebody's own text

  constructor(editor, changed) {
    this.#editor = editor;
    this.#changed = changed;
  }

  // all are the files with their texts.
  all() {
    this.#keep();
    return this.#all.map((file) => ({ name: file.name, text: text(file) }));
  }

  // unsaved is whether there is text that would be lost with the page, as it is in no file, example or address.
  get unsaved() {
    this.#keep();
    return [...this.#all, ...this.#earlier.flatMap(({ all }) => all)].some((f) => f.state.doc.length > 0 && text(f) !== f.elsewhere);
  }

  // saved takes note that an address has such texts.
  saved(files) {
    const texts = new Map(files.map((f) => [f.name, f.text]));
    for (const file of this.#all) file.elsewhere = texts.get(file.name) ?? file.elsewhere;
  }

  // set replaces all files, by those of an example or by others. Files with somebody's own text can be brought back.
  set(files, isExample) {
    this.#earlier.push(...this.#own());
    this.#all = [];
    this.#add(files);
    this.#example = isExample ? files : undefined;
    this.#show(0);
    this.#changed(true);
  }

  // canBringBack is whether there are files from before.
  get canBringBack() {
    return this.#earlier.length > 0;
  }

  // bringBack replaces all files by the latest from before. Those that it replaces come last in turn, so that none is lost.
  bringBack() {
    const { all, shown } = this.#earlier.pop();
    this.#earlier.unshift(...this.#own());
    this.#all = all;
    this.#example = undefined;
    this.#show(shown);
    this.#changed(true);
    this.#editor.focus();
  }

  // open adds files. An example that nobody touched gives way to them, and so do empty texts; a file of the same name gets the
  // new text, which can be undone.
  open(files) {
    this.#keep();
    this.#all = this.#untouched() ? [] : this.#all.filter((f) => f.state.doc.length > 0);
    this.#example = undefined;
    const first = this.#all.length;
    const before = new Map(this.#all.map((f) => [f.name, f]));
    for (const file of files) {
      const same = before.get(file.name);
      before.delete(file.name);
      if (same) Object.assign(same, arrived(replaced(same.state, file.text).state, endingOf(file.text)));
      else this.#add([file]);
    }
    const at = this.#all.findIndex((f) => f.name === files[0].name);
    this.#show(at < 0 ? first : at);
    this.#changed(true);
  }

  // update makes edits of several files; those of each can be undone, and leave the cursor where it is.
  update(files) {
    this.#keep();
    for (const { name, edits } of files) {
      const at = this.#all.findIndex((f) => f.name === name && edits.length > 0);
      if (at < 0) continue;
      if (at === this.#shown) this.#editor.edit(edits);
      else this.#all[at].state = edited(this.#all[at].state, edits).state;
    }
    this.#changed();
  }

  // edit makes edits of a file, and shows it.
  edit(name, edits) {
    if (this.#showFile(name)) this.#editor.edit(edits);
  }

  // go shows a place. One in a file that is not there any more is nowhere.
  go(name, line, column) {
    if (this.#showFile(name)) this.#editor.go(line, column);
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

  // #untouched is whether the files are those of an example, as they were.
  #untouched() {
    const all = this.all();
    return this.#example?.length === all.length && this.#example.every((f, i) => f.name === all[i].name && f.text === all[i].text);
  }

  // #own is the files as they are, in a list; an empty one if there is nobody's own text in them.
  #own() {
    const own = !this.#untouched() && this.all().some((f) => f.text !== "");
    return own ? [{ all: this.#all, shown: this.#shown }] : [];
  }

  // #add adds files. Names of files are those of crdlift's answers, and differ.
  #add(files) {
    const taken = new Set(this.#all.map((f) => f.name));
    const numbers = new Map(); // the last of each name, as a link may have one name very often
    for (const { name, text } of files) {
      const wanted = name || "manifests.yaml";
      let unique = wanted;
      for (let n = numbers.get(wanted) ?? 1; taken.has(unique); unique = `${n}-${wanted}`) numbers.set(wanted, ++n);
      taken.add(unique);
      this.#all.push({ name: unique, ...arrived(this.#editor.stateOf(unique, text), endingOf(text)) });
    }
  }

  // #showFile shows a file, and returns whether it is there.
  #showFile(name) {
    const at = this.#all.findIndex((f) => f.name === name);
    if (at >= 0 && at !== this.#shown) {
      this.#keep();
      this.#show(at);
      this.mark(this.#findings);
    }
    return at >= 0;
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

  // #remove removes a file. It can be brought back with the others, whose later changes stay.
  #remove(at) {
    this.#earlier.push(...this.#own());
    this.#all = this.#all.filter((_, i) => i !== at);
    this.#show(Math.min(at, this.#all.length - 1));
    this.#changed(true);
    this.#editor.focus();
  }
}

const text = ({ state, ending }) => textOf(state, ending);

// arrived is what is kept of a text that has come from outside.
const arrived = (state, ending) => ({ state, ending, elsewhere: textOf(state, ending) });
