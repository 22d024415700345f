package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/cache"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// fill gives every field of a value another value than zero, to a depth that reaches all types of a report. Functions, and
// pointers to what is written by name or by index, stay nil.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.String:
		v.SetString("text")
	case reflect.Interface:
		v.Set(reflect.ValueOf([]any{"text", 1.5, map[string]any{"a": int64(1)}}))
	case reflect.Pointer:
		if depth == 0 || v.Type() == reflect.TypeFor[*lint.Rule]() {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth)
		fill(value, depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth)
		}
	}
}

// TestKeptWhole writes down a report with a value in every field that there is: none gets lost, also of those to come.
func TestKeptWhole(t *testing.T) {
	t.Parallel()
	var full, got transcript
	fill(reflect.ValueOf(&full).Elem(), 4)
	if full.Findings[0].First == nil || full.Findings[0].Fix.Edits[0].Text == "" || full.Comments[0].Names[0].Unused.Origin.Others[0].Add[0].Needs == "" {
		t.Fatal("not all is filled")
	}
	text, err := cache.Write(full)
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.Read(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, got, cmp.Comparer(func(a, b func(versions, items []string) (string, string)) bool { return a == nil && b == nil })); diff != "" {
		t.Error(diff)
	}
	if NewCache(&Linter{}, nil).Recall("text", text) != nil {
		t.Error("a report is read whose findings have no rules")
	}
}

// TestKeptGoTypes changes what the report on a generated manifest depends on.
func TestKeptGoTypes(t *testing.T) {
	t.Parallel()
	dir, manifest := inputs.Module(t, "../origin/testdata/origins.txtar")
	path := filepath.Join(dir, "crd.yaml")
	linter := func() *Linter {
		return &Linter{Rules: toyRules(), Options: lint.Options{Config: &lint.Config{Preset: lint.All}}, Record: &vicinity.Record{}, Sources: vicinity.Sources{Go: &vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}}}
	}
	l := linter()
	l.Rules = append(l.Rules, &Rule{ID: "kind-here", Severity: lint.Info, Run: func(p *Pass) { p.Reportf(p.CRD.APIVersion(), "here") }})
	keep := func() []byte {
		t.Helper()
		again := linter()
		again.Rules = l.Rules
		report := again.File(path, manifest)
		if len(report.Findings) == 0 || again.Record.Sources() == "" {
			t.Fatal("nobody asked for Go types")
		}
		text, err := NewCache(again, nil).Keep(report, again.Record)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	recalls := func(text []byte) bool {
		fresh := linter()
		fresh.Rules = l.Rules
		return NewCache(fresh, nil).Recall(path, text) != nil
	}
	text := keep()
	if !recalls(text) {
		t.Fatal("what did not change is not recalled")
	}
	if err := os.WriteFile(filepath.Join(dir, "other.yaml"), []byte("a: b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !recalls(text) {
		t.Error("another manifest matters")
	}
	files, err := filepath.Glob(filepath.Join(dir, "v1", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Go files: %v", err)
	}
	for name, change := range map[string]func() error{
		"a new Go file": func() error { return os.WriteFile(filepath.Join(dir, "new.go"), []byte("package main\n"), 0o644) },
		"a Go file":     func() error { return os.WriteFile(files[0], []byte("package v1\n"), 0o644) },
		"the module": func() error {
			return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/else\n"), 0o644)
		},
	} {
		text := keep()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if recalls(text) {
			t.Errorf("%s changed, and the report is recalled", name)
		}
	}
	without := &Linter{Rules: l.Rules, Options: lint.Options{Config: l.Config}}
	if NewCache(without, nil).Recall(path, keep()) != nil {
		t.Error("a report with Go types is recalled without them")
	}
}

// TestNotKept has a rule ask for the time.
func TestNotKept(t *testing.T) {
	t.Parallel()
	l := &Linter{Record: &vicinity.Record{}, Rules: []*Rule{{ID: "late", Severity: lint.Info, Run: func(p *Pass) { p.AsksTime() }}}}
	report := l.File("crd.yaml", []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\nspec: {group: b.c}\n"))
	if _, err := NewCache(l, nil).Keep(report, l.Record); err == nil {
		t.Error("a report is kept that will be another one tomorrow")
	}
}

// TestDamagedReport reads what is of the right types and was never written: nothing is recalled, and nothing fails.
func TestDamagedReport(t *testing.T) {
	t.Parallel()
	l := &Linter{Rules: toyRules()}
	rule := l.Rules[0].ID
	named := func(n suppress.RuleName) []*suppress.Comment {
		return []*suppress.Comment{{Names: []suppress.RuleName{n}}}
	}
	at := Name{Source: lint.Source{Pos: lint.Position{File: "crd.yaml"}}}
	whole := Summary{Group: at, Resource: at, Plural: at, Singular: at, Kind: at, ListKind: at}
	away := whole
	away.Kind.Pos.File = "other.yaml"
	for name, tt := range map[string]struct {
		in   transcript
		told bool
	}{
		"nothing":           {told: true},
		"a finding":         {transcript{Findings: []keptFinding{{ID: rule, Together: 1}}}, true},
		"no rule":           {transcript{Findings: []keptFinding{{ID: "gone"}}}, false},
		"before the first":  {transcript{Findings: []keptFinding{{ID: rule, Together: -1}}}, false},
		"after the last":    {transcript{Findings: []keptFinding{{ID: rule, Together: 2}}}, false},
		"a comment":         {transcript{Comments: named(suppress.RuleName{ID: rule, Unused: &lint.Finding{}})}, true},
		"no comment":        {transcript{Comments: []*suppress.Comment{nil}}, false},
		"of no rule":        {transcript{Comments: named(suppress.RuleName{ID: "gone", Unused: &lint.Finding{}})}, false},
		"never unused":      {transcript{Comments: named(suppress.RuleName{ID: rule})}, false},
		"a CRD":             {transcript{Summaries: []*Summary{&whole}}, true},
		"no CRD":            {transcript{Summaries: []*Summary{nil}}, false},
		"of another file":   {transcript{Summaries: []*Summary{&away}}, false},
		"notes of Go types": {transcript{Record: vicinity.Record{Notes: []vicinity.GoNote{{}}}}, false},
	} {
		text, err := cache.Write(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		report := NewCache(l, nil).Recall("crd.yaml", text)
		if (report != nil) != tt.told {
			t.Errorf("%s: %v, want one: %v", name, report, tt.told)
		}
		if report != nil {
			l.Report([]*FileReport{report})
		}
		for i := range text {
			NewCache(l, nil).Recall("crd.yaml", text[:i])
		}
	}
}

// FuzzRecall reads any text as a report: there is none, or one that can be told.
func FuzzRecall(f *testing.F) {
	l := &Linter{Rules: toyRules(), Record: &vicinity.Record{}}
	for _, src := range []string{
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition # crdlift:ignore schema-float -- why\nmetadata: {name: a.b.c}\nspec: {group: b.c}\n",
		"a: b\n", "kind: CustomResourceDefinition\napiVersion: [\n",
	} {
		text, err := NewCache(l, nil).Keep(l.File("crd.yaml", []byte(src)), &vicinity.Record{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if report := NewCache(l, nil).Recall("crd.yaml", text); report != nil {
			l.Report([]*FileReport{report})
		}
	})
}

// TestKeptRoles keeps the report on a copy in a chart, and changes which file it is a copy of: the report holds for as long as that
// is the same.
func TestKeptRoles(t *testing.T) {
	t.Parallel()
	const copied = "charts/op/crds/example.com_widgets.yaml"
	dir, manifest := inputs.Module(t, "../origin/testdata/origins.txtar")
	said := func(d repository.Decision, kept []byte) (message, recalled string, text []byte) {
		t.Helper()
		l := &Linter{Rules: []*Rule{speaks("copies", "spec.versions[0].schema.openAPIV3Schema.properties[spec]", nil)}, Record: &vicinity.Record{}}
		l.Go, l.Roles = &vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}, func(string, string) repository.Decision { return d }
		report := l.File(copied, manifest)
		text, err := NewCache(l, nil).Keep(report, l.Record)
		if err != nil {
			t.Fatal(err)
		}
		if again := NewCache(l, nil).Recall(copied, kept); again != nil {
			recalled = copyText(again)
		}
		return copyText(report), recalled, text
	}
	var kept []byte
	for _, step := range []struct {
		name     string
		is       repository.Decision
		want     string
		recalled bool
	}{
		{"the chart is the source", repository.Decision{Role: lint.RoleSource}, `copy of ""`, false},
		{"there is another source", repository.Decision{Role: lint.RoleChart, Source: "gen/crd.yaml"}, `copy of "gen/crd.yaml"`, false},
		{"for another reason", repository.Decision{Role: lint.RoleChart, Source: "gen/crd.yaml", Because: repository.Reason{Text: "says so"}}, `copy of "gen/crd.yaml"`, true},
		{"the source is elsewhere", repository.Decision{Role: lint.RoleChart, Source: "out/crd.yaml"}, `copy of "out/crd.yaml"`, false},
		{"it is gone", repository.Decision{Role: lint.RoleOld}, `copy of ""`, false},
	} {
		var message, recalled string
		message, recalled, kept = said(step.is, kept)
		if message != step.want || (recalled == message) != step.recalled || !step.recalled && recalled != "" {
			t.Errorf("%s: %s, and the report that was kept says %q", step.name, message, recalled)
		}
	}
}

// copyText says what a finding is known to be in a copy of.
func copyText(r *FileReport) string { return fmt.Sprintf("copy of %q", r.Findings[0].Origin.CopyOf) }
