package rules

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/cache"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// reportText is a report in the formats that say most.
func reportText(t *testing.T, r *lint.Report) string {
	t.Helper()
	var out bytes.Buffer
	for _, format := range []string{"json", "sarif", "text"} {
		if err := Write(&out, format, r); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// TestKeptFixtures writes the report on each fixture down, with edits, and reads it: whatever is made of it is the same. What
// is not written down compares with an older CRD, or depends on the time.
func TestKeptFixtures(t *testing.T) {
	t.Parallel()
	kept, not := 0, map[string]bool{}
	for _, f := range fixtures(t) {
		l := f.linter(t)
		if l.Kind != nil || l.Conversions != nil {
			continue
		}
		l.Edits, l.Record = true, &vicinity.Record{}
		report := l.File(f.path, f.src)
		cache := engine.NewCache(l, nil)
		text, err := cache.Keep(report, l.Record)
		if err != nil {
			not[f.rule] = true
			continue
		}
		kept++
		recalled := cache.Recall(f.path, text)
		if recalled == nil {
			t.Errorf("%s is not recalled", f.path)
			continue
		}
		again, err := cache.Keep(recalled, l.Record)
		if err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: what is recalled is written otherwise: %v", f.path, err)
		}
		if diff := cmp.Diff(reportText(t, l.Report([]*engine.FileReport{report})), reportText(t, l.Report([]*engine.FileReport{recalled}))); diff != "" {
			t.Errorf("%s: %s", f.path, diff)
		}
	}
	if kept < 400 {
		t.Errorf("%d reports are kept; not those of %v", kept, not)
	}
	for rule := range not {
		if known := ByID(rule); known == nil || !known.AboutChange && !known.NeedsOld && !strings.HasPrefix(rule, "webhook-cabundle") && !comparesWithOld(rule) {
			t.Errorf("a report on a fixture of %s is not kept", rule)
		}
	}
}

// comparesWithOld reports whether a rule has a fixture with an older CRD.
func comparesWithOld(rule string) bool {
	found, _ := filepath.Glob(filepath.Join(fixtureRoot, "*", rule, "old*"))
	return len(found) > 0
}

// cached lints files with a cache in a folder, as one run, and returns what is written of it.
func cached(t *testing.T, folder string, l *Linter, files map[string][]byte) string {
	t.Helper()
	if folder != "" {
		if err := l.UseCache(folder, "this build", "/here"); err != nil {
			t.Fatal(err)
		}
	}
	var reports []*FileReport
	for _, path := range slices.Sorted(maps.Keys(files)) {
		reports = append(reports, l.File(path, files[path]))
	}
	if err := l.SaveCache(); err != nil {
		t.Fatal(err)
	}
	return reportText(t, l.Report(reports...))
}

// contents are the files in a folder by their names.
func contents(t *testing.T, folder string) map[string]fs.FileInfo {
	t.Helper()
	all := map[string]fs.FileInfo{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = info
	}
	return all
}

// TestCache lints fixtures and real manifests together without a cache, with an empty one and with a full one: names
// that collide and patches in other files count as ever. The last run judges nothing anew, so that it writes nothing.
func TestCache(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{}
	for i, f := range fixtures(t) {
		if i%3 == 0 && !strings.Contains(f.path, "webhook-cabundle") {
			files[f.path] = f.src
		}
	}
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1", "v1beta1", "broken", "fragments"), 60) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.ToSlash(path)] = src
	}
	for name, linter := range map[string]func() *Linter{
		"recommended": func() *Linter { return &Linter{} },
		"all": func() *Linter {
			return &Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}, Edits: true}}
		},
		"rendered": func() *Linter { return &Linter{Options: lint.Options{Rendered: true, Final: true, NewOnly: true}} },
	} {
		folder := filepath.Join(t.TempDir(), "cache")
		want := cached(t, "", linter(), files)
		if diff := cmp.Diff(want, cached(t, folder, linter(), files)); diff != "" {
			t.Errorf("%s, empty: %s", name, diff)
		}
		before := contents(t, folder)
		if diff := cmp.Diff(want, cached(t, folder, linter(), files)); diff != "" {
			t.Errorf("%s, full: %s", name, diff)
		}
		after := contents(t, folder)
		if len(before) != 2 || len(after) != 2 {
			t.Errorf("%s: %d files, then %d", name, len(before), len(after))
		}
		day := time.Now().UTC().Format(time.DateOnly)
		for file, info := range after {
			if was := before[file]; was == nil || !os.SameFile(was, info) && was.ModTime().UTC().Format(time.DateOnly) == day {
				t.Errorf("%s: %s was written again", name, file)
			}
		}
	}
}

// TestCacheDepends changes one thing after the other that reports depend on: none is taken from the cache.
func TestCacheDepends(t *testing.T) {
	t.Parallel()
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\nspec: {group: example.com, scope: namespaced}\n"
	folder := t.TempDir()
	marked := func(path string, src string, build, here string, l *Linter) (hit bool) {
		t.Helper()
		if err := l.UseCache(folder, build, here); err != nil {
			t.Fatal(err)
		}
		hit = true
		l.cache.File(path, []byte(src), func(record *vicinity.Record) *engine.FileReport {
			hit = false
			return l.judge(path, []byte(src), record).run
		})
		if err := l.SaveCache(); err != nil {
			t.Fatal(err)
		}
		return hit
	}
	plain := func() *Linter { return &Linter{} }
	if marked("a.yaml", crd, "build", "/here", plain()) {
		t.Error("an empty cache has a report")
	}
	if !marked("a.yaml", crd, "build", "/here", plain()) {
		t.Error("a report is not found again")
	}
	// What is about the run, and not about findings in a file, makes no difference.
	about := &Linter{Options: lint.Options{Config: &lint.Config{FailOn: lint.Info, MinSeverity: lint.Error, Ignores: []lint.Ignore{{Rule: "*", Reason: "r"}}, Exclude: []string{"b"}, Baseline: "b"}}}
	if !marked("a.yaml", crd, "build", "/here", about) {
		t.Error("a report depends on the configuration of the run")
	}
	for name, miss := range map[string]func() bool{
		"text":  func() bool { return marked("a.yaml", crd+"\n", "build", "/here", plain()) },
		"path":  func() bool { return marked("b.yaml", crd, "build", "/here", plain()) },
		"build": func() bool { return marked("a.yaml", crd, "other", "/here", plain()) },
		"here":  func() bool { return marked("a.yaml", crd, "build", "/there", plain()) },
		"types": func() bool { return marked("a.yaml", crd, "build", "/here", &Linter{Go: FindGoTypes(folder)}) },
	} {
		if miss() {
			t.Errorf("a report is found although the %s differs", name)
		}
	}
}

// TestCacheKey sets each option by itself. A report made with it is another one, but for what is about the run.
func TestCacheKey(t *testing.T) {
	t.Parallel()
	ofRun := []string{
		"Baseline", "Fixes", "Shown", "Config.Paths", "Config.Exclude", "Config.Ignores", "Config.Baseline",
		"Config.FailOn", "Config.MinSeverity", "Config.GoLocation", "Config.Validate", "Config.Renamed", "Config.Roles", "Config.Files", "UnusedRoles", "NoInline", "WasInline",
	}
	key := func(o lint.Options) cache.Key {
		key, err := (&Linter{Options: o}).subject("build", "/here")
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	none := key(lint.Options{})
	check := func(name string, o lint.Options) {
		if same := key(o) == none; same != slices.Contains(ofRun, name) {
			t.Errorf("%s: reports with and without it are kept as one: %v", name, same)
		}
	}
	for i := range reflect.TypeFor[lint.Options]().NumField() {
		if field := reflect.TypeFor[lint.Options]().Field(i); field.Name != "Config" {
			var o lint.Options
			reflect.ValueOf(&o).Elem().Field(i).Set(something(t, field.Type))
			check(field.Name, o)
		}
	}
	for i := range reflect.TypeFor[lint.Config]().NumField() {
		field, c := reflect.TypeFor[lint.Config]().Field(i), lint.Config{}
		reflect.ValueOf(&c).Elem().Field(i).Set(something(t, field.Type))
		check("Config."+field.Name, lint.Options{Config: &c})
	}
}

// something is a value of a type other than its zero value.
func something(t *testing.T, of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int8:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(of, 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(something(t, of.Key()), something(t, of.Elem()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(of, nil))
	case reflect.Struct:
		v.Field(0).Set(something(t, of.Field(0).Type))
	default:
		t.Fatalf("no value of %v is known that is not its zero value", of)
	}
	return v
}
