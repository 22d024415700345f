package e2e

import (
	"fmt"
	"strings"
)

// shorten leaves out steps of a script as long as a difference of the same class remains, and shows what is left.
func (d *duet) shorten(group, name string, script []step, found deviation) string {
	runs := 0
	for i := len(script) - 1; i >= 0 && runs < 40; i-- {
		without := append(append([]step{}, script[:i]...), script[i+1:]...)
		runs++
		for _, one := range d.differences(group, fmt.Sprintf("s%s-%d-%d", name, runs, len(found.class)), without) {
			if one.class == found.class {
				script, found = without, one
				break
			}
		}
	}
	var b strings.Builder
	for i, s := range script {
		fmt.Fprintf(&b, "  %d. %s: %s %s %.300s\n", i, s.about, s.method, s.path, s.body)
	}
	return fmt.Sprintf("sequence %s\n%s%s", name, &b, found.example)
}
