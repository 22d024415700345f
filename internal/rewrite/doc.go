// Package rewrite writes the changed tree of a document without losing a byte of what nobody changed, and proves it.
//
// Callers change the nodes of a manifest.Document as they like (add, remove, rename, move, copy, replace) and ask its
// Writer for the byte ranges of the source that have to change, and their new text. The contract:
//
//   - A document whose tree nobody changed has no edits, whatever its bytes are.
//   - An entry (a mapping's key with its value, or a sequence's item) that nobody changed keeps its own text: comments,
//     blank lines, quoting, block scalars, line ends. If it moved or was copied, its lines are re-indented and that is
//     all. The comment lines above an entry belong to it and move with it. One header changes: that of a block scalar at
//     the end of a file without a line end, where something follows it.
//   - What changed is encoded anew, in the style of its surroundings: block or flow, indentation, quoting, line ends.
//   - Comments and blank lines of an entry that was deleted stay, before the next entry that stays. Only when the
//     items of a list give up an entry that one of them has moved elsewhere, a comment that it had in the same words
//     stays once.
//   - Parsing the edited text gives the changed tree. This is checked on every call, as is that no comment was lost and that
//     the same markers and directives stand around the content; where the edits fail the check, kyaml's encoder writes the
//     content, and the caller is told why. What it writes is checked alike. CheckNeighbours does so for the whole file.
//
// Read write.go first. edit.go is what comes out, proof.go what has to hold for it. source.go, element.go, divide.go and
// style.go are the document as it was read; print.go is the printer, plan.go, orphan.go and block.go what it does
// with blocks, flow_source.go and flow.go with brackets. encode.go is for what the printer cannot do.
package rewrite
