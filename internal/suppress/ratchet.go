package suppress

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// DropKnown drops the findings of a report that an older one has, too: those of the same rule about the same part of a
// CRD of that name, in whichever file and at whichever index of a list. Of several about one part, as many are dropped
// as the older report has, those with the same message first; so a finding about fewer things than before is not new.
// An older finding that was ignored does not count. Findings about the change itself are always new. What is only counted is new
// if no file of the earlier version had it.
func DropKnown(r, older *lint.Report) {
	type words struct{ name, message string }
	said, known := map[words]int{}, map[string]int{}
	for _, f := range older.Findings {
		if f.Ignored == "" {
			for _, name := range names(f) {
				said[words{name, f.Message}]++
				known[name]++
			}
		}
	}
	drop := func(is func(name string, f *lint.Finding) bool) {
		r.Findings = slices.DeleteFunc(r.Findings, func(f *lint.Finding) bool {
			name := names(f)[0]
			if f.Rule.NeedsOld || f.Ignored != "" || !is(name, f) {
				return false
			}
			known[name]--
			return true
		})
	}
	drop(func(name string, f *lint.Finding) bool {
		said[words{name, f.Message}]--
		return said[words{name, f.Message}] >= 0
	})
	drop(func(name string, _ *lint.Finding) bool { return known[name] > 0 })
	for _, f := range older.LeftOut {
		for _, name := range names(f) {
			known[name]++
		}
	}
	r.LeftOut = slices.DeleteFunc(r.LeftOut, func(f *lint.Finding) bool {
		_, had := known[names(f)[0]]
		return had && !f.Rule.NeedsOld
	})
}

// names are those by which a finding is found again: several for what v1beta1 says once for all versions.
func names(f *lint.Finding) []string {
	all := make([]string, len(f.Stable))
	for i, path := range f.Stable {
		all[i] = strings.Join([]string{f.Rule.ID, f.Resource, path}, "\x00")
	}
	if len(all) == 0 { // it is of no CRD, or of a part of one
		all = []string{strings.Join([]string{f.Rule.ID, f.Resource, f.Path}, "\x00")}
	}
	return all
}
