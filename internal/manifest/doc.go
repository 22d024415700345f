// Package manifest reads files of Kubernetes manifests and writes them back without losing a byte.
//
// A File is split into Documents; each document is parsed into kyaml nodes. Callers change the nodes as they like
// (add, remove, rename, move, copy, replace) and ask for Document.Edits: the byte ranges of the source that have to
// change, and their new text. The contract:
//
//   - A document whose tree nobody changed has no edits, whatever its bytes are.
//   - An entry (a mapping's key with its value, or a sequence's item) that nobody changed keeps its own text: comments,
//     blank lines, quoting, block scalars, line ends. If it moved or was copied, its lines are re-indented and that is
//     all. The comment lines above an entry belong to it and move with it. One header changes: that of a block scalar at
//     the end of a file without a line end, where something follows it.
//   - What changed is encoded anew, in the style of its surroundings: block or flow, indentation, quoting, line ends.
//   - Comments and blank lines of an entry that was deleted stay, in front of the next entry that stays. Only when the
//     items of a list give up an entry that one of them has moved elsewhere, a comment that it had in the same words
//     stays once.
//   - Parsing the edited text gives the changed tree. This is checked on every call, as is that no comment was lost and that
//     the same markers and directives stand around the content; where the edits fail the check, kyaml's encoder writes the
//     content, and the caller is told why. What it writes is checked alike. File.CheckNeighbours does so for the whole file.
//
// A node remembers where it came from by its Line and Column, which kyaml's own Copy keeps; nodes made anew have
// neither. Lines of nodes count from the start of the file, so that they also tell two documents apart.
//
// The package knows nothing about what the documents mean, CustomResourceDefinition or not.
package manifest
