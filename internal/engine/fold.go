package engine

import "github.com/crdlift/crdlift/lint"

// Together ties findings of a rule that say the same of several places of a CRD. Each is one of its own, with its place,
// its message and its fix; outputs for people make one entry of them.
func Together(findings []*Finding) {
	if len(findings) < 2 {
		return
	}
	for _, f := range findings {
		f.first = findings[0]
	}
}

// Folded puts findings that are tied together and as severe into one list, at the place of the first of them: a warning
// among infos is not lost. Every other finding is alone in its list.
func Folded(findings []*Finding) [][]*Finding {
	var all [][]*Finding
	type entry struct {
		first    *Finding
		severity lint.Severity
	}
	index := map[entry]int{}
	for _, f := range findings {
		if f.first == nil {
			all = append(all, []*Finding{f})
			continue
		}
		key := entry{f.first, f.Severity}
		i, known := index[key]
		if !known {
			i = len(all)
			index[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}
