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
