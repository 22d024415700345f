package rules

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/suites"
)

var update = flag.Bool("update", false, "write the fixed files and examples of rules/testdata, and rules/README.md, anew")

const fixtureRoot = "testdata"

// A fixture is a manifest below rules/testdata/TOPIC/RULE that says in comments what is reported:
//
//	storage: true # want storage-version-count:3 "2 versions have storage: true"
//	# want-next schema-type-missing:7 "has no type"
//
// The number is the column. The text must be part of the message; info, warning or error in front of it wants that severity.
// Several expectations for a line are separated by semicolons, which may also stand in a text, but not behind a quote. A
// file whose name starts with ok has none. What the folder's rule reports must be wanted, each once; of other rules, what
// is wanted must be reported. `# kubernetes-version: 1.24` in the first line sets that,
// and `# chart of crd.yaml as of COMMIT` in any line what the file is a copy of, in which role. WANT.fixed.yaml is what all fixes,
// unsafe ones included, of the folder's rule make of WANT.yaml. What rules compare with stands in old.yaml, or for
// want-x.yaml and ok-x.yaml in old-x.yaml. Fixtures of rules about custom resources are objects; the CRDs that define them
// are in crd.yaml, or beside them, those that these replace are in old-crd.yaml, and `# operation: update` in the first line says what is judged. Go types that the manifests
// of a folder are generated from are in types.txtar, the repository around it. Fixtures of the topic audit are dumps of clusters, with the CRDs to compare with in
// crd.yaml. Fixtures of the topic suite are suites of tests, and those of the
// topic migrate objects that are carried to v1. Lines that begin with `# found:` are what a test of
// the conversion found, for the rules about that.
type fixture struct {
	topic, rule, path string
	src               []byte
}

func fixtures(t testing.TB) []fixture {
	t.Helper()
	paths, err := filepath.Glob(fixtureRoot + "/*/*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	var all []fixture
	for _, path := range paths {
		if name := filepath.Base(path); strings.Contains(name, ".fixed.") || strings.HasSuffix(name, ".md") || name == goTypesOf || name == crdsOf || strings.HasPrefix(name, "old") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(path)
		all = append(all, fixture{filepath.Base(filepath.Dir(dir)), filepath.Base(dir), filepath.ToSlash(path), src})
	}
	return all
}

// linter runs all rules of all presets.
func (f fixture) linter(t testing.TB) *engine.Linter {
	t.Helper()
	config := &lint.Config{Preset: lint.All}
	if m := regexp.MustCompile(`^# kubernetes-version: (\S+)`).FindSubmatch(f.src); m != nil {
		v, err := lint.ParseKubernetesVersion(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		config.KubernetesVersion = v
	}
	l := &engine.Linter{Rules: allRules, Options: lint.Options{Config: config}}
	l.Requirement = f.topic == "requirement"
	if m := regexp.MustCompile(`(?m)^# (\w+) of (\S+) as of (.*)`).FindStringSubmatch(string(f.src)); m != nil {
		l.Roles = func(string, string) repository.Decision {
			return repository.Decision{Role: lint.Role(m[1]), Source: m[2]}
		}
		l.Outdated = func(_, source, _ string) string { return m[3] + " behind " + source }
	}
	if f.topic == "suite" {
		l.Kind = f.suites()
		return l
	}
	if f.topic == "migrate" {
		l.Kind = f.migrations(t)
		return l
	}
	if by := f.objects(t); by != nil {
		l.Kind = by
		return l
	}
	l.Go, l.Conversions = f.goTypes(t), f.conversions(t)
	if l.Conversions == nil {
		l.Old = f.old(t)
	}
	return l
}

const (
	goTypesOf = "types.txtar"
	crdsOf    = "crd.yaml"
	oldCRDsOf = "old-crd.yaml"
)

// objects are what the custom resources of a fixture are judged by; nil where it has CRDs.
func (f fixture) objects(t testing.TB) *objectpass.Objects {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(filepath.Dir(f.path), crdsOf))
	if f.topic == "audit" {
		return f.dump(t, src)
	}
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	judge := &objectpass.Objects{Catalogue: &objects.Catalogue{}}
	judge.Catalogue.Add(objects.Definitions(crdsOf, crdsOf, src, true)...)
	judge.Catalogue.Add(objects.Definitions(f.path, f.path, f.src, false)...)
	judge.Catalogue.Mutating = objects.Webhooks(f.path, f.path, f.src)
	if src, err := os.ReadFile(filepath.Join(filepath.Dir(f.path), oldCRDsOf)); err == nil {
		old := lint.File{Path: crdsOf, Label: oldCRDsOf, Read: func() ([]byte, error) { return src, nil }}
		if judge.Against, err = older.New([]lint.File{old}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if m := regexp.MustCompile(`^# operation: (\S+)`).FindSubmatch(f.src); m != nil {
		judge.On = objectpass.Operation(m[1])
	}
	if path, src := f.oldFile(); src != nil {
		old, err := older.New([]lint.File{{Path: path, Label: path, Read: func() ([]byte, error) { return src, nil }}}, objects.MayHold)
		if err != nil {
			t.Fatal(err)
		}
		judge.Old = old.Object
	}
	return judge
}

// dump is what looks at a fixture as the dump of a cluster, in June 2026. Its CRDs are its own, and shipped are those to compare with,
// if there are any.
func (f fixture) dump(t testing.TB, shipped []byte) *objectpass.Objects {
	t.Helper()
	asked := &objectpass.Audit{Now: time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)}
	if shipped != nil {
		side, err := older.New([]lint.File{{Path: crdsOf, Label: crdsOf, Read: func() ([]byte, error) { return shipped, nil }}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		asked.Shipped = []*older.Side{side}
	}
	judge := &objectpass.Objects{Catalogue: &objects.Catalogue{Deployed: true}, Audit: asked, Stream: func(string) bool { return true }}
	judge.Catalogue.Add(objects.Definitions(f.path, f.path, f.src, false)...)
	return judge
}

// suites are what runs the suites of a fixture. Their CRDs are in the folder above it.
func (f fixture) suites() *suites.Kind {
	of := &Suites{Read: func(from, where string) ([]*CRDFile, error) {
		at := filepath.ToSlash(filepath.Join(filepath.Dir(from), where))
		one, err := ReadCRDs(lint.File{Path: at, Label: at, Read: func() ([]byte, error) { return os.ReadFile(at) }}, true)
		return []*CRDFile{one}, err
	}}
	if m := regexp.MustCompile(`^# cover-min: (\S+)`).FindSubmatch(f.src); m != nil {
		least, err := coverage.ParseMinimum(string(m[1]))
		if err != nil {
			panic(err)
		}
		of.Cover = &Cover{Minimum: least}
	}
	return of.kind().(*suites.Kind)
}

// goTypes are the Go types of a fixture's folder; nil where there are none. Its files are written into a folder of their
// own: around the fixtures is the repository of this program.
func (f fixture) goTypes(t testing.TB) *vicinity.GoTypes {
	t.Helper()
	folder := filepath.Dir(f.path)
	archive, err := txtar.ParseFile(filepath.Join(folder, goTypesOf))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(archive, filepath.Join(dir, folder)); err != nil {
		t.Fatal(err)
	}
	return &vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}
}

// reports are what all rules say of the fixtures, by path.
var reports sync.Map

// report is what all rules say of a fixture. It is made once for all tests.
func (f fixture) report(t testing.TB) *lint.Report {
	t.Helper()
	made, _ := reports.LoadOrStore(f.path, sync.OnceValue(func() *lint.Report {
		l := f.linter(t)
		return l.Report([]*engine.FileReport{l.File(f.path, f.src)})
	}))
	return made.(func() *lint.Report)()
}

// old finds the CRDs of a fixture's old side: of want-x.yaml and ok-x.yaml those in old-x.yaml, or else in old.yaml. It
// is nil for a fixture that has none.
func (f fixture) old(t testing.TB) func(name, path string, nth int) *older.CRD {
	t.Helper()
	if path, src := f.oldFile(); src != nil {
		return oldSide(path, src)
	}
	return nil
}

// oldFile is the file that has the old side of a fixture; its text is nil where there is none.
func (f fixture) oldFile() (path string, src []byte) {
	dir, base := filepath.Split(f.path)
	_, rest, dashed := strings.Cut(base, "-")
	paths := []string{dir + "old" + filepath.Ext(base)}
	if dashed {
		paths = append([]string{dir + "old-" + rest}, paths...)
	}
	for _, path := range paths {
		if src, err := os.ReadFile(path); err == nil {
			return path, src
		}
	}
	return "", nil
}

// oldSide finds CRDs in a manifest by their names.
func oldSide(path string, src []byte) func(name, path string, nth int) *older.CRD {
	all := map[string]*older.CRD{}
	for _, d := range manifest.Parse(path, src).Documents {
		if d.Root != nil {
			found, _ := crd.Find(d.Root.YNode())
			for _, c := range found {
				all[c.Name()] = &older.CRD{CRD: c, Document: d}
			}
		}
	}
	return func(name, _ string, _ int) *older.CRD { return all[name] }
}

// A want is an expectation of a fixture.
type want struct {
	line, column   int
	rule, severity string // any severity when ""
	text           string
}

var (
	wantComment = regexp.MustCompile(`# want(-next)? (.*)$`)
	expectation = regexp.MustCompile(`([a-z0-9-]+):([0-9]+)(?: (info|warning|error))?(?: "((?:[^"]|"[^;]|"; [a-z0-9-]* )*)")?(?:; |$)`) // a text may have a quotation before a semicolon
)

func (f fixture) wants(t testing.TB) []want {
	t.Helper()
	var all []want
	for i, line := range strings.Split(string(f.src), "\n") {
		m := wantComment.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		at := i + 1
		if m[1] != "" {
			at++
		}
		read := 0
		for _, e := range expectation.FindAllStringSubmatch(m[2], -1) {
			column, err := strconv.Atoi(e[2])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, want{at, column, e[1], e[3], e[4]})
			read += len(e[0])
		}
		if read != len(m[2]) {
			t.Fatalf("%s:%d: cannot read the expectation %s", f.path, i+1, m[2])
		}
	}
	return all
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t) {
		t.Run(strings.TrimPrefix(f.path, fixtureRoot+"/"), func(t *testing.T) {
			t.Parallel()
			if ByID(f.rule) == nil {
				t.Fatalf("there is no rule %s", f.rule)
			}
			f.check(t)
		})
	}
}

func (f fixture) check(t *testing.T) {
	report := f.report(t)
	wants := f.wants(t)
	ok := strings.HasPrefix(filepath.Base(f.path), "ok")
	if ok != (len(wants) == 0) {
		t.Fatal("a fixture called ok wants nothing; every other one wants something")
	}
	if !ok && !slices.ContainsFunc(wants, func(w want) bool { return w.rule == f.rule }) {
		t.Errorf("does not want its own rule")
	}
	for _, found := range report.Findings {
		if strings.Contains(found.Message, "please report it") {
			t.Errorf("%d: a rule panics: %s", found.Pos.Line, found.Message)
		}
		if n := len([]rune(cmp.Or(found.Brief, found.Message))); n >= 160 {
			t.Errorf("%d: the message has %d characters: %s", found.Pos.Line, n, cmp.Or(found.Brief, found.Message))
		}
		i := slices.IndexFunc(wants, func(w want) bool {
			return w.line == found.Pos.Line && w.column == found.Pos.Column && w.rule == found.Rule.ID && strings.Contains(found.Message, w.text) &&
				(w.severity == "" || w.severity == found.Severity.String())
		})
		if i >= 0 {
			wants = slices.Delete(wants, i, i+1)
		} else if found.Rule.ID == f.rule {
			t.Errorf("%d:%d: not wanted: %s: %s", found.Pos.Line, found.Pos.Column, found.Rule.ID, found.Message)
		}
	}
	for _, w := range wants {
		t.Errorf("%d:%d: not reported: %s %s %q; of that line there is %s", w.line, w.column, w.rule, w.severity, w.text, onLine(report, w.line))
	}
	f.checkFix(t)
}

func onLine(r *lint.Report, line int) string {
	var all []string
	for _, f := range r.Findings {
		if f.Pos.Line == line {
			all = append(all, fmt.Sprintf("%s:%d %s %q", f.Rule.ID, f.Pos.Column, f.Severity, f.Message))
		}
	}
	return fmt.Sprint(all)
}

// fixer is a linter that fixes what the folder's rule reports, and nothing else.
func (f fixture) fixer(t testing.TB) *engine.Linter {
	t.Helper()
	l := f.linter(t)
	l.Config.Rules = map[string]lint.Severity{}
	for _, r := range All() { // the others are judged, but not fixed: they are silent unless they are errors
		if r.ID != f.rule && r.Severity < lint.Error {
			l.Config.Rules[r.ID] = lint.Off
		}
	}
	l.Fixes = func(found *lint.Finding) bool { return found.Rule.ID == f.rule }
	return l
}

// checkFix compares what the fixes of the folder's rule make of a fixture with its golden file.
func (f fixture) checkFix(t *testing.T) {
	fixed := f.fixer(t).Fix(f.path, f.src, true)
	golden := strings.TrimSuffix(f.path, filepath.Ext(f.path)) + ".fixed" + filepath.Ext(f.path)
	if *update {
		if bytes.Equal(fixed.Output, f.src) {
			_ = os.Remove(golden)
		} else if err := os.WriteFile(golden, fixed.Output, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if os.IsNotExist(err) {
		want, err = f.src, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), string(fixed.Output)); diff != "" {
		t.Errorf("fixed file differs (-want +got); go test ./rules -update writes it anew:\n%s", diff)
	}
}

// unreached are the rules about errors of the API server that no manifest is known to get.
var unreached = map[string]bool{"schema-build-failed": true, "cel-internal-error": true}

// TestEveryRuleHasFixtures keeps rules and their folders together.
func TestEveryRuleHasFixtures(t *testing.T) {
	t.Parallel()
	has := map[string]map[string]bool{}
	for _, f := range fixtures(t) {
		if has[f.rule] == nil {
			has[f.rule] = map[string]bool{}
		}
		name, _, _ := strings.Cut(filepath.Base(f.path), ".")
		name, _, _ = strings.Cut(name, "-")
		has[f.rule][name] = true
	}
	for _, topic := range Topics() {
		for _, r := range topic.Rules {
			if topic.Name != "engine" && !unreached[r.ID] && (!has[r.ID]["want"] || !has[r.ID]["ok"]) {
				t.Errorf("rules/testdata/%s/%s lacks a want.yaml or an ok.yaml", topic.Name, r.ID)
			}
		}
	}
}

// TestCatalogue checks that rules are complete and their ids different.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range All() {
		if r.ID == "" || seen[r.ID] || r.Summary == "" || r.Severity == lint.Off {
			t.Errorf("rule %q is not the only one of its id, or lacks its summary or severity", r.ID)
		}
		seen[r.ID] = true
	}
}

// TestFormerNames checks that a name never stands for two rules: one that was a rule's is no id, and no other rule's.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	of, former := map[string]string{}, 0
	for _, r := range All() {
		for _, name := range append([]string{r.ID}, r.Was...) {
			if of[name] != "" {
				t.Errorf("%s stands for %s and %s", name, of[name], r.ID)
			}
			of[name] = r.ID
		}
		former += len(r.Was)
	}
	if former == 0 {
		t.Error("no rule has a former name")
	}
}
