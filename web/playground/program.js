// crdlift in a worker, seen from the page.

// How long an answer may take, in milliseconds, before the worker is ended and another one is started.
const patience = 20_000;

// A Program answers questions one after the other. Of those that wait, only the newest of each kind is asked: the answers to
// the others are undefined, as nobody waits for what was said of an older text.
export class Program {
  #url;
  #tell; // is told of each state: "loading", "ready", or why the worker was ended
  #code; // address of the worker's code
  #worker;
  #module; // what the first worker compiled, for the next
  #ready = false;
  #waiting = new Map();
  #asked;
  #count = 0;

  constructor(url, tell) {
    this.#url = url;
    this.#tell = tell;
  }

  // start fetches the code of the worker and starts it. The worker gets its code from the page rather than from an address, as
  // only then the page's policy is the worker's, too.
  async start(code) {
    this.#code = URL.createObjectURL(await (await fetch(code)).blob());
    this.#begin();
  }

  #begin() {
    this.#ready = false;
    this.#tell("loading");
    this.#worker = new Worker(this.#code);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#break(event.message);
    this.#worker.postMessage({ start: { url: this.#url, module: this.#module } });
  }

  // ask returns the answer: an object, with the member "error" where there is none. It is undefined where a newer question of
  // the kind took its place.
  ask(question, kind = question.ask) {
    this.#waiting.get(kind)?.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.set(kind, { question, resolve });
      this.#next();
    });
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
      this.#tell("ready");
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

  // break ends the worker. Without a compiled program there is nothing to start again: it could not be loaded.
  #break(why) {
    this.#worker.terminate();
    if (!this.#module) return this.#tell(`crdlift could not be started: ${why}`);
    if (this.#asked) this.#settle({ error: `crdlift gave up on this text: ${why}. It was started again; the text is as it was.` });
    this.#begin();
  }
}
