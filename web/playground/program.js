// crdlift in a worker, seen from the page.

// How long an answer may take, in milliseconds, before the worker is ended and another one is started.
const patience = 20_000;

// A Program answers questions one after the other; they wait until it is there. Of those that wait, only the newest of each kind
// is asked: the answers to the others are undefined, as nobody waits for what was said of an older text.
export class Program {
  #url; // of the program
  #code; // address of the worker's code
  #worker; // undefined after one that did not start
  #module; // what the first worker compiled, for the next
  #ready = false;
  #waiting = new Map();
  #asked;
  #count = 0;

  // The worker gets its code from the page rather than from an address: only then the page's policy is the worker's, too, and the
  // two are always of the same build.
  constructor(url, code) {
    this.#url = url;
    this.#code = URL.createObjectURL(new Blob([code]));
    this.#begin();
  }

  // ask returns the answer: an object. Where there is none it has the member "error", and "ended" if no other question about
  // the same texts has an answer either. It is undefined where a newer question of the kind took its place.
  ask(question) {
    this.#waiting.get(question.ask)?.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.set(question.ask, { question, resolve });
      if (this.#worker) this.#next();
      else this.#begin();
    });
  }

  #begin() {
    this.#ready = false;
    this.#worker = new Worker(this.#code);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onmessageerror = () => this.#break("the browser cannot take it over from its worker");
    this.#worker.onerror = (event) => this.#break(event.message || "the browser does not run its worker");
    this.#worker.postMessage({ start: { url: this.#url, module: this.#module } });
  }

  #next() {
    if (!this.#ready || this.#asked || this.#waiting.size === 0) return;
    const [kind, entry] = this.#waiting.entries().next().value;
    this.#waiting.delete(kind);
    this.#asked = entry;
    entry.id = ++this.#count;
    entry.timer = setTimeout(() => this.#break(`it took longer than ${patience / 1000} s`), patience);
    this.#worker.postMessage({ id: entry.id, question: entry.question });
  }

  #hear(data) {
    if (data.broken !== undefined) return this.#break(data.broken);
    if (data.module) {
      this.#module = data.module;
      this.#ready = true;
    } else if (data.id === this.#asked?.id) {
      this.#settle(data.answer);
    }
    this.#next();
  }

  #settle(answer) {
    clearTimeout(this.#asked.timer);
    const { resolve } = this.#asked;
    this.#asked = undefined;
    resolve(answer);
  }

  // break ends the worker. One that had started is followed by another, which is not asked again what this one broke on.
  #break(why) {
    this.#worker.terminate();
    if (!this.#ready) return this.#fail(why);
    if (this.#asked) this.#settle({ error: `crdlift gave up on this text: ${why}. The text is as it was; crdlift tries again when something changes.`, ended: true });
    this.#begin();
  }

  // fail answers all questions with the reason why there is no worker. The next one starts another: memory may be there again, and
  // the network, too.
  #fail(why) {
    this.#worker = undefined;
    const error = `crdlift could not be started: ${why}. It tries again when something changes. Keep a copy of your text before you reload the page.`;
    for (const { resolve } of this.#waiting.values()) resolve({ error, ended: true });
    this.#waiting.clear();
  }
}
