package rules

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
)

// some lists the first few of many names.
func some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// quoted is a value of the user's in a message: in quotes, and cut where it is long.
func quoted(v any) string { return fmt.Sprintf("%.60q", fmt.Sprint(v)) }

// lastField is the last field or key of a path, without indexes behind it: "shortNames" for spec.names.shortNames[0].
func lastField(path string) string {
	steps := crd.Steps(path)
	for len(steps) > 1 && isIndex(steps[len(steps)-1]) {
		steps = steps[:len(steps)-1]
	}
	if len(steps) == 0 {
		return ""
	}
	return steps[len(steps)-1]
}

func isIndex(step string) bool { return step != "" && strings.Trim(step, "0123456789") == "" }

// names lists the first of many names, as many as fit a message.
func names(all []string) string {
	const most = 72
	few, length := 0, 0
	for few < len(all) && few < 4 {
		if length += len([]rune(all[few])) + 2; few > 0 && length > most {
			break
		}
		few++
	}
	return some(all, few)
}
