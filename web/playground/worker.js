// The worker in which crdlift runs. It is started with the program, or with what an earlier worker compiled of it, and then
// answers one question after the other.
import "wasm_exec";

let answer;
const ready = new Promise((resolve) => {
  globalThis.crdliftReady = (ask) => {
    answer = ask;
    resolve();
  };
});

// The program is packed by gzip: hosts do not pack WebAssembly well, or not at all, and every browser unpacks gzip while it
// compiles.
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const program = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(program, { headers: { "Content-Type": "application/wasm" } }));
}

async function start({ url, module }) {
  module ??= await compile(url);
  const go = new globalThis.Go();
  const ended = go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => {
    throw new Error("crdlift ended");
  });
  await Promise.race([ready, ended]);
  return module;
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
    postMessage({ id: data.id, broken: String(error) });
  }
};
