package lint

// Folded puts findings that are tied together and as severe into one list, at the place of the first of them: a warning
// among infos is not lost. Every other finding is alone in its list.
func Folded(findings []*Finding) [][]*Finding {
	var all [][]*Finding
	type entry struct {
		first    *Finding
		severity Severity
	}
	index := map[entry]int{}
	for _, f := range findings {
		if f.First == nil {
			all = append(all, []*Finding{f})
			continue
		}
		key := entry{f.First, f.Severity}
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
