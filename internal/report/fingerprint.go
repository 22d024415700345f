package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// fingerprints name the findings of a report, in its order, so that a service recognises one in a later run: rule, file,
// CRD, path and custom resource make a name, and a number distinguishes those with the same name. Lines and messages are not part of it,
// so that neither an edit elsewhere in the file nor a reworded message makes a finding new. docs/outputs.md promises
// this.
func fingerprints(r *lint.Report) []string {
	seen := map[string]int{}
	out := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		parts := []string{f.Rule.ID, f.Pos.File, f.Resource, f.Path}
		if f.Object != nil {
			parts = append(parts, f.Object.ID())
		}
		name := strings.Join(parts, "\x00")
		seen[name]++
		sum := sha256.Sum256([]byte(name + "\x00" + strconv.Itoa(seen[name])))
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}
