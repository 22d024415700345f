package overview_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/lint"
)

// leaving is a report of a command with a finding that two copies have as well, and with some that are only counted.
func leaving(command string, tests, old int) string {
	one := strings.Replace(finding("scope-invalid", "error", 1), `"message"`, `"copies": [{"file": "b.yaml", "line": 7, "column": 3}, {"file": "c.yaml", "line": 8, "column": 3}], "message"`, 1)
	text := strings.Replace(reportOn("o/a", "v1", one), `"lint"`, `"`+command+`"`, 1)
	return strings.Replace(text, `"summary"`, fmt.Sprintf(`"leftOut": {"test": {"count": %d, "rules": {}}, "old": {"count": %d, "rules": {}}, "later": {"count": 5}}, "summary"`, tests, old), 1)
}

// TestLeftOut counts what runs only count, that of one report once, and passes over roles of a later crdlift.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	lints, breaks := leaving("lint", 3, 0), leaving("breaking", 2, 1)
	for story, test := range map[string]struct {
		reports []string
		want    overview.LeftOut
		says    string
	}{
		"one":            {[]string{lints}, overview.LeftOut{lint.RoleTest: 3}, "Left out: 3 in tests."},
		"the same again": {[]string{lints, lints}, overview.LeftOut{lint.RoleTest: 3}, "Left out: 3 in tests."},
		"two":            {[]string{lints, breaks}, overview.LeftOut{lint.RoleTest: 5, lint.RoleOld: 1}, "Left out: 5 in tests, 1 in old releases."},
		"another state":  {[]string{lints, leaving("lint", 1, 0)}, overview.LeftOut{lint.RoleTest: 4}, "Left out: 4 in tests."},
		"none":           {[]string{leaving("lint", 0, 0)}, nil, ""},
	} {
		o := read(t, test.reports...)
		r := o.Repositories[0]
		if !maps.Equal(r.LeftOut, test.want) || r.LeftOut.Sentence() != test.says || !strings.Contains(o.Text(), test.says) {
			t.Errorf("%s: %v, in words %q", story, r.LeftOut, r.LeftOut.Sentence())
		}
		if r.Count(lint.Error) != 1 {
			t.Errorf("%s: a mistake with copies counts as %d", story, r.Count(lint.Error))
		}
	}
	both := read(t, lints, strings.Replace(breaks, `"o/a"`, `"o/b"`, 1)).Text()
	if !strings.Contains(both, "\nLeft out: 5 in tests, 1 in old releases.\n") {
		t.Errorf("of two repositories is said\n%s", both)
	}
}

// TestCopies keeps the places of copies beside that of their source.
func TestCopies(t *testing.T) {
	t.Parallel()
	text := strings.Replace(leaving("lint", 0, 0), `"command"`, `"filesURL": "https://example.com/", "command"`, 1)
	places := read(t, text).Repositories[0].Rules()[0].Messages()[0].Places
	if len(places) != 1 || places[0].File != "a.yaml" || len(places[0].Copies) != 2 || places[0].Copies[1] != (overview.Place{File: "c.yaml", Line: 8, FilesURL: "https://example.com/"}) {
		t.Errorf("got %+v", places)
	}
}
