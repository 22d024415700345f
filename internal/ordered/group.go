package ordered

// Grouped puts items with the same key together, in the order of the first of each.
func Grouped[S ~[]T, T any, K comparable](items S, key func(T) K) (groups []S) {
	nth := map[K]int{}
	for _, item := range items {
		k := key(item)
		i, known := nth[k]
		if !known {
			i = len(groups)
			nth[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}
