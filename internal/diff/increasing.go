package diff

import "slices"

// LongestIncreasing returns the positions of a longest increasing subsequence, passing over negative values.
func LongestIncreasing(values []int) []int {
	var tails []int // tails[k] is the position that ends the best subsequence of length k+1
	before := make([]int, len(values))
	for i, v := range values {
		if v < 0 {
			continue
		}
		k, _ := slices.BinarySearchFunc(tails, v, func(t, v int) int { return values[t] - v })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var chosen []int
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		chosen = append(chosen, i)
	}
	slices.Reverse(chosen)
	return chosen
}
