package objectpass

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// tattler is a rule that says everything it knows, in every way in which a rule can, and then panics.
var tattler = &engine.Rule{ID: "object-tattler", Severity: lint.Error, Object: &Check{Run: func(p *Pass) {
	spec, _ := p.Tree()["spec"].(map[string]any)
	value := fmt.Sprint(spec["size"])
	at := request.Keys("spec", "size")
	f := p.Reportf(at, "%s is %s, %q, %v", at, text.Quoted(value), value, []string{value})
	f.Old, f.New, f.Witness = value, value, value
	f.Advise("it is " + value)
	f.Relate(f.Pos, "it is "+value)
	f.Fix = &engine.Fix{Title: "remove " + value, Object: func(o *objects.Object) bool { return len(layout.Rename(o.Node, "spec", value)) > 0 }}
	p.Report(at, value)
	p.ReportKeyf(at, "%s", fmt.Errorf("%s", value))
	p.ReportNodef(crd.Place{Node: p.Object.Node, Path: "spec." + value}, "%s", value)
	panic(value)
}}}

// TestDiscretion: what is hidden of an object is in no part of a finding about it, whatever a rule says.
func TestDiscretion(t *testing.T) {
	t.Parallel()
	const own = "apiVersion: example.com/v1\nkind: Database\nmetadata: {name: orders}\nspec: {size: hunter}\n"
	const dump = "apiVersion: example.com/v1\nkind: Database\nmetadata: {name: orders, uid: x}\nspec: {size: hunter}\n"
	const list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.com/v1, kind: Database, metadata: {name: orders}, spec: {size: hunter}}\n"
	for _, test := range []struct {
		name, path, src string
		values          Values
		hidden          bool
	}{
		{"the user's own", "db.yaml", own, AutoValues, false},
		{"from a server", "db.yaml", dump, AutoValues, true},
		{"from a server, by its revision", "db.yaml", strings.Replace(dump, "uid", "resourceVersion", 1), AutoValues, true},
		{"from a server, by who wrote it", "db.yaml", strings.Replace(dump, "uid: x", "managedFields: []", 1), AutoValues, true},
		{"beside one from a server", "db.yaml", own + "---\n" + dump, AutoValues, true},
		{"in a list", "db.yaml", list, AutoValues, true},
		{"in a stream", "<stdin>", own, AutoValues, true},
		{"never", "db.yaml", own, NeverValues, true},
		{"always", "<stdin>", list, AlwaysValues, false},
		{"text that may be a dump", "db.yaml", own + "---\nuid: [\n", AutoValues, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := objectsBy(databaseCRD, tattler)
			l.Edits = true
			judging(l).Values, judging(l).On = test.values, OnCreate
			judging(l).Stream = func(path string) bool { return path == "<stdin>" }
			src := strings.ReplaceAll(test.src, "hunter", "hunter2hunter2")
			report := l.Report([]*engine.FileReport{l.File(test.path, []byte(src))})
			if len(report.Findings) < 5 {
				t.Fatalf("%d findings", len(report.Findings))
			}
			shown := false
			for _, f := range report.Findings {
				said := fmt.Sprint(f.Message, f.Brief, f.Advice, f.Path, f.Old, f.New, f.Witness, f.Related, f.Excerpt)
				if f.Fix != nil {
					said += fmt.Sprint(*f.Fix)
				}
				shown = shown || strings.Contains(said, "hunter2")
				if test.hidden && strings.Contains(said, "hunter2") {
					t.Errorf("%+v", *f)
				}
				if strings.Contains(f.Message, "failed on this") && strings.Contains(f.Message, "hunter2") {
					t.Errorf("a panic is told: %s", f.Message)
				}
			}
			if shown == test.hidden {
				t.Errorf("shown is %v", shown)
			}
		})
	}
}

// TestAnonymous: hashes take the place of what identifies an object, and lines that have it hide it.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	const src = "apiVersion: example.com/v1\nkind: Database\nmetadata: {name: orders, namespace: prod-shop, labels: []}\nspec: {size: A}\n"
	l := objectsBy(databaseCRD, causes, tattler)
	judging(l).Anonymous, judging(l).Values = true, AlwaysValues
	report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(src))})
	for _, f := range report.Findings {
		said := fmt.Sprint(f.Message, f.Excerpt, *f.Object)
		if strings.Contains(said, "orders") || strings.Contains(said, "prod-shop") || f.Object.Name == "" || f.Object.Name == f.Object.Namespace {
			t.Errorf("%s", said)
		}
		if f.Pos.Line == 3 && !strings.HasPrefix(f.Excerpt, "metadata: {name: ******, namespace: *********,") {
			t.Errorf("the line is %s", f.Excerpt)
		}
	}
	if len(report.Findings) == 0 {
		t.Error("no findings")
	}
}
