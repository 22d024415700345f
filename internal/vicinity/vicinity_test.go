package vicinity

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/older"
)

// TestAskedInOnePlace: what is around a file is looked at in vicinity.go only, where the answers are noted. A report that is kept
// would not notice what somebody looks at elsewhere.
func TestAskedInOnePlace(t *testing.T) {
	t.Parallel()
	looks := []string{"Find", "FindRequired", "mayRequire", "fingerprint", "Old", "Unknown", "Roles"} // of GoTypes and Linter
	for index := reflect.TypeFor[*gotypes.Index](); len(looks) < 7+index.NumMethod(); {
		looks = append(looks, index.Method(len(looks)-7).Name)
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		folder, name := filepath.Split(path)
		if strings.HasSuffix(path, "_test.go") || name == "gotypes.go" || !slices.Contains([]string{"../engine/", "../origin/", "../vicinity/"}, folder) { // gotypes.go has the methods of GoTypes
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is || !slices.Contains(looks, method.Sel.Name) || !isOfRun(method.X) {
				return true
			}
			if found++; path != "../vicinity/vicinity.go" {
				t.Errorf("%v: %s is to be asked for in vicinity.go, which notes the answer", fset.Position(n.Pos()), method.Sel.Name)
			}
			return true
		})
	}
	if found < 8 {
		t.Errorf("%d calls found", found)
	}
}

// isOfRun reports whether an expression is a Linter, or its Go types or their Index, as this package calls them.
func isOfRun(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return slices.Contains([]string{"l", "g", "s", "linter"}, x.Name)
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Go", "Index", "linter"}, x.Sel.Name)
	}
	return false
}

// TestWhoLooksAround: of all that a rule can call, these packages read files, or ask other programs or servers. What they answer
// is in the key of a report that is kept, or among its answers, or the report is not kept.
func TestWhoLooksAround(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"internal/atomicfile": "writes fixes, which use no cache",
		"internal/config":     "finds the configuration, which is in the key",
		"internal/gotypes":    "answers what vicinity.go asks",
		"internal/memory":     "asks how much memory may be used, which no report depends on",
		"internal/gitrev":     "reads the older side, which is asked for an older CRD and answers with its text",
		"internal/repository": "answers what vicinity.go asks",
		"internal/older":      "reads the older side: see internal/gitrev",
		"internal/worktree":   "finds the files of the older side: see internal/gitrev",
		"internal/cache":      "is the cache",
		"internal/request":    "has the codes of answers by their names in net/http",
		"internal/review":     "asks webhooks, in runs that have no cache",
		"internal/suite":      "reads CRDs beside suites of openshift/api, in runs that have no cache",
		"internal/template":   "looks for the chart around a template, which is in the key",
		"internal/version":    "reads the program itself, which is in the key",
		"internal/webhook":    "asks webhooks, in runs that have no cache",
		"rules":               "asks webhooks, in runs that have no cache",
		"rules/internal/crds": "reads addresses, which it asks nothing",
	}
	const module = "github.com/crdlift/crdlift/"
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../../rules").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name, ours := strings.CutPrefix(words[0], module)
		looks := slices.ContainsFunc(words[1:], func(to string) bool {
			return slices.Contains([]string{"os", "os/exec", "net", "net/http"}, to)
		})
		if ours && looks && known[name] == "" {
			t.Errorf("%s looks at more than it is given: does a report that is kept notice when that changes?", name)
		}
		if ours && !looks && known[name] != "" {
			t.Errorf("%s does not look at anything any more", name)
		}
	}
}

// TestNobodyToAsk: a question is answered, and noted, where nobody knows of Go types or of older CRDs.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	asked := &Record{}
	nobody := Vicinity{Path: "a.yaml", Record: asked}
	if old, unknown := nobody.Older("a.example.com", 0), nobody.IsUnknown("a.example.com"); old != nil || unknown {
		t.Errorf("got %v, %t", old, unknown)
	}
	for _, about := range []topic{roleOfCRD, goSources} {
		nobody.ask(Question{About: about})
	}
	if len(asked.Answers) != 4 {
		t.Errorf("noted %v", asked.Answers)
	}
	for q, said := range asked.Answers {
		if _, somebody := (Vicinity{Sources: Sources{Old: func(string, string, int) *older.CRD { return nil }}, Path: "a.yaml"}).answer(q); q.About == olderCRD && somebody() == said {
			t.Error("to know of no older CRD is another answer")
		}
	}
}
