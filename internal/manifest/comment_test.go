package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestComments finds every comment whose text begins with `#!` and abbreviates the entry that the comment belongs to.
func TestComments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"above a key", "a:\n  #! b\n  b: 1\n  c: 2\n", []string{"b: 1"}},
		{"above a key that has a block", "a: 1\n#! b\nb:\n  c: |\n    #! none\n  d: '#! none'\nf: 2\n", []string{"b: c: | #! none d: '#! none'"}},
		{"several above one", "a:\n  #! one\n  # two\n\n  #! three\n  b: 1\n", []string{"b: 1", "b: 1"}},
		{"less indented", "a:\n#! b\n  b: 1\n", []string{"b: 1"}},
		{"at the end of a collection", "a:\n  b: 1\n  #! of a\nc: 2\n", []string{"nothing"}},
		{"at the end", "a: 1\n#! end\n", []string{"nothing"}},
		{"above an item", "a:\n#! i\n- b: 1\n  c: 2\n#! j\n- d: 3\n", []string{"b: 1 c: 2", "d: 3"}},
		{"above an indented item", "a:\n  #! i\n  - b: 1\n    c: 2\n  - d: 3\n", []string{"b: 1 c: 2"}},
		{"inside an item", "a:\n- b: 1\n  #! c\n  c: 2\n- d: 3\n", []string{"c: 2"}},
		{"behind a dash", "a:\n- #! i\n  b: 1\n  c: 2\n", []string{"b: 1 c: 2"}},
		{"below a dash", "a:\n-\n  #! b\n  b: 1\n  c: 2\n", []string{"b: 1"}},
		{"behind two dashes", "- - #! i\n    b: 1\n  - c\n", []string{"b: 1"}},
		{"above an item that is a string", "a:\n  - b\n  #! c\n  - c\n", []string{"c"}},
		{"at the end of a line", "a: 1 #! a\nb: #! b\n  c: 2\n", []string{"line", "line"}},
		{"behind a block scalar's header", "a: | #! a\n  #! none\nb: 1\n", []string{"line"}},
		{"above everything", "#! doc\n\na: 1\n", []string{"top a: 1"}},
		{"above the marker", "#! doc\n---\na: 1\n", []string{"top a: 1"}},
		{"on the marker", "--- #! doc\na: 1\n", []string{"top line"}},
		{"in flow style", "a: {\n  #! b\n  b: 1,\n  c: 2 #! c\n}\n", []string{"b: 1", "line"}},
		{"with a byte order mark and CRLF", "\ufeff#! doc\r\na: 1\r\n#! b\r\nb: 2\r\n", []string{"top a: 1", "b: 2"}},
		{"behind an anchor", "a: &x #! a\n  b: 1\nc: *x #! c\n", []string{"line", "line"}},
		{"no comment", "a: b#! c\nd: \"#! e\"\nf: >\n  #! g\nh: 'i\n  #! j'\n", nil},
		{"in JSON", "{\"a\": \"#! b\"}", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := Parse("x", []byte(test.text)).Documents[0]
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			var got []string
			for _, c := range d.Comments() {
				if strings.HasPrefix(c.Text, "#!") {
					got = append(got, d.describe(c))
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (d *Document) describe(c Comment) string {
	s := "nothing"
	if start, end, ok := d.EntryBelow(c); ok {
		s = strings.Join(strings.Fields(string(d.File.Source[start:end])), " ")
	}
	if !c.OwnLine {
		s = "line"
	}
	if c.Top {
		s = "top " + s
	}
	return s
}
