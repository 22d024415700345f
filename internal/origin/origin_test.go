package origin_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// inModule is inputs.Module of testdata/origins.txtar, with an index of the Go types.
func inModule(t *testing.T) (dir string, types *vicinity.GoTypes, manifest []byte) {
	t.Helper()
	dir, manifest = inputs.Module(t, "testdata/origins.txtar")
	return dir, &vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}, manifest
}

// speaks is a rule that reports a path.
func speaks(path string) *engine.Rule {
	return &engine.Rule{ID: "a", Severity: lint.Error, Run: func(p *engine.Pass) {
		if place, there := p.CRD.Resolve(crd.Steps(path)); there {
			p.Report(place, "is here")
		}
	}}
}

const (
	rootOfV1    = "spec.versions[0].schema.openAPIV3Schema"
	specOfV1    = rootOfV1 + ".properties[spec]"
	deepOfV1    = specOfV1 + ".properties[deep]"
	statusOfV1  = rootOfV1 + ".properties[status]"
	specOfBeta1 = "spec.versions[1].schema.openAPIV3Schema.properties[spec]"
)

// remedies are changes of the manifest in testdata/origins.txtar, and how markers in the Go types there have to change.
var remedies = map[string]struct {
	change []lint.Change
	want   string
}{
	"a keyword of a field":                    {[]lint.Change{{Path: specOfV1 + ".properties[size]", Keyword: "default", Value: "s"}}, `field Spec.Size: +kubebuilder:default="s"`},
	"one that the field has":                  {[]lint.Change{{Path: specOfV1 + ".properties[colour]", Keyword: "pattern", Value: "^b$"}}, `field Spec.Colour: -+kubebuilder:validation:Pattern=b +kubebuilder:validation:Pattern="^b$"`},
	"one that only Go has":                    {[]lint.Change{{Path: specOfV1 + ".properties[names].items", Keyword: "maxLength", Value: 5.0}}, "stale type Names:"},
	"one that goes":                           {[]lint.Change{origin.ToRemove(specOfV1+".properties[colour]", "pattern")}, `field Spec.Colour: -+kubebuilder:validation:Pattern=b`},
	"one that is not a marker in Go":          {[]lint.Change{origin.ToRemove(specOfV1+".properties[size]", "pattern")}, "field Spec.Size:"},
	"one that a person chooses":               {[]lint.Change{origin.ToChoose(specOfV1+".properties[list]", "maxItems")}, `field Spec.List: +kubebuilder:validation:MaxItems=<number>?`},
	"one that a person corrects":              {[]lint.Change{origin.ToChoose(specOfV1+".properties[colour]", "pattern")}, `field Spec.Colour: =+kubebuilder:validation:Pattern=b`},
	"an enum that a person corrects":          {[]lint.Change{origin.ToChoose(specOfV1+".properties[metal]", "enum")}, `type Metal: =+kubebuilder:validation:Enum=iron;iron`},
	"short names that a person corrects":      {[]lint.Change{origin.ToChoose("spec.names", "shortNames")}, "kind Widget: =+kubebuilder:resource:shortName={w,w},scope=Namespaced"},
	"a category that a person chooses":        {[]lint.Change{origin.ToChoose("spec.names", "categories")}, "kind Widget: -+kubebuilder:resource:shortName={w,w},scope=Namespaced +kubebuilder:resource:shortName={w,w},scope=Namespaced,categories=<categories>?"},
	"no short names":                          {[]lint.Change{origin.ToRemove("spec.names", "shortNames")}, "kind Widget: -+kubebuilder:resource:shortName={w,w},scope=Namespaced +kubebuilder:resource:scope=Namespaced"},
	"a printer column's name":                 {[]lint.Change{origin.ToChoose("spec.versions[0].additionalPrinterColumns[0]", "name")}, "kind Widget: =+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.sise"},
	"its description":                         {[]lint.Change{origin.ToChoose("spec.versions[0].additionalPrinterColumns[0]", "description")}, "kind Widget: -+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.sise +kubebuilder:printcolumn:name=\"Size\",type=string,JSONPath=`.spec.sise`,description=\"<description>\"?"},
	"the printer columns":                     {[]lint.Change{origin.ToChoose("spec.versions[0]", "additionalPrinterColumns")}, "kind Widget: =+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.sise"},
	"one that has no marker":                  {[]lint.Change{{Path: specOfV1 + ".properties[size]", Keyword: "title", Value: "s"}}, "field Spec.Size:"},
	"one of the items":                        {[]lint.Change{origin.ToChoose(specOfV1+".properties[list].items", "maxLength")}, `field Spec.List: +kubebuilder:validation:items:MaxLength=<number>?!v0.15.0`},
	"one of a named type":                     {[]lint.Change{origin.ToChoose(specOfV1+".properties[names]", "maxItems")}, `type Names: +kubebuilder:validation:MaxItems=<number>?`},
	"one that the type has":                   {[]lint.Change{{Path: specOfV1 + ".properties[metal]", Keyword: "enum", Value: []any{"tin"}}}, `type Metal: -+kubebuilder:validation:Enum=iron;iron +kubebuilder:validation:Enum=tin`},
	"a list of a named type":                  {[]lint.Change{{Path: specOfV1 + ".properties[names]", Keyword: "x-kubernetes-list-type", Value: "set"}}, `type Names: +listType=set!v0.10.0`},
	"one of what another module declares":     {[]lint.Change{origin.ToChoose(specOfV1+".properties[selector].properties[matchExpressions]", "maxItems")}, "field Spec.Selector: of v1.LabelSelector in k8s.io/apimachinery"},
	"a struct as one value":                   {[]lint.Change{{Path: specOfV1, Keyword: "x-kubernetes-map-type", Value: "atomic"}}, "type Spec: +structType=atomic!v0.10.0"},
	"a map as one value":                      {[]lint.Change{{Path: specOfV1 + ".properties[map]", Keyword: "x-kubernetes-map-type", Value: "atomic"}}, "field Spec.Map: +mapType=atomic"},
	"required no longer":                      {[]lint.Change{{Path: specOfV1, Keyword: "required", Value: []any{"size"}}}, "field Spec.Colour: -+kubebuilder:validation:Required +kubebuilder:validation:Optional"},
	"required":                                {[]lint.Change{{Path: specOfV1, Keyword: "required", Value: []any{"size", "colour", "list"}}}, "field Spec.List: -+optional +required!v0.16.0"},
	"a message of a rule":                     {[]lint.Change{origin.ToChoose(specOfV1+".x-kubernetes-validations[1]", "message")}, `type Spec: -+kubebuilder:validation:XValidation:rule="self.size != 'b'" +kubebuilder:validation:XValidation:rule="self.size != 'b'",message="<message>"?`},
	"a message of a rule of what is inlined":  {[]lint.Change{origin.ToChoose(deepOfV1+".x-kubernetes-validations[0]", "message")}, `type Base: -+kubebuilder:validation:XValidation:rule="self.depth > 1" +kubebuilder:validation:XValidation:rule="self.depth > 1",message="<message>"?`},
	"of a rule beside it":                     {[]lint.Change{origin.ToChoose(deepOfV1+".x-kubernetes-validations[1]", "message")}, `type Deep: -+kubebuilder:validation:XValidation:rule="self.depth > 2" +kubebuilder:validation:XValidation:rule="self.depth > 2",message="<message>"?`},
	"of a rule from elsewhere":                {[]lint.Change{origin.ToChoose(deepOfV1+".x-kubernetes-validations[2]", "message")}, "field Spec.Size:"},
	"another rule":                            {[]lint.Change{{Path: specOfV1, Keyword: "x-kubernetes-validations", Value: []any{map[string]any{"rule": "self.size != 'a'"}, map[string]any{"rule": "true"}}}}, `type Spec: -+kubebuilder:validation:XValidation:rule="self.size != 'b'" +kubebuilder:validation:XValidation:rule="true"`},
	"an integer or a string":                  {[]lint.Change{origin.ToRemove(specOfV1+".properties[size]", "type"), {Path: specOfV1 + ".properties[size]", Keyword: "x-kubernetes-int-or-string", Value: true}}, `field Spec.Size: +kubebuilder:validation:XIntOrString`},
	"two fields":                              {[]lint.Change{origin.ToChoose(specOfV1+".properties[list]", "maxItems"), {Path: specOfV1 + ".properties[size]", Keyword: "nullable", Value: true}}, "field Spec.List: +kubebuilder:validation:MaxItems=<number>?; field Spec.Size: +nullable"},
	"a field that Go does not have":           {[]lint.Change{{Path: specOfV1 + ".properties[gone]", Keyword: "nullable", Value: true}}, "stale field Widget.Spec:"},
	"a field with another text":               {[]lint.Change{{Path: statusOfV1 + ".properties[phase]", Keyword: "nullable", Value: true}}, "stale field Status.Phase:"},
	"a field in another version":              {[]lint.Change{{Path: specOfBeta1 + ".properties[size]", Keyword: "nullable", Value: true}}, "field OldSpec.Size: +nullable"},
	"the status subresource":                  {[]lint.Change{{Path: "spec.versions[0]", Keyword: "subresources", Value: map[string]any{"status": map[string]any{}}}}, "kind Widget: +kubebuilder:subresource:status"},
	"the selector of scale":                   {[]lint.Change{{Path: "spec.versions[1].subresources.scale", Keyword: "labelSelectorPath", Value: ".status.selector"}}, "kind Widget: -+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector"},
	"a printer column's path":                 {[]lint.Change{{Path: "spec.versions[0].additionalPrinterColumns[0]", Keyword: "jsonPath", Value: ".spec.colour"}}, "kind Widget: -+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.sise +kubebuilder:printcolumn:name=\"Size\",type=string,JSONPath=`.spec.colour`"},
	"one printer column fewer":                {[]lint.Change{{Path: "spec.versions[0]", Keyword: "additionalPrinterColumns", Value: []any{}}}, "kind Widget: -+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.sise"},
	"short names, said in another version":    {[]lint.Change{{Path: "spec.names", Keyword: "shortNames", Value: []any{"wi"}}}, "kind Widget: -+kubebuilder:resource:shortName={w,w},scope=Namespaced +kubebuilder:resource:shortName=wi,scope=Namespaced"},
	"another storage version":                 {[]lint.Change{{Path: "spec.versions[1]", Keyword: "storage", Value: true}, {Path: "spec.versions[0]", Keyword: "storage", Value: false}}, "kind Widget: +kubebuilder:storageversion; kind Widget: -+kubebuilder:storageversion"},
	"a version that is no longer served":      {[]lint.Change{{Path: "spec.versions[1]", Keyword: "served", Value: false}}, "kind Widget: +kubebuilder:unservedversion"},
	"a version less":                          {[]lint.Change{origin.ToRemove("spec.versions", "v1beta1")}, "kind Widget: -+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas +kubebuilder:skipversion"},
	"a type that two versions have":           {[]lint.Change{origin.ToRemove(specOfV1+".properties[shared]", "uniqueItems"), origin.ToRemove(specOfBeta1+".properties[shared]", "uniqueItems")}, "type Shared: -+kubebuilder:validation:UniqueItems=true"},
	"a value for a type of two versions":      {[]lint.Change{origin.ToChoose(specOfV1+".properties[shared]", "maxItems"), origin.ToChoose(specOfBeta1+".properties[shared]", "maxItems")}, "type Shared: +kubebuilder:validation:MaxItems=<number>?"},
	"two markers of it with one text":         {[]lint.Change{origin.ToRemove(specOfV1+".properties[shared]", "x-kubernetes-list-type"), origin.ToRemove(specOfBeta1+".properties[shared]", "x-kubernetes-list-type")}, "type Shared: -+listType=set -+listType=set"},
	"a warning":                               {[]lint.Change{{Path: "spec.versions[1]", Keyword: "deprecationWarning", Value: "use v1"}}, `kind Widget: -+kubebuilder:deprecatedversion:warning="old" +kubebuilder:deprecatedversion:warning="use v1"`},
	"an annotation":                           {[]lint.Change{origin.ToChoose("metadata.annotations", "example.com/a")}, `kind Widget: +kubebuilder:metadata:annotations="example.com/a=<value>"?!v0.11.0`},
	"a conversion, which Go types do not say": {[]lint.Change{{Path: "spec.conversion", Keyword: "strategy", Value: "None"}}, "field Spec.Size:"},
}

// TestRemedies changes markers as remedies of findings about spec.size ask for it.
func TestRemedies(t *testing.T) {
	t.Parallel()
	_, types, manifest := inModule(t)
	for name, test := range remedies {
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(specOfV1 + ".properties[size]"))
			p.Report(at, "here").Remedy = test.change
		}}}}
		found := l.File("crd.yaml", manifest).Findings
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", name, len(found))
		}
		if diff := cmp.Diff(test.want, originText(found[0].Origin)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestColumnsOfOneName changes the markers of printer columns where two have one name.
func TestColumnsOfOneName(t *testing.T) {
	t.Parallel()
	column := func(name, path string) map[string]any {
		return map[string]any{"name": name, "jsonPath": path, "type": "string"}
	}
	size, colour := column("Size", ".spec.sise"), column("Size", ".spec.colour")
	for name, test := range map[string]struct {
		after []any
		want  string
	}{
		"one more":  {[]any{size, colour, column("List", ".spec.list")}, "kind Widget: +kubebuilder:printcolumn:name=\"List\",type=string,JSONPath=`.spec.list`"},
		"one fewer": {[]any{size}, "kind Widget: -+kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.colour"},
	} {
		dir, types, manifest := inModule(t)
		manifest = bytes.Replace(manifest, []byte("      type: string\n    name: v1\n"), []byte("      type: string\n    - jsonPath: .spec.colour\n      name: Size\n      type: string\n    name: v1\n"), 1)
		inTypes(t, dir, "type Widget struct", "// +kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.colour\ntype Widget struct")
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			p.Report(p.CRD.Versions()[0].At, "here").Remedy = []lint.Change{{Path: "spec.versions[0]", Keyword: "additionalPrinterColumns", Value: test.after}}
		}}}}
		found := l.File("crd.yaml", manifest).Findings
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", name, len(found))
		}
		if diff := cmp.Diff(test.want, originText(found[0].Origin)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestResourceOfEachVersion changes what is about all versions above each struct that says it, as kubebuilder writes it.
func TestResourceOfEachVersion(t *testing.T) {
	t.Parallel()
	const own, other = "+kubebuilder:resource:shortName=w;w", "+kubebuilder:resource:shortName={w,w},scope=Namespaced"
	const listed, alone = `+kubebuilder:metadata:annotations={"a=b","example.com/b=1"}`, "+kubebuilder:metadata:annotations=example.com/b=1"
	one := []lint.Change{{Path: "spec.names", Keyword: "shortNames", Value: []any{"w"}}}
	kinds := func(of ...string) string { return "kind Widget: " + strings.Join(of, "; kind Widget: ") }
	for name, test := range map[string]struct {
		marker string // above the struct of v1
		change []lint.Change
		want   string
	}{
		"a fix":                   {own, one, kinds("-"+own+" +kubebuilder:resource:shortName=w", "-"+other+" +kubebuilder:resource:shortName=w,scope=Namespaced")},
		"one that it has":         {"+kubebuilder:resource:shortName=w", one, kinds("-" + other + " +kubebuilder:resource:shortName=w,scope=Namespaced")},
		"one that it lacks":       {"+kubebuilder:resource:categories=all", one, kinds("-" + other + " +kubebuilder:resource:shortName=w,scope=Namespaced")},
		"one that both lack":      {own, []lint.Change{origin.ToChoose("spec.names", "categories")}, kinds("-"+own+" "+own+",categories=<categories>?", "-"+other+" "+other+",categories=<categories>?")},
		"one to correct":          {own, []lint.Change{origin.ToChoose("spec.names", "shortNames")}, kinds("="+own, "="+other)},
		"one that goes":           {own, []lint.Change{origin.ToRemove("spec.names", "shortNames")}, kinds("-"+own+" +kubebuilder:resource", "-"+other+" +kubebuilder:resource:scope=Namespaced")},
		"an annotation in a list": {listed, []lint.Change{{Path: "metadata.annotations", Keyword: "example.com/b", Value: "2"}}, kinds("-" + listed + ` +kubebuilder:metadata:annotations={"a=b","example.com/b=2"}`)},
		"one of it that goes":     {listed, []lint.Change{origin.ToRemove("metadata.annotations", "example.com/b")}, kinds("-" + listed + ` +kubebuilder:metadata:annotations={"a=b"}`)},
		"one of it to correct":    {listed, []lint.Change{origin.ToChoose("metadata.annotations", "example.com/b")}, kinds("=" + listed)},
		"an annotation alone":     {alone, []lint.Change{{Path: "metadata.annotations", Keyword: "example.com/b", Value: "2"}}, kinds("-" + alone + ` +kubebuilder:metadata:annotations="example.com/b=2"`)},
		"not another parameter":   {"+kubebuilder:metadata:labels=a=b", one, kinds("-" + other + " +kubebuilder:resource:shortName=w,scope=Namespaced")},
	} {
		dir, types, manifest := inModule(t)
		inTypes(t, dir, "type Widget struct", "// "+test.marker+"\ntype Widget struct")
		manifest = bytes.Replace(manifest, []byte("v0.9.2\n"), []byte("v0.21.0\n    example.com/b: \"1\"\n"), 1)
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			p.Report(p.CRD.Versions()[0].At, "here").Remedy = test.change
		}}}}
		if got := originText(l.File("crd.yaml", manifest).Findings[0].Origin); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// inTypes replaces a text in the Go types of v1 once.
func inTypes(t *testing.T, dir, old, new string) {
	t.Helper()
	file := filepath.Join(dir, "v1", "types.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(old), []byte(new), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// originText is an origin as text: a question mark follows what a person has to choose, an exclamation mark what is too new,
// and an equals sign comes before what is to be corrected.
func originText(o *lint.Origin) string {
	if o == nil {
		return "nothing"
	}
	var all []string
	for _, m := range o.Marks() {
		parts := []string{fmt.Sprintf("%s %s:", m.At, m.Symbol)}
		for _, wrong := range m.Correct {
			parts = append(parts, "="+wrong.Text)
		}
		for _, drop := range m.Drop {
			parts = append(parts, "-"+drop.Text)
		}
		for _, add := range m.Add {
			text := add.Text
			if add.Open {
				text += "?"
			}
			if add.Needs != "" {
				text += "!" + add.Needs
			}
			parts = append(parts, text)
		}
		all = append(all, strings.Join(parts, " "))
	}
	text := strings.Join(all, "; ")
	switch o.Confidence {
	case lint.StaleOrigin:
		return "stale " + text
	case lint.ForeignOrigin:
		return text + " of " + o.Type + " in " + o.Module
	}
	return text
}

// TestOriginsAreLazy: rules that find nothing read no Go file; afterwards what was read is kept.
func TestOriginsAreLazy(t *testing.T) {
	t.Parallel()
	dir, types, manifest := inModule(t)
	file := filepath.Join(dir, "v1", "types.go")
	for _, test := range []struct {
		path string // of a finding
		read bool
		want string
	}{
		{"spec.nothing", false, ""},
		{"spec.scope", true, "kind Widget:"},
		{specOfV1 + ".properties[size]", true, "field Spec.Size:"},
	} {
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{speaks(test.path)}}
		var got string
		for _, f := range l.File("crd.yaml", manifest).Findings {
			got = originText(f.Origin)
		}
		if _, read := types.Index.Source("v1/types.go"); read != test.read || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got %q, read Go: %t", test.path, got, read)
		}
		if !test.read {
			continue
		}
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// TestOriginsOf finds the types of manifests that are generated from them, and of no others.
func TestOriginsOf(t *testing.T) {
	t.Parallel()
	_, types, manifest := inModule(t)
	const annotation = "    controller-gen.kubebuilder.io/version: v0.9.2\n"
	for name, test := range map[string]struct{ old, new, want string }{
		"by controller-gen":               {"", "", "field Spec.Size:"},
		"its annotation lost":             {"  annotations:\n" + annotation, "", "field Spec.Size:"},
		"by hand":                         {"  annotations:\n" + annotation, "  annotations: {a: APIVersion}\n", "nothing"},
		"by another generator":            {"  annotations:\n" + annotation, "  annotations: {crd.solo.io/specHash: a}\n", "nothing"},
		"in a cluster":                    {"  name: widgets", "  uid: a\n  name: widgets", "nothing"},
		"of another group":                {"group: example.com", "group: example.org", "nothing"},
		"of a kind that is not in Go":     {"kind: Widget\n", "kind: Gadget\n", "nothing"},
		"of a version that is not in Go":  {"name: v1\n", "name: v3\n", "nothing"},
		"with another text of the field":  {"Size is how large it is.", "Size is small.", "stale field Spec.Size:"},
		"without a text":                  {"                description: Size is how large it is.\n", "", "field Spec.Size:"},
		"with lines of older generators":  {"Size is how large it is.", "Size is how large it is. --- internal", "field Spec.Size:"},
		"with lines in another width":     {"Size is how large it is.", "|-\n                  Size is how\n                  large it is.", "field Spec.Size:"},
		"of a version with another index": {"name: v1beta1\n", "name: v2\n", "field Spec.Size:"},
	} {
		src := strings.Replace(string(manifest), test.old, test.new, 1)
		if name == "by hand" {
			src = strings.ReplaceAll(src, "APIVersion defines the versioned schema of this representation of an object.", "")
		}
		l := &engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{speaks(specOfV1 + ".properties[size]")}}
		found := l.File("crd.yaml", []byte(src)).Findings
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", name, len(found))
		}
		if got := originText(found[0].Origin); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestRemediesUpToTheBound: what fixes change is found out as long as that looks at few enough nodes. Of how many fixes it is not
// known is said.
func TestRemediesUpToTheBound(t *testing.T) {
	t.Parallel()
	const small = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: a, scope: b}\nmetadata:\n  name: a\n"
	src := []byte(small + "  annotations: {controller-gen.kubebuilder.io/version: v0.16.5}\n  finalizers: [" + strings.Repeat("a, ", 20_000) + "]\n")
	found, _ := crd.Find(manifest.Parse("crd.yaml", src).Documents[0].Root.YNode())
	most := limit.RemedyNodes / crd.Size(found[0].Node)
	for fixes, want := range map[int]int{most: 0, most + 1: 1} {
		l := &engine.Linter{Rules: []*engine.Rule{{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			scope, _ := p.CRD.Resolve([]string{"spec", "scope"})
			for i := range fixes {
				p.Reportf(scope, "number %d", i).Fix = &engine.Fix{Title: "change nothing", Apply: func(*crd.CRD) bool { return false }}
			}
		}}}}
		said := 0
		for _, f := range l.File("crd.yaml", src).Findings {
			if f.Rule.ID == engine.LimitRule.ID && f.Severity == lint.Info && strings.Contains(f.Message, "does not know the Go markers for 1 finding,") {
				said++
			}
		}
		if said != want {
			t.Errorf("%d fixes: it is said %d times, want %d", fixes, said, want)
		}
	}
}
