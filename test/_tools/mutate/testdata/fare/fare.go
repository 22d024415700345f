// Package fare has a condition of each kind, some of which its test does not hold.
package fare

import "strings"

const adult = 3 + 4

// Price is what a ticket costs.
func Price(age int, name string, free []string, holiday bool) int {
	switch {
	case age < 6, age >= 65 && holiday:
		return 0
	}
	for _, f := range free {
		if f == name || !strings.Contains(name, " ") {
			return 1
		}
	}
	if isGroup(name) {
		return adult * len(name[1:])
	}
	return adult
}

func isGroup(name string) bool {
	if len(name) > 100 {
		return false
	}
	return strings.HasPrefix(name, "*")
}

func untested(a, b int) bool { return a != b }
