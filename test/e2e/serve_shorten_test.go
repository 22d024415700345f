package e2e

import (
	"fmt"
	"os"
	"strings"
)

// shorten leaves out steps of a script as long as a difference of the same class remains, and shows what is left.
func (d *duet) shorten(group, name string, script []step, found deviation) string {
	runs, most := 0, 40
	if os.Getenv("NOSHORT") != "" {
		most = 0
	}
	for i := len(script) - 1; i >= 0 && runs < most; i-- {
		without := append(append([]step{}, script[:i]...), script[i+1:]...)
		runs++
		for _, one := range d.differences(group, fmt.Sprintf("s%s-%d-%x", name, runs, len(found.class)), without) {
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
