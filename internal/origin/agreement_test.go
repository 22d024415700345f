package origin_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// TestCopies: no markers are named for a manifest that may be older than its Go types on purpose, by what it is to its repository.
// The source is named where there is one.
func TestCopies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path, other string // the manifest at hand, and another one
		confidence  lint.Confidence
		copyOf      string
	}{
		{"crd.yaml", "", lint.ExactOrigin, ""},
		{"config/crd/bases/crd.yaml", "bundle/crd.yaml", lint.ExactOrigin, ""},
		{"v1/crd.yaml", "", lint.ExactOrigin, ""},
		{"helm-releases.yaml", "", lint.ExactOrigin, ""},
		{"charts/widgets/crd.yaml", "", lint.ExactOrigin, ""},
		{"charts/widgets/crd.yaml", "testdata/crd.yaml", lint.ExactOrigin, ""},
		{"charts/widgets/crd.yaml", "config/crd/bases/renamed.yaml", lint.CopyOrigin, "config/crd/bases/renamed.yaml"},
		{"dist/crd.yaml", "deploy/widgets.yaml", lint.CopyOrigin, "deploy/widgets.yaml"},
		{"bundle/manifests/crd.yaml", "deploy/widgets.yaml", lint.CopyOrigin, "deploy/widgets.yaml"},
		{"test/testdata/crd.yaml", "deploy/widgets.yaml", lint.CopyOrigin, "deploy/widgets.yaml"},
		{"test/testdata/crd.yaml", "", lint.CopyOrigin, ""},
		{"v1.2.0/crd.yaml", "", lint.CopyOrigin, ""},
		{"vendor/crd.yaml", "", lint.ExactOrigin, ""}, // another project's, and nothing is known of that
	} {
		dir, types, manifest := inModule(t)
		tree := &txtar.Archive{Files: []txtar.File{{Name: "charts/widgets/Chart.yaml"}, {Name: "bundle/manifests/widgets.clusterserviceversion.yaml"}, {Name: test.path, Data: manifest}}}
		if test.other != "" {
			tree.Files = append(tree.Files, txtar.File{Name: test.other, Data: manifest})
		}
		around, err := repository.AroundFolder(dir, nil)
		if err = errors.Join(err, os.Remove(filepath.Join(dir, "crd.yaml")), txtar.Write(tree, dir)); err != nil {
			t.Fatal(err)
		}
		l := &engine.Linter{Sources: vicinity.Sources{Go: types, Roles: around.CRD}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(specOfV1 + ".properties[list]"))
			p.Report(at, "here").Remedy = []lint.Change{origin.ToChoose(at.Path, "maxItems")}
		}}}}
		f := l.File(test.path, manifest).Findings[0]
		want := "field Spec.List: +kubebuilder:validation:MaxItems=<number>?"
		if test.confidence == lint.CopyOrigin {
			want = "field Spec.List:"
		}
		if got := originText(f.Origin); got != want || f.Origin.Confidence != test.confidence || f.Origin.CopyOf != test.copyOf {
			t.Errorf("%s beside %s: %s of %q, %s", test.path, test.other, f.Origin.Confidence, f.Origin.CopyOf, got)
		}
	}
}

// TestPartial: of a remedy that markers make in part, these are shown; no program writes them.
func TestPartial(t *testing.T) {
	t.Parallel()
	_, types, manifest := inModule(t)
	const size, list, foreign = specOfV1 + ".properties[size]", specOfV1 + ".properties[list]", specOfV1 + ".properties[selector].properties[matchExpressions]"
	bound := origin.ToChoose(list, "maxItems")
	for name, test := range map[string]struct {
		change  []lint.Change
		want    string
		partial bool
	}{
		"all of it":              {[]lint.Change{bound}, "field Spec.List: +kubebuilder:validation:MaxItems=<number>?", false},
		"none of it":             {[]lint.Change{{Path: size, Keyword: "title", Value: "a"}}, "field Spec.Size:", true},
		"not what is foreign":    {[]lint.Change{origin.ToChoose(foreign, "maxItems"), bound}, "field Spec.List: +kubebuilder:validation:MaxItems=<number>?", true},
		"not one without marker": {[]lint.Change{bound, {Path: size, Keyword: "title", Value: "a"}}, "field Spec.List: +kubebuilder:validation:MaxItems=<number>?", true},
		"two of one place":       {[]lint.Change{bound, {Path: list, Keyword: "title", Value: "a"}}, "field Spec.Size:", true},
	} {
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, FixesGo: true, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(size))
			p.Report(at, "here").Remedy = test.change
		}}}}
		o := l.File("crd.yaml", manifest).Findings[0].Origin
		if got := originText(o); got != test.want || o.Partial != test.partial || o.Writable() {
			t.Errorf("%s: got %s, partial %t", name, got, o.Partial)
		}
	}
}

// TestNotWritten: only the markers of a fix, and of a rule that says so, are for a program to write. A fix without a marker is
// not made in the manifest.
func TestNotWritten(t *testing.T) {
	t.Parallel()
	_, types, manifest := inModule(t)
	src := []byte(strings.Replace(string(manifest), "    controller-gen.kubebuilder.io/version: v0.9.2\n", "    a: b\n", 1))
	const size = specOfV1 + ".properties[size]"
	nullable, title := lint.Change{Path: size, Keyword: "nullable", Value: true}, lint.Change{Path: size, Keyword: "title", Value: "a"}
	for name, test := range map[string]struct {
		rule   engine.Rule
		change lint.Change
		fix    bool
		want   bool
		source string
	}{
		"a fix":                     {engine.Rule{}, nullable, true, true, "through the marker +nullable in the Go types, and run controller-gen again"},
		"a rule that says so":       {engine.Rule{FixesGo: true}, nullable, false, true, ""},
		"a remedy that is told":     {engine.Rule{}, nullable, false, false, ""},
		"a fix that has no marker":  {engine.Rule{}, title, true, false, "by a change in the Go types, and run controller-gen again"},
		"a rule that has no marker": {engine.Rule{FixesGo: true}, title, false, false, ""},
	} {
		rule := test.rule
		rule.ID, rule.Severity, rule.Run = "a", lint.Info, func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(size))
			f := p.Report(at, "here")
			f.Remedy = []lint.Change{test.change}
			if test.fix {
				f.Fix = &engine.Fix{Title: "change it", Safe: true, Apply: func(*crd.CRD) bool { return true }}
			}
		}
		f := (&engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{&rule}}).File("crd.yaml", src).Findings[0]
		if f.Origin.Writable() != test.want || (f.Fix != nil) != test.fix || test.fix && f.Fix.Source != test.source {
			t.Errorf("%s: %+v, %+v", name, f.Origin, f.Fix)
		}
	}
}

// TestLeftBehind changes what a manifest says of one keyword. The Go types there say something else then: nothing is known to
// change in them before the generator has run.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	const size, colour, metal, list = specOfV1 + ".properties[size]", specOfV1 + ".properties[colour]", specOfV1 + ".properties[metal]", specOfV1 + ".properties[list]"
	const columns = "spec.versions[0].additionalPrinterColumns"
	optional := []lint.Change{{Path: specOfV1, Keyword: "required", Value: []any{"colour"}}}
	for name, test := range map[string]struct {
		old, new string // of the manifest
		at       string // what the finding is about
		change   []lint.Change
		want     string
	}{
		"only Go has a pattern":                 {"pattern: b, ", "", colour, []lint.Change{origin.ToChoose(colour, "pattern")}, "stale field Spec.Colour:"},
		"another pattern":                       {"pattern: b", "pattern: c", colour + ".pattern", nil, "stale field Spec.Colour:"},
		"the same pattern":                      {"pattern: b", "'pattern': \"b\"", colour + ".pattern", nil, `field Spec.Colour: =+kubebuilder:validation:Pattern=b`},
		"a pattern that Go lacks":               {"Size is how large it is.\n", "Size is how large it is.\n                pattern: a\n", size + ".pattern", []lint.Change{origin.ToChoose(size, "pattern")}, "stale field Spec.Size:"},
		"a default that Go lacks":               {"Size is how large it is.\n", "Size is how large it is.\n                default: a\n", size + ".default", optional, "stale field Spec.Size:"},
		"no default on either side":             {"", "", size, optional, "field Spec.Size: +optional"},
		"a format, which types make":            {"list:\n", "list:\n                format: a\n", list + ".format", []lint.Change{origin.ToChoose(list, "maxItems")}, "field Spec.List: +kubebuilder:validation:MaxItems=<number>?"},
		"a value less":                          {"[iron, iron]", "[iron]", metal + ".enum", []lint.Change{{Path: metal, Keyword: "enum", Value: []any{"tin"}}}, "stale type Metal:"},
		"the same values":                       {"[iron, iron]", `["iron", iron]`, metal + ".enum", []lint.Change{{Path: metal, Keyword: "enum", Value: []any{"tin"}}}, "type Metal: -+kubebuilder:validation:Enum=iron;iron +kubebuilder:validation:Enum=tin"},
		"a rule that Go lacks":                  {"self.size != 'a'", "self.size != 'c'", specOfV1 + ".x-kubernetes-validations[0].rule", []lint.Change{origin.ToChoose(list, "maxItems")}, "stale type Spec:"},
		"a message for a rule that Go lacks":    {"self.size != 'a'", "self.size != 'c'", specOfV1, []lint.Change{origin.ToChoose(specOfV1+".x-kubernetes-validations[0]", "message")}, "stale type Spec:"},
		"a rule of what is inlined":             {"", "", deepOfV1 + ".x-kubernetes-validations[0].rule", nil, `type Base: =+kubebuilder:validation:XValidation:rule="self.depth > 1"`},
		"a rule from elsewhere":                 {"", "", deepOfV1 + ".x-kubernetes-validations[2].rule", nil, "field Spec.Deep:"},
		"a rule of a marker that makes several": {"", "", specOfV1 + ".properties[oneOf].x-kubernetes-validations[0].rule", nil, "field Spec.OneOf:"},
		"a rule of a field's marker":            {"", "", specOfV1 + ".properties[fixed].x-kubernetes-validations[0].rule", nil, "field Spec.Fixed:"},
		"a column that is in Go already":        {"name: Size", "name: Age", columns, []lint.Change{{Path: "spec.versions[0]", Keyword: "additionalPrinterColumns", Value: []any{map[string]any{"name": "Size"}}}}, "stale kind Widget:"},
		"a column that Go lacks":                {"name: Size", "name: Age", columns + "[0].jsonPath", nil, "stale kind Widget:"},
		"short names that Go does not have":     {"shortNames: [w, w]", "shortNames: [w, x]", "spec.names.shortNames", []lint.Change{{Path: "spec.names", Keyword: "shortNames", Value: []any{"wi"}}}, "stale kind Widget:"},
		"a scope that Go does not say":          {"", "", "spec.scope", []lint.Change{{Path: "spec", Keyword: "scope", Value: "Cluster"}}, "kind Widget: -+kubebuilder:resource:shortName={w,w},scope=Namespaced +kubebuilder:resource:shortName={w,w},scope=Cluster"},
		"another warning":                       {"deprecationWarning: old", "deprecationWarning: older", "spec.versions[1].deprecationWarning", []lint.Change{{Path: "spec.versions[1]", Keyword: "deprecationWarning", Value: "use v1"}}, "stale kind Widget:"},
		"an empty warning":                      {"deprecationWarning: old", "deprecationWarning: ''", "spec.versions[1].deprecationWarning", nil, "stale kind Widget:"},
		"a subresource that Go does not have":   {"    served: true\n    storage: true\n", "    served: true\n    storage: true\n    subresources: {status: {}}\n", "spec.versions[0].subresources", []lint.Change{origin.ToRemove("spec.versions[0].subresources", "status")}, "stale kind Widget:"},
	} {
		_, types, manifest := inModule(t)
		src := strings.Replace(string(manifest), test.old, test.new, 1)
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(test.at))
			p.Report(at, "here").Remedy = test.change
		}}}}
		found := l.File("crd.yaml", []byte(src)).Findings
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", name, len(found))
		}
		if got := originText(found[0].Origin); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestEmptyArgument: an argument that is empty is there. The manifest has it from the marker.
func TestEmptyArgument(t *testing.T) {
	t.Parallel()
	const emptied = `+kubebuilder:deprecatedversion:warning=""`
	dir, types, manifest := inModule(t)
	inTypes(t, dir, "type Widget struct", "// "+emptied+"\ntype Widget struct")
	src := strings.Replace(string(manifest), "    name: v1\n", "    name: v1\n    deprecated: true\n    deprecationWarning: ''\n", 1)
	for name, test := range map[string]struct {
		change []lint.Change
		want   string
	}{
		"to correct": {nil, "kind Widget: =" + emptied},
		"that goes":  {[]lint.Change{origin.ToRemove("spec.versions[0]", "deprecationWarning")}, "kind Widget: -" + emptied + " +kubebuilder:deprecatedversion"},
		"to replace": {[]lint.Change{{Path: "spec.versions[0]", Keyword: "deprecationWarning", Value: "use v2"}}, "kind Widget: -" + emptied + ` +kubebuilder:deprecatedversion:warning="use v2"`},
	} {
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps("spec.versions[0].deprecationWarning"))
			p.Report(at, "here").Remedy = test.change
		}}}}
		if got := originText(l.File("crd.yaml", []byte(src)).Findings[0].Origin); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
