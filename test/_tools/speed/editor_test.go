package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEditor holds a language server to what it may take: what is too much each time fails, and what is so once does not.
func TestEditor(t *testing.T) {
	t.Parallel()
	const lint = 100 * time.Millisecond
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		sessions []sample // the last again and again
		err      error
		measured int
		want     string // of the error
	}{
		"as much as it may take": {sessions: []sample{{cpu: 150 * time.Millisecond, memory: 250 * megabyte}}, measured: 1},
		"a busy machine":         {sessions: []sample{{cpu: 400 * time.Millisecond}, {cpu: 200 * time.Millisecond}, {cpu: 120 * time.Millisecond}}, measured: 3},
		"too slow":               {sessions: []sample{{cpu: 151 * time.Millisecond}}, measured: 7, want: "1.5 times"},
		"too large":              {sessions: []sample{{cpu: lint, memory: 250*megabyte + 1}}, measured: 7, want: "250 MB"},
		"broken":                 {sessions: []sample{{}}, err: broken, measured: 1, want: "broken"},
	} {
		measured := 0
		measure := func(_ context.Context, c contestant, folder string) (sample, error) {
			files, err := os.ReadDir(folder)
			if len(files) != editorCRDs || !slices.Contains(c.args, "lint") {
				t.Errorf("%s: %v of %d files", name, c.args, len(files))
			}
			return sample{cpu: lint}, err
		}
		b := &bench{ctx: t.Context(), dir: t.TempDir(), measure: measure}
		err := b.editor(func(string) (sample, error) {
			measured++
			return test.sessions[min(measured, len(test.sessions))-1], test.err
		}, io.Discard)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) || measured != test.measured {
			t.Errorf("%s: %v after %d sessions", name, err, measured)
		}
	}
}
