package suite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// FuzzRead reads anything as a suite: there is no panic, and what is wrong has a place.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, one := range txtar.Parse(src).Files {
			f.Add(string(one.Data))
		}
	}
	f.Add("crdtest: v1\ncases: &c\n- {name: a, then: *c}\n")
	f.Add("crdtest: v1\nbase: {}\ncases:\n- {name: a, at: 'a[0][b]', accept: [{<<: {a: 1}}], kubernetes: }\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("large")
		}
		for _, d := range manifest.Parse("a.crdtest.yaml", []byte(text)).Documents {
			if d.Root == nil {
				continue
			}
			s := suite.Read(d)
			if s == nil {
				continue
			}
			for _, p := range s.Wrong {
				if p.At == nil || p.Message == "" {
					t.Errorf("%q has no place, or says nothing", p.Message)
				}
			}
			if len(s.Wrong) == 0 && len(s.All()) == 0 {
				t.Error("a suite without cases is not wrong")
			}
		}
	})
}

// FuzzParsePath reads paths that are shown as they are written.
func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{"spec.rules[0].name", "metadata.labels[example.com/team]", "a[b[c]].d", "[0]", "a..b", "a[]", "[[", "a[-1]", "a[01]", "spec[a.b].c[2]", "é[ ]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, written string) {
		p := suite.ParsePath(written)
		if p == nil {
			return
		}
		shown := p.String()
		again := suite.ParsePath(shown)
		if again.Compare(p) != 0 {
			t.Errorf("%q is %#v, which shows as %q, and that is %#v", written, p, shown, again)
		}
		if q := append(request.Path{request.Key("a")}, p...); suite.ParsePath(q.String()).Compare(q) != 0 {
			t.Errorf("%#v shows as %q", q, q)
		}
	})
}
