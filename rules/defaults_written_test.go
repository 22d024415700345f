package rules

import (
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/lint"
)

// TestDefaultsWritten writes defaults into the objects of all fixtures: the server stores what it stored before, and there is nothing to
// write a second time.
func TestDefaultsWritten(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, f := range fixtures(t) {
		l := f.linter(t)
		o, is := l.Kind.(*objectpass.Objects)
		if !is || o.Against != nil {
			continue
		}
		written := o.PreviewAs(l, f.path, f.src, lint.As{Written: true})
		if written == nil || !written.Changed {
			continue
		}
		changed++
		if written.Added == 0 {
			t.Errorf("%s: no default is counted", f.path)
		}
		if again := o.PreviewAs(l, f.path, written.After, lint.As{Written: true}); again.Changed || again.Added > 0 {
			t.Errorf("%s: there are %d more defaults the second time", f.path, again.Added)
		}
		if before, after := stored(t, l, f.path, f.src), stored(t, l, f.path, written.After); !layout.Same(before, after) {
			t.Errorf("%s: the server stores\n%v\nand before it was\n%v", f.path, after, before)
		}
	}
	if changed < 4 {
		t.Errorf("only %d fixtures have defaults to write", changed)
	}
	t.Logf("wrote defaults into %d fixtures", changed)
}

// stored are the documents of a file as a server has their objects.
func stored(t *testing.T, l *engine.Linter, path string, src []byte) (all []any) {
	showing, run := *l.Kind.(*objectpass.Objects), *l
	showing.Preview, showing.Values = &lint.As{}, objectpass.AlwaysValues
	run.Kind = &showing
	for _, d := range manifest.Parse(path, objectpass.Preview(run.File(path, src)).After).Documents {
		if d.Root == nil {
			continue
		}
		value, err := layout.Value(d.Root.YNode())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, value)
	}
	return all
}
