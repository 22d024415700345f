package lint

// Nearest is the word that was most likely meant by a misspelt one: the one with the fewest letters inserted, removed,
// replaced or swapped with their neighbour, if those are few for its length. It is "" when none is near.
func Nearest(word string, known []string) string {
	best, fewest := "", max(len(word)/3, 1)+1
	for _, k := range known {
		if d := distance(word, k, fewest); d < fewest {
			best, fewest = k, d
		}
	}
	return best
}

// distance counts the edits between two words; it may stop counting at a limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var before, above, row []int
	for i := range len(a) + 1 {
		before, above, row = above, row, make([]int, len(b)+1)
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
				continue
			case a[i-1] == b[j-1]:
				row[j] = above[j-1]
			default:
				row[j] = 1 + min(above[j-1], above[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
