// What a person opens or drops: files, and folders with what is below them.
import { count } from "./elements.js";

// How much the page takes, in bytes and in files. crdlift would need more time for more than anybody waits.
export const largest = 4_000_000;
export const most = 200;

// Nothing of a file is replaced or left out: no byte order mark, and nothing that is not UTF-8.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const manifest = /\.(ya?ml|json)$/i;

// chosen are the files of a field.
export async function* chosen(files) {
  for (const file of files) yield { name: file.name, get: () => file };
}

// dropped are the files of what was dropped. It is called while the event is handled, after which the browser has none of it.
export function dropped(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  return below(items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() })));
}

async function* below(all) {
  for (const { entry, file } of all) {
    if (entry?.isDirectory) yield* inFolder(entry);
    else yield { name: file.name, get: () => file };
  }
}

async function* inFolder(folder) {
  const reader = folder.createReader();
  const entries = [];
  for (let some; some?.length !== 0; entries.push(...some)) some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries.filter((e) => !e.name.startsWith("."))) {
    if (entry.isDirectory) yield* inFolder(entry);
    else yield { name: entry.fullPath.slice(1), get: () => new Promise((resolve, reject) => entry.file(resolve, reject)) };
  }
}

// read reads manifests. It returns the files that it has read, {name, text}, and what there is to say about the others.
export async function read(sources) {
  const files = [];
  const said = [];
  let others = 0;
  let size = 0;
  try {
    for await (const { name, get } of sources) {
      if (!manifest.test(name)) {
        others++;
        continue;
      }
      try {
        const file = await get();
        size += file.size;
        if (size > largest || files.length === most) return { files: [], said: `Nothing was opened: the page takes ${most} files with ${largest / 1e6} MB at most.` };
        files.push({ name, text: utf8.decode(await file.arrayBuffer()) });
      } catch (error) {
        said.push(`${name} ${error instanceof TypeError ? "is not in UTF-8" : "could not be read"}.`);
      }
    }
  } catch {
    said.push("A folder could not be read.");
  }
  if (others > 0) said.push(`${count(others, "file was", "files were")} skipped: only .yaml, .yml and .json are read.`);
  if (files.length + said.length === 0) said.push("There is no file in it.");
  return { files, said: said.join(" ") };
}
