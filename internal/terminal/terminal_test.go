package terminal

import (
	"bytes"
	"os"
	"testing"
)

func TestColorDiff(t *testing.T) {
	diff := "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n \tcontext\r\n-\x1b]0;old\n+new\n"
	want := "\x1b[1m--- a/f\x1b[22m\n\x1b[1m+++ b/f\x1b[22m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n" +
		" \tcontext\n\x1b[31m-\\x1b]0;old\x1b[0m\n\x1b[32m+new\x1b[0m\n"
	if got := string(Diff([]byte(diff))); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestWantsColor(t *testing.T) {
	for _, tt := range []struct {
		no, force string
		want      bool
	}{
		{"", "", false}, {"", "1", true}, {"", "0", false}, {"", "false", false}, {"1", "", false}, {"1", "1", false},
	} {
		t.Setenv("NO_COLOR", tt.no)
		t.Setenv("FORCE_COLOR", tt.force)
		if got := WantsColor(&bytes.Buffer{}); got != tt.want {
			t.Errorf("NO_COLOR=%s FORCE_COLOR=%s: got %v", tt.no, tt.force, got)
		}
	}
	if Is(os.NewFile(^uintptr(0), "closed")) {
		t.Error("a closed file is no terminal")
	}
}
