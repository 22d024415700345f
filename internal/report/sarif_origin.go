package report

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// addOrigin adds the place in Go types to the result of a finding: as the last of its related locations or, where it comes
// first, as its location, and then the one in the manifest is related. The message links to the related one, since GitHub
// shows only those. What names the CRD and the path in it stays. A place in another module is only told.
func (r *sarifResult) addOrigin(f *lint.Finding, first bool) {
	if f.Origin.InModule { // a file that readers of the log do not have
		r.Message.Text += "; Go: " + sarifMessage(origin(f.Origin)).Text
		return
	}
	told, id := origin(f.Origin), len(r.Related)+1
	place, message := sarifPlace(f.Origin.Pos), sarifMessage(told)
	if first {
		at := &r.Locations[0].Physical
		place, *at = *at, place
		message.Text = "the generated manifest"
		r.Message.Text += "; Go: " + sarifMessage(told).Text + "; manifest: " + sarifLink(where(f.Pos), id)
	} else {
		at := where(f.Origin.Pos)
		r.Message.Text += "; Go: " + sarifLink(at, id) + sarifMessage(strings.TrimPrefix(told, at)).Text
	}
	r.Related = append(r.Related, sarifLocation{ID: &id, Physical: place, Message: &message})
	if len(f.Origin.Edits) > 0 {
		r.Fixes = []sarifFix{sarifMarkersOf(f.Origin)}
	}
}

// sarifLink is a link to a related location, section 3.11.6.
func sarifLink(s string, id int) string {
	return fmt.Sprintf("[%s](%d)", strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s), id)
}

// sarifMarkersOf is the change of markers that fixes a finding.
func sarifMarkersOf(o *lint.Origin) sarifFix {
	var changes []sarifChange
	for _, edits := range grouped[[]lint.FileEdit](o.Edits, func(e lint.FileEdit) string { return e.File }) {
		var here []lint.TextEdit
		for _, e := range edits {
			here = append(here, e.TextEdit)
		}
		changes = append(changes, sarifChangeOf(edits[0].File, here))
	}
	title := "change the markers in Go: " + origin(o) + "; then run " + text.Harmless(o.Generator) + " again"
	return sarifFix{sarifText{Text: title}, changes, map[string]bool{"safe": o.Safe}}
}
