package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestNowAndThen: a log without a terminal says how far a long test is, and nothing of a short one.
func TestNowAndThen(t *testing.T) {
	t.Parallel()
	for patience, want := range map[time.Duration]string{0: "a.example.com: none of 1 object tried yet\nb.example.com: 3 of 9 objects tried\n", time.Hour: ""} {
		var said strings.Builder
		tell := nowAndThen(patience, func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) })
		tell("a.example.com", 0, 1)
		tell("b.example.com", 3, 9)
		if said.String() != want {
			t.Errorf("after %s: %q, want %q", patience, said.String(), want)
		}
	}
}
