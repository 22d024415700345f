// The worker in which crdlift runs. It is started with the program, or with what an earlier worker compiled of it, and then
// answers one question after the other.
import { Decompress } from "fzstd";
import "wasm_exec";

let answer;
const ready = new Promise((resolve) => {
  globalThis.crdliftReady = (ask) => {
    answer = ask;
    resolve();
  };
});

// unpacked is the program as it comes in: it is compiled while it is loaded. It is packed by zstd, three tenths smaller than by
// gzip, which is all that every browser unpacks by itself.
function unpacked(packed) {
  let unpack;
  return packed.pipeThrough(new TransformStream({
    start(out) {
      unpack = new Decompress((bytes) => out.enqueue(bytes));
    },
    transform(bytes) {
      unpack.push(bytes);
    },
    flush() {
      unpack.push(new Uint8Array(), true);
    },
  }));
}

async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${`${response.status} ${response.statusText}`.trim()}`); // HTTP/2 has no such text
  return WebAssembly.compileStreaming(new Response(unpacked(response.body), { headers: { "Content-Type": "application/wasm" } }));
}

async function start({ url, module }) {
  if (!globalThis.WebAssembly) throw new Error("the browser has no WebAssembly, or it is switched off");
  module ??= await compile(url);
  const go = new globalThis.Go();
  const ended = go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => {
    throw new Error("it ended");
  });
  await Promise.race([ready, ended]);
  return module;
}

// reason says what a person can make of an error. Go's calls are those of WebAssembly, whose stack browsers keep small; at the
// start there is none that is deep, but much memory is asked for.
function reason(error, starting) {
  if (error instanceof RangeError || error?.name === "InternalError") {
    return starting ? "it takes more memory than the browser has left" : "it is nested too deeply for a browser";
  }
  if (globalThis.WebAssembly && error instanceof WebAssembly.RuntimeError) return "it takes more memory than a browser has, or meets a mistake in crdlift";
  return error?.message ?? String(error);
}

// Whatever is thrown ends the worker: of a program that was interrupted somewhere nothing is known.
onmessage = async ({ data }) => {
  try {
    if (data.start) {
      postMessage({ module: await start(data.start) });
    } else {
      postMessage({ id: data.id, answer: JSON.parse(answer(JSON.stringify(data.question))) });
    }
  } catch (error) {
    postMessage({ id: data.id, broken: reason(error, Boolean(data.start)) });
  }
};

onmessageerror = () => postMessage({ broken: "the browser cannot hand it over to its worker" });
