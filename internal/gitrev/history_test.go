package gitrev

import (
	"slices"
	"strings"
	"testing"
)

func (s scratch) states(below, file string, commits int) (all []string) {
	for one := range s.open(below).History(s.Context(), file, commits, 10) {
		if len(one.Commit) != 12 || len(one.Date) != len("2026-05-02") {
			s.Errorf("%+v", one)
		}
		all = append(all, string(one.Text))
	}
	return all
}

func TestHistory(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	if got := s.states("", "a.yaml", 9); got != nil {
		t.Errorf("nothing is committed: %q", got)
	}
	for _, text := range []string{"more than the limit", "one", "two", "three"} {
		s.write("sub/[a].yaml", text) // which is no pattern
		s.write("sub/a.yaml", "another "+text[:2])
		s.commit()
		s.commit()
	}
	s.git("checkout", "-q", "-b", "change")
	s.write("sub/[a].yaml", "four")
	s.commit()
	s.write("sub/[a].yaml", "five")
	s.commit()
	s.git("checkout", "-q", "main")
	s.git("merge", "-q", "--no-ff", "-m", "x", "change")
	s.write("sub/[a].yaml", "six")

	for _, tt := range []struct {
		below, file string
		commits     int
		want        string
	}{
		{"sub", "[a].yaml", 9, "five three two one"}, // and then one that is too large
		{"", "sub/[a].yaml", 9, "five three two one"},
		{"sub", "[a].yaml", 2, "five three"},
		{"", "sub", 9, ""},
		{"", "none.yaml", 9, ""},
		{"sub", "../../a.yaml", 9, ""},
		{"sub", "a\n.yaml", 9, ""},
	} {
		if got := s.states(tt.below, tt.file, tt.commits); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s in %q: %q, want %s", tt.file, tt.below, got, tt.want)
		}
	}

	s.git("rm", "-q", "-f", "sub/[a].yaml")
	s.commit()
	s.write("sub/[a].yaml", "seven")
	s.commit()
	if got := s.states("sub", "[a].yaml", 9); !slices.Equal(got, []string{"seven"}) {
		t.Errorf("before the file was deleted: %q", got)
	}
}
