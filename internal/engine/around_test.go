package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

// TestKeptPlaces keeps the report on a copy in a chart, and changes what is around the files of its name: the report holds for as
// long as each of them means what it meant.
func TestKeptPlaces(t *testing.T) {
	t.Parallel()
	dir, _, manifest := inModule(t)
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const name, copied = "example.com_widgets.yaml", "charts/op/crds/example.com_widgets.yaml"
	write(copied, string(manifest))
	write("charts/op/Chart.yaml", "name: op\n")
	write("out/crds/"+name, string(manifest))
	write("gen/"+name, string(manifest))
	linter := func() *Linter {
		copies := &Rule{ID: "copies", Severity: lint.Info, Run: func(p *Pass) { p.Reportf(p.CRD.APIVersion(), "copy of %q", p.copied().of) }}
		return &Linter{Rules: []*Rule{copies}, Asked: &Asked{}, Go: &GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}}
	}
	said := func() (message, text string) {
		t.Helper()
		l := linter()
		report := l.File(copied, manifest)
		kept, err := NewKeeper(l).Keep(report, l.Asked)
		if err != nil {
			t.Fatal(err)
		}
		return report.Findings[0].Message, string(kept)
	}
	_, text := said()
	for _, step := range []struct {
		name, want string
		change     func()
	}{
		{"a chart around another file", `copy of "out/crds/` + name + `"`, func() { write("gen/Chart.yaml", "name: gen\n") }},
		{"a chart around all of them", `copy of ""`, func() { write("out/Chart.yaml", "name: out\n") }},
		{"the chart is gone again", `copy of "gen/` + name + `"`, func() { os.Remove(filepath.Join(dir, "gen", "Chart.yaml")) }},
		{"another folder for the file", `copy of ""`, func() {
			os.Rename(filepath.Join(dir, "gen"), filepath.Join(dir, "test-data"))
			write("test-data/Chart.yaml", "")
		}},
		{"a module between a folder with a name and the file", `copy of "charts/gen/` + name + `"`, func() {
			write("charts/gen/"+name, string(manifest))
			write("charts/gen/go.mod", "module example.com/gen\n")
		}},
		{"the module is gone", `copy of ""`, func() { os.Remove(filepath.Join(dir, "charts", "gen", "go.mod")) }},
	} {
		step.change()
		again := NewKeeper(linter()).Recall(copied, text)
		var message string
		if message, text = said(); message != step.want {
			t.Errorf("%s: %s, want %s", step.name, message, step.want)
		}
		if again != nil && again.Findings[0].Message != message {
			t.Errorf("%s: the report that was kept says %s, and now it is %s", step.name, again.Findings[0].Message, message)
		}
		if NewKeeper(linter()).Recall(copied, text) == nil {
			t.Errorf("%s: what did not change is not recalled", step.name)
		}
	}
}

// TestAskedInOnePlace: what is around a file is looked at in around.go only, where the answers are noted. A report that is kept
// would not notice what somebody looks at elsewhere.
func TestAskedInOnePlace(t *testing.T) {
	t.Parallel()
	looks := []string{"Find", "FindRequired", "mayRequire", "fingerprint", "placeOf", "Old", "Unknown"} // of GoTypes and Linter
	for index := reflect.TypeFor[*gotypes.Index](); len(looks) < 7+index.NumMethod(); {
		looks = append(looks, index.Method(len(looks)-7).Name)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || path == "gotype.go" { // which has the methods of GoTypes
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
			if found++; path != "around.go" {
				t.Errorf("%v: %s is to be asked for in around.go, which notes the answer", fset.Position(n.Pos()), method.Sel.Name)
			}
			return true
		})
	}
	if found < 10 {
		t.Errorf("%d calls found", found)
	}
}

// isOfRun reports whether an expression is a Linter, or its Go types or their Index, as this package calls them.
func isOfRun(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "l" || x.Name == "g" || x.Name == "linter"
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
		"internal/gitrev":     "reads the older side, which is asked for an older CRD and answers with its text",
		"internal/gotypes":    "answers what around.go asks",
		"internal/older":      "reads the older side: see internal/gitrev",
		"internal/pack":       "is the cache",
		"internal/review":     "asks webhooks, in runs that have no cache",
		"internal/template":   "looks for the chart around a template, which is in the key",
		"internal/worktree":   "finds the files of the older side: see internal/gitrev",
		"internal/webhook":    "asks webhooks, in runs that have no cache",
		"rules":               "asks webhooks, in runs that have no cache",
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
	asked := &Asked{}
	nobody := (&Linter{Asked: asked}).around("a.yaml")
	if old, unknown := nobody.old("a.example.com", 0), nobody.isUnknown("a.example.com"); old != nil || unknown {
		t.Errorf("got %v, %t", old, unknown)
	}
	for _, about := range []topic{filesNamed, goSources} {
		nobody.ask(question{About: about})
	}
	if len(asked.answers) != 4 {
		t.Errorf("noted %v", asked.answers)
	}
	for q, said := range asked.answers {
		if _, somebody := (&Linter{Old: func(string, string, int) *older.CRD { return nil }}).around("a.yaml").answer(q); q.About == olderCRD && somebody() == said {
			t.Error("to know of no older CRD is another answer")
		}
	}
}
