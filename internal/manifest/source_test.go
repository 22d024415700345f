package manifest

import (
	"testing"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// TestHide: what is to be hidden is asked for once, when a line is shown, and not at all after Done.
func TestHide(t *testing.T) {
	t.Parallel()
	f := Split("a.yaml", []byte("user: me\npassword: hunter2\n"))
	asked := 0
	hide := func() []lines.Span {
		asked++
		return []lines.Span{{Start: 19, End: 26}}
	}
	f.Hide(hide)
	f.Done()
	if got := f.SourceAt(lint.Position{Line: 1, Column: 1}).Excerpt; got != "user: me" || asked != 0 {
		t.Errorf("got %q, asked %d times", got, asked)
	}
	f.Hide(hide)
	for range 2 {
		if got := f.SourceAt(lint.Position{Line: 2, Column: 1}).Excerpt; got != "password: *******" || asked != 1 {
			t.Errorf("got %q, asked %d times", got, asked)
		}
	}
}
