package rules

import (
	"fmt"
	"strings"
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

// short is a path in a message: the end of one that is long, which tells more than its beginning.
func short(path string) string {
	runes := []rune(path)
	if len(runes) > 50 {
		return "…" + string(runes[len(runes)-49:])
	}
	return path
}
