package lint

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

// Folded puts findings that are tied together into one list, at the place of the first of them. Every other finding is
// alone in its list.
func Folded(findings []*Finding) [][]*Finding {
	var all [][]*Finding
	index := map[*Finding]int{}
	for _, f := range findings {
		if f.first == nil {
			all = append(all, []*Finding{f})
			continue
		}
		i, known := index[f.first]
		if !known {
			i = len(all)
			index[f.first] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}
