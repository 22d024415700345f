package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// fingerprints name the findings of a report, in its order, so that a service recognises one in a later run: rule, file,
// CRD and path make a name, and a number distinguishes those with the same name. Lines and messages are not part of it,
// so that neither an edit elsewhere in the file nor a reworded message makes a finding new. docs/outputs.md promises
// this.
func fingerprints(r *lint.Report) []string {
	seen := map[string]int{}
	out := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		name := strings.Join([]string{f.Rule.ID, f.Pos.File, f.Resource, f.Path}, "\x00")
		seen[name]++
		sum := sha256.Sum256([]byte(name + "\x00" + strconv.Itoa(seen[name])))
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}
