// A link with the text in it, in the part behind the #, which browsers do not send: JSON, packed by deflate, in base64url.
import { largest, most } from "./read.js";

// How long a link may be. Browsers take more; chats, mails and trackers cut what is longer.
export const longest = 32_000;

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

// packed is the fragment for what the page shows: {files: [{name, text}], mode}.
export async function packed(shown) {
  const bytes = await new Response(through(new TextEncoder().encode(JSON.stringify(shown)), new CompressionStream("deflate-raw"))).arrayBuffer();
  let binary = "";
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// unpacked is what a fragment has in it. For one that is none of ours, that was cut, or that has more in it than the page takes,
// it is {problem}.
export async function unpacked(fragment) {
  if (fragment.length > longest) return { problem: "The link is longer than the page makes any." };
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const text = await inflated(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    if (text === undefined) return { problem: `The link has more in it than the ${largest / 1e6} MB that the page takes.` };
    const shown = JSON.parse(text);
    if (shown.files?.length > most) return { problem: `The link has more files in it than the ${most} that the page takes.` };
    if (Array.isArray(shown.files) && shown.files.length > 0 && shown.files.every((f) => typeof f.name === "string" && typeof f.text === "string")) return shown;
  } catch {
    // which is no link of ours either
  }
  return { problem: "The link has no text that can be read: it may have been cut." };
}

// inflated is a text that was packed; undefined for one that is too large, of which no more is unpacked. A few bytes can be
// gigabytes.
async function inflated(bytes) {
  const parts = [];
  let size = 0;
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > largest) {
      reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}
