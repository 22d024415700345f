package text

import (
	"path/filepath"
	"strings"
)

// PanicAt is the place in the source that panicked, by the stack that a deferred function has: the first frame below the
// runtime's.
func PanicAt(stack []byte) string {
	_, below, ok := strings.Cut(string(stack), "\npanic(")
	if !ok {
		return "unknown place"
	}
	for i, line := range strings.Split(below, "\n") {
		if i > 1 && strings.HasPrefix(line, "\t") {
			place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			return filepath.Base(filepath.Dir(place)) + "/" + filepath.Base(place)
		}
	}
	return "unknown place"
}
