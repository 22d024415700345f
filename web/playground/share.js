// A link with the text in it, in the part behind the #, which browsers do not send: JSON, packed by deflate, in base64url.

// How long a link may be. Browsers take more; chats, mails and trackers cut what is longer.
export const longest = 32_000;

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// packed is the fragment for what the page shows: {files: [{name, text}], mode}.
export async function packed(shown) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shown)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// unpacked is what a fragment has in it; undefined for one that is none of ours, or that was cut.
export async function unpacked(fragment) {
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(binary, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    const shown = JSON.parse(new TextDecoder().decode(bytes));
    const sound = Array.isArray(shown.files) && shown.files.length > 0 && shown.files.every((f) => typeof f.name === "string" && typeof f.text === "string");
    return sound ? shown : undefined;
  } catch {
    return undefined;
  }
}
