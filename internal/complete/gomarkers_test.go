package complete

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/lines"
)

// TestLikeGotypes compares what tokens tell with what the parser does, about the Go types of fixtures and, if CRDLIFT_ROLES is a folder of
// repositories, about those in them.
func TestLikeGotypes(t *testing.T) {
	t.Parallel()
	files := 0
	compare := func(path string, src []byte) {
		if parsed, err := gotypes.DeclarationsOf(path, src); err == nil && strings.Contains(string(src), "// +") {
			files++
			compareWith(t, path, src, parsed.All)
		}
	}
	for _, root := range []string{"../../rules/testdata", "../gotypes/testdata", os.Getenv("CRDLIFT_ROLES")} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			src, _ := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".go":
				compare(path, src)
			case ".txtar":
				for _, f := range txtar.Parse(src).Files {
					if strings.HasSuffix(f.Name, ".go") {
						compare(path+":"+f.Name, f.Data)
					}
				}
			}
			return nil
		})
	}
	if files < 5 {
		t.Errorf("only %d files have types", files)
	}
	t.Logf("%d files", files)
}

func compareWith(t *testing.T, path string, src []byte, parsed []gotypes.Declaration) {
	t.Helper()
	type mark struct {
		at   [2]int // of what it is above
		text string
	}
	table := lines.TableOf(src)
	above, found := map[mark]int{}, map[mark]int{}
	markers, declared := GoMarkers(src)
	names := map[string]bool{}
	for symbol := range declared {
		names[symbol[strings.LastIndexByte(symbol, '.')+1:]] = true
	}
	begin := -1
	for _, d := range parsed {
		if d.Begin == begin {
			continue // a second name of one field, above which no marker can be for it alone
		}
		if begin = d.Begin; !names[d.Name] {
			t.Errorf("%s:%d: %s is not found", path, d.Pos.Line, d.Name)
		}
		for _, m := range d.Markers {
			above[mark{[2]int{d.Pos.Line, d.Pos.Column}, m.Text}]++
		}
	}
	for _, m := range markers {
		if line, column := table.Position(m.Decl); m.Symbol != "" {
			found[mark{[2]int{line, column}, m.Text}]++
		}
	}
	for m, n := range above {
		if found[m] < n {
			t.Errorf("%s:%d: %s is above a declaration there, and is not found", path, m.at[0], m.text)
		}
	}
	for m, n := range found {
		if above[m] < n && above[m] > 0 {
			t.Errorf("%s:%d: %s is above another declaration", path, m.at[0], m.text)
		}
	}
}
