// Package rewrite writes the changed tree of a document, keeps every byte of its unchanged parts, and proves it.
//
// Callers change the nodes of a manifest.Document as they like (add, remove, rename, move, copy, replace) and ask its
// Writer for the byte ranges of the source to replace, and their new text. The contract:
//
//   - A document whose tree is unchanged has no edits, whatever its bytes are.
//   - An unchanged entry (a mapping's key with its value, or a sequence's item) keeps its own text: comments,
//     blank lines, quoting, block scalars, line ends. If it moved or was copied, its lines are only re-indented. The
//     comment lines above an entry belong to it and move with it. One header changes: that of a block scalar at the end
//     of a file without a line end, when something is added after it.
//   - A changed part is encoded anew, in the style of its surroundings: block or flow, indentation, quoting, line ends.
//   - Comments and blank lines of an entry that was deleted stay, before the next entry that stays. Only when the
//     items of a list give up an entry that one of them has moved elsewhere, a comment that both of them have stays
//     once.
//   - Parsing the edited text yields the changed tree. Every call checks this, and that all comments and the same
//     markers and directives are still there; where the edits fail the check, kyaml's encoder writes the content, and
//     the caller gets the reason. Its output is checked in the same way. CheckNeighbours does so for the whole file.
//
// Read write.go first. edit.go has the result, proof.go its proof. source.go, divide.go and style.go
// describe the document as it was read; print.go is the printer, with plan.go and block.go for blocks, and
// flow_source.go and flow.go for flow collections. encode.go writes scalars, and is the fallback where the printer fails.
// excerpt.go writes a small change of a large document.
package rewrite
