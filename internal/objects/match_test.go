package objects

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/lint"
)

// crdOf is the text of a CRD.
func crdOf(kind, versions string) string {
	return strings.NewReplacer("KIND", kind, "PLURAL", strings.ToLower(kind)+"s", "VERSIONS", versions).Replace(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: one, shortNames: [short]}
  versions: [VERSIONS]
`)
}

const (
	servedV1   = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
	unservedV2 = "{name: v2, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}"
	refusedV3  = "{name: v3, served: true, storage: true, schema: {openAPIV3Schema: {}}}"
)

// catalogue has CRDs by the paths of their files.
func catalogue(t *testing.T, files map[string]string, named string) *Catalogue {
	t.Helper()
	c := &Catalogue{}
	for path, src := range files {
		c.Add(Definitions(path, path, []byte(src), path == named)...)
	}
	return c
}

// TestMatch is the table of what becomes of objects.
func TestMatch(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"config/crd/a.yaml": crdOf("Alpha", servedV1+","+unservedV2),
		"config/crd/r.yaml": crdOf("Refused", refusedV3),
		"one/crd/b.yaml":    crdOf("Beta", servedV1),
		"two/crd/b.yaml":    crdOf("Beta", servedV1+","+unservedV2),
		"one/crd/c.yaml":    crdOf("Gamma", servedV1),
		"two/crd/c.yaml":    "# the same\n" + crdOf("Gamma", servedV1),
		"one/crd/d.yaml":    crdOf("Delta", servedV1),
		"two/crd/d.yaml":    crdOf("Delta", unservedV2+","+servedV1),
	}
	c := catalogue(t, files, "two/crd/d.yaml")
	for _, test := range []struct {
		src, path string
		want      Verdict
		defined   string
	}{
		{"{apiVersion: example.com/v1, kind: Alpha}", "a.yaml", Judged, "config/crd/a.yaml"},
		{"{apiVersion: example.com/v2, kind: Alpha}", "a.yaml", VersionUnserved, "config/crd/a.yaml"},
		{"{apiVersion: example.com/v4, kind: Alpha}", "a.yaml", VersionUnknown, "config/crd/a.yaml"},
		{"{apiVersion: example.com/v1, kind: alphas}", "a.yaml", KindUnknown, ""},
		{"{apiVersion: example.com/v3, kind: Refused}", "a.yaml", NotJudged, "config/crd/r.yaml"},
		{"{apiVersion: example.org/v1, kind: Alpha}", "a.yaml", NoCRD, ""},
		{"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway}", "a.yaml", NoCRD, ""},
		{"{apiVersion: v1, kind: Pod}", "a.yaml", BuiltIn, ""},
		{"{apiVersion: apps/v1, kind: Deployment}", "a.yaml", BuiltIn, ""},
		{"{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization}", "a.yaml", BuiltIn, ""},
		{"{apiVersion: skaffold/v4, kind: Config}", "a.yaml", BuiltIn, ""},
		{"{apiVersion: example.com/v1, kind: Alpha, spec: {list: [{$patch: replace}]}}", "a.yaml", Partial, ""},
		{"{apiVersion: example.com/v1, kind: Alpha, spec: {patches: [{apiVersion: v1, kind: Pod, $patch: delete}]}}", "a.yaml", Judged, "config/crd/a.yaml"},
		{"{apiVersion: example.com/v1, kind: Beta}", "one/samples/b.yaml", Judged, "one/crd/b.yaml"},
		{"{apiVersion: example.com/v2, kind: Beta}", "two/samples/b.yaml", VersionUnserved, "two/crd/b.yaml"},
		{"{apiVersion: example.com/v1, kind: Beta}", "samples/b.yaml", Judged, "one/crd/b.yaml"},
		{"{apiVersion: example.com/v1, kind: Gamma}", "samples/c.yaml", Judged, ""},
		{"{apiVersion: example.com/v1, kind: Delta}", "one/samples/d.yaml", Judged, "two/crd/d.yaml"},
	} {
		_, all := objectsIn(t, test.src)
		got := c.Match(all[0], test.path)
		if got.Verdict != test.want {
			t.Errorf("%s in %s: verdict %d, want %d", test.src, test.path, got.Verdict, test.want)
		}
		if test.defined != "" && got.Definition.Path != test.defined {
			t.Errorf("%s in %s: defined by %s, want %s", test.src, test.path, got.Definition.Path, test.defined)
		}
	}
	if n := c.Count(); n != len(files) {
		t.Errorf("there are %d CRDs, want %d", n, len(files))
	}
}

// A stand is where a CRD is, and what it is there.
type stand struct {
	path, versions string
	role           lint.Role
	below          string
	given          bool
}

// define is the definition of a CRD of kind Alpha.
func (s stand) define() *Definition {
	d := Definitions(s.path, s.path, []byte(crdOf("Alpha", s.versions)), s.given)[0]
	d.Role, d.Below = s.role, s.below
	return d
}

// TestTemplatesLast: of copies, the one that needs no rendering is the one that is named.
func TestTemplatesLast(t *testing.T) {
	t.Parallel()
	src := crdOf("Alpha", servedV1)
	template := Definitions("a/templates/a.yaml", "a/templates/a.yaml", []byte("{{- if .Values.crds }}\n"+src+"{{- end }}\n"), false)
	if len(template) != 1 || !template[0].IsTemplate() {
		t.Fatalf("%+v", template)
	}
	var c Catalogue
	c.Add(append(template, Definitions("crds/a.yaml", "crds/a.yaml", []byte(src), false)...)...)
	if all := c.Kinds(); len(all) != 1 || all[0].Path != "crds/a.yaml" {
		t.Errorf("%+v", all)
	}
}

// TestCandidates is the table of the CRDs that judge an object, the nearest first, in whatever order they were found.
func TestCandidates(t *testing.T) {
	t.Parallel()
	const (
		a = servedV1
		b = servedV1 + "," + unservedV2
		c = "{name: v3, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
		e = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {}}}" // which no server takes
	)
	for _, test := range []struct {
		why    string
		crds   []stand
		object string
		want   string
	}{
		{"copies are one, the one at the source", []stand{{path: "charts/a.yaml", versions: a, role: lint.RoleChart}, {path: "crd/a.yaml", versions: a}, {path: "dist/a.yaml", versions: a, role: lint.RoleBuilt}},
			"samples/o.yaml", "crd/a.yaml"},
		{"of copies the nearest", []stand{{path: "charts/x/a.yaml", versions: a, role: lint.RoleChart}, {path: "crd/a.yaml", versions: a}},
			"charts/x/examples/o.yaml", "charts/x/a.yaml"},
		{"all that are installed, the nearest first", []stand{{path: "charts/a.yaml", versions: a, role: lint.RoleChart}, {path: "crd/a.yaml", versions: b}},
			"charts/o.yaml", "charts/a.yaml crd/a.yaml"},
		{"what others are made from before these", []stand{{path: "a/a.yaml", versions: a, role: lint.RoleChart}, {path: "b/a.yaml", versions: b, role: lint.RoleBuilt}, {path: "c/a.yaml", versions: unservedV2 + "," + a}},
			"o.yaml", "c/a.yaml b/a.yaml a/a.yaml"},
		{"those with the version of the object first", []stand{{path: "x/a.yaml", versions: c}, {path: "y/a.yaml", versions: a}}, "x/o.yaml", "y/a.yaml x/a.yaml"},
		{"none that no server takes", []stand{{path: "x/a.yaml", versions: e}, {path: "y/a.yaml", versions: a}}, "x/o.yaml", "y/a.yaml"},
		{"unless there is no other", []stand{{path: "x/a.yaml", versions: e}}, "x/o.yaml", "x/a.yaml"},
		{"a bundle only where there is nothing else", []stand{{path: "bundle/a.yaml", versions: a, role: lint.RoleBundle}, {path: "crd/a.yaml", versions: b}}, "bundle/o.yaml", "crd/a.yaml"},
		{"a bundle, and what a page shows", []stand{{path: "bundle/a.yaml", versions: a, role: lint.RoleBundle}, {path: "docs/a.yaml", versions: b, role: lint.RoleDocs}, {path: "samples/a.yaml", versions: c, role: lint.RoleSample}},
			"o.yaml", "bundle/a.yaml docs/a.yaml samples/a.yaml"},
		{"those of other projects last", []stand{{path: "vendor/a.yaml", versions: a, role: lint.RoleForeign}, {path: "bundle/a.yaml", versions: b, role: lint.RoleBundle}}, "vendor/o.yaml", "bundle/a.yaml"},
		{"those of other projects alone", []stand{{path: "standard/a.yaml", versions: a, role: lint.RoleForeign}, {path: "experimental/a.yaml", versions: b, role: lint.RoleForeign}},
			"o.yaml", "experimental/a.yaml standard/a.yaml"},
		{"a test's own, in the test", []stand{{path: "e2e/a/testdata/a.yaml", versions: a, role: lint.RoleTest, below: "e2e/a"}, {path: "crd/a.yaml", versions: b}}, "e2e/a/o.yaml", "e2e/a/testdata/a.yaml"},
		{"a test's own, nowhere else", []stand{{path: "e2e/a/testdata/a.yaml", versions: a, role: lint.RoleTest, below: "e2e/a"}, {path: "crd/a.yaml", versions: b}}, "e2e/ab/o.yaml", "crd/a.yaml"},
		{"a test's own, in its folder where no other is known", []stand{{path: "testdata/a.yaml", versions: a, role: lint.RoleTest}, {path: "crd/a.yaml", versions: b}}, "testdata/x/o.yaml", "testdata/a.yaml"},
		{"of a test alone, nothing judges elsewhere", []stand{{path: "testdata/a.yaml", versions: a, role: lint.RoleTest}}, "samples/o.yaml", ""},
		{"an older release, in it", []stand{{path: "releases/v1/crd/a.yaml", versions: a, role: lint.RoleOld, below: "releases/v1"}, {path: "crd/a.yaml", versions: b}}, "releases/v1/samples/o.yaml", "releases/v1/crd/a.yaml"},
		{"an older release, not in the next", []stand{{path: "releases/v1/crd/a.yaml", versions: a, role: lint.RoleOld, below: "releases/v1"}, {path: "crd/a.yaml", versions: b}}, "releases/v2/samples/o.yaml", "crd/a.yaml"},
		{"those that were named before all others", []stand{{path: "x/a.yaml", versions: a, given: true}, {path: "crd/a.yaml", versions: b}, {path: "y/a.yaml", versions: a}}, "crd/o.yaml", "x/a.yaml"},
		{"of those, sources before a test's", []stand{{path: "x/testdata/a.yaml", versions: a, role: lint.RoleTest, given: true}, {path: "x/a.yaml", versions: b, given: true}}, "x/testdata/o.yaml", "x/a.yaml"},
		{"and a test's anywhere, if that is what was named", []stand{{path: "x/testdata/a.yaml", versions: a, role: lint.RoleTest, given: true}, {path: "crd/a.yaml", versions: b}}, "o.yaml", "x/testdata/a.yaml"},
	} {
		rnd := rand.New(rand.NewPCG(39, 4))
		for range 5 {
			rnd.Shuffle(len(test.crds), func(i, j int) { test.crds[i], test.crds[j] = test.crds[j], test.crds[i] })
			c := &Catalogue{}
			for _, s := range test.crds {
				c.Add(s.define())
			}
			m := c.Match(&Object{Group: "example.com", Kind: "Alpha", Version: "v1", Node: &yaml.Node{Kind: yaml.MappingNode}}, test.object)
			if got := strings.Join(paths(m), " "); got != test.want {
				t.Errorf("%s: judged by %q, want %q", test.why, got, test.want)
			}
			if test.want == "" && (m.Verdict != NoCRD || m.Elsewhere == nil) {
				t.Errorf("%s: verdict %d", test.why, m.Verdict)
			}
		}
	}
}

// paths are the files of the CRDs that judge an object.
func paths(m Match) (all []string) {
	if m.Definition != nil {
		all = append(all, m.Definition.Path)
	}
	for _, other := range m.Others {
		all = append(all, other.Definition.Path)
	}
	return all
}

// TestVariants: of very many different CRDs of a kind the nearest judge, and the others are counted.
func TestVariants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ crds, asked, more int }{{limit.Variants, limit.Variants, 0}, {limit.Variants + 3, limit.Variants, 3}} {
		c := &Catalogue{}
		for i := range test.crds {
			c.Add(stand{path: fmt.Sprintf("%02d/a.yaml", i), versions: fmt.Sprintf("%s,{name: v%d, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}", servedV1, i+2)}.define())
		}
		m := c.Match(&Object{Group: "example.com", Kind: "Alpha", Version: "v1", Node: &yaml.Node{Kind: yaml.MappingNode}}, "09/o.yaml")
		if got := paths(m); len(got) != test.asked || m.Unasked != test.more || got[0] != "09/a.yaml" {
			t.Errorf("%d CRDs: %d judge, and %d more, the first is %s", test.crds, len(got), m.Unasked, got[0])
		}
	}
}

// TestNearestHoweverWritten: which CRD is the nearest depends on where the files are, and not on how their paths are written.
func TestNearestHoweverWritten(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	spellings := []string{"", "../" + filepath.Base(here) + "/", filepath.ToSlash(here) + "/", "./x/../"}
	for _, test := range []struct{ right, wrong, object string }{
		{"a/b/crd.yaml", "config/crd.yaml", "a/o.yaml"},
		{"crd.yaml", "../crd.yaml", "a/o.yaml"},
		{"a/crd.yaml", "crd.yaml", "a/o.yaml"},
	} {
		for i := range len(spellings) * len(spellings) * len(spellings) {
			right, wrong, object := spellings[i%4]+test.right, spellings[i/4%4]+test.wrong, spellings[i/16]+test.object
			c := &Catalogue{}
			c.Add(stand{path: wrong, versions: servedV1 + "," + unservedV2}.define(), stand{path: right, versions: servedV1}.define())
			m := c.Match(&Object{Group: "example.com", Kind: "Alpha", Version: "v1", Node: &yaml.Node{Kind: yaml.MappingNode}}, object)
			if got := paths(m); !slices.Equal(got, []string{right, wrong}) {
				t.Errorf("%s is judged by %s, want %s first", object, got, right)
			}
		}
	}
}

// TestNameless: what has no name is no object that is to be applied.
func TestNameless(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"spec: {}": true, "metadata: ": true, "metadata: {}": true, "metadata: {labels: {name: a}}": true,
		"metadata: {name: a}": false, "metadata: {generateName: a-}": false,
		"metadata: {name: }": false, "metadata: {name: [a]}": false, "metadata: a": false, // mistakes in objects
		"base: &b {name: a}\nmetadata: {<<: *b}": false,
	} {
		_, all := objectsIn(t, "apiVersion: example.com/v1\nkind: Alpha\n"+src)
		if got := all[0].IsNameless(); got != want {
			t.Errorf("%s: %t, want %t", src, got, want)
		}
	}
}

// TestMeant: a plural, a short name, the kind of a list or what is misspelt in the place of a kind is understood.
func TestMeant(t *testing.T) {
	t.Parallel()
	c := catalogue(t, map[string]string{"a.yaml": crdOf("Alpha", servedV1)}, "")
	for _, word := range []string{"alphas", "Alphas", "one", "short", "AlphaList", "alpha", "Aplha"} {
		_, all := objectsIn(t, "{apiVersion: example.com/v1, kind: "+word+", items: no}")
		if m := c.Match(all[0], "b.yaml"); m.Verdict != KindUnknown || m.Meant != "Alpha" {
			t.Errorf("%s: verdict %d, meant %q", word, m.Verdict, m.Meant)
		}
	}
}

// TestMeantByTests: what only a test's CRD defines is meant by nobody outside of the test, and its group is not known there.
func TestMeantByTests(t *testing.T) {
	t.Parallel()
	tests := stand{path: "e2e/crd/alpha.yaml", versions: servedV1, role: lint.RoleTest, below: "e2e"}
	alone := &Catalogue{}
	alone.Add(tests.define())
	among := catalogue(t, map[string]string{"crd/beta.yaml": crdOf("Beta", servedV1)}, "")
	among.Add(tests.define())
	for _, test := range []struct {
		by                *Catalogue
		group, kind, path string
		want              Verdict
		meant             string // the kind or the group
	}{
		{alone, "example.com", "Alhpa", "e2e/a/o.yaml", KindUnknown, "Alpha"},
		{alone, "example.com", "Alhpa", "samples/o.yaml", NoCRD, ""},
		{alone, "exmaple.com", "Alpha", "e2e/a/o.yaml", KindUnknown, "example.com"},
		{alone, "exmaple.com", "Alpha", "samples/o.yaml", NoCRD, ""},
		{among, "example.com", "Alhpa", "e2e/a/o.yaml", KindUnknown, "Alpha"},
		{among, "example.com", "Alhpa", "samples/o.yaml", KindUnknown, ""},
	} {
		m := test.by.Match(&Object{Group: test.group, Kind: test.kind, Version: "v1", Node: &yaml.Node{Kind: yaml.MappingNode}}, test.path)
		if got := m.Meant + m.MeantGroup; m.Verdict != test.want || got != test.meant {
			t.Errorf("%s of %s in %s: verdict %d, meant %q; want %d, %q", test.kind, test.group, test.path, m.Verdict, got, test.want, test.meant)
		}
	}
}

// TestUnread: objects of a CRD that cannot be read are not those of somebody else.
func TestUnread(t *testing.T) {
	t.Parallel()
	alpha := crdOf("Alpha", servedV1)
	broken := strings.Replace(alpha, "spec:", "spec: {", 1)
	for _, test := range []struct {
		story, found, named, kind string
		want                      Verdict
		why                       string
	}{
		{"of another version", strings.Replace(alpha, "k8s.io/v1", "k8s.io/v7", 1), "", "Alpha", NotJudged, "its CRD cannot be read: "},
		{"of a wrong type", strings.Replace(alpha, "scope: Namespaced", "scope: [a]", 1), "", "Alpha", NotJudged, "its CRD cannot be read: "},
		{"that does not parse", broken, "", "Alpha", NotJudged, "its CRD does not parse: "},
		{"that does not parse, of another kind", broken, "", "Alph", NoCRD, ""},
		{"that does not parse, and has a copy", broken + "---\n" + alpha, "", "Alpha", Judged, ""},
		{"that does not parse, and was named", alpha, broken, "Alpha", NotJudged, "its CRD does not parse: "},
		{"that was found, beside one that was named", broken, alpha, "Alpha", Judged, ""},
	} {
		c := &Catalogue{}
		c.Add(Definitions("a.yaml", "a.yaml", []byte(test.found), false)...)
		c.Add(Definitions("b.yaml", "b.yaml", []byte(test.named), true)...)
		_, all := objectsIn(t, "{apiVersion: example.com/v1, kind: "+test.kind+"}")
		m := c.Match(all[0], "o.yaml")
		if m.Verdict != test.want || !strings.HasPrefix(m.Why, test.why) {
			t.Errorf("%s: verdict %d, %q", test.story, m.Verdict, m.Why)
		}
		if m.Verdict == NotJudged && (len(c.Unread()) != 1 || len(c.Kinds()) > 1) {
			t.Errorf("%s: %d unread CRDs, %d kinds", test.story, len(c.Unread()), len(c.Kinds()))
		}
	}
}

// TestDefinitions: only whole CRDs define anything.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"a part":           "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n",
		"a Jinja template": "{% if crds %}\n" + crdOf("Alpha", servedV1) + "{% endif %}\n",
		"something else":   "# CustomResourceDefinition\nkind: Pod\n",
	} {
		if all := Definitions("a.yaml", "a.yaml", []byte(src), false); len(all) > 0 {
			t.Errorf("%s: got %d definitions", name, len(all))
		}
	}
	for name, src := range map[string]string{
		"a Helm template": "{{ if .Values.crds }}\n" + crdOf("Alpha", servedV1) + "{{ end }}\n",
		"in two branches": "{{ if .Values.crds }}\n" + crdOf("Alpha", servedV1) + "{{ else }}\n" + crdOf("Beta", servedV1) + "{{ end }}\n",
	} {
		want := strings.Count(src, "CustomResourceDefinition\n")
		if all := Definitions("a.yaml", "a.yaml", []byte(src), false); len(all) != want {
			t.Errorf("%s: got %d definitions", name, len(all))
		}
	}
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(crdOf("Alpha", servedV1)), "\n", "\n  ")
	if all := Definitions("a.yaml", "a.yaml", []byte(list), false); len(all) != 1 {
		t.Errorf("a list: got %d definitions", len(all))
	}
}

// TestPatches reads which files a kustomization patches with.
func TestPatches(t *testing.T) {
	t.Parallel()
	got := Patches([]byte("resources: [a.yaml]\npatches:\n- path: ./b.yaml\n- patch: 'x: y'\npatchesStrategicMerge: [c/d.yaml]\npatchesJson6902:\n- path: ../e.yaml\n"))
	if want := "b.yaml c/d.yaml ../e.yaml"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestCopiesThatDiffer: what servers ask about a CRD beside its spec tells two of them apart.
func TestCopiesThatDiffer(t *testing.T) {
	t.Parallel()
	original := crdOf("Alpha", servedV1)
	for name, test := range map[string]struct {
		text string
		same bool
	}{
		"another label":         {strings.Replace(original, "{name:", "{labels: {a: b}, name:", 1), true},
		"another name":          {strings.Replace(original, "alphas.example.com", "alpha.example.com", 1), false},
		"an approval":           {strings.Replace(original, "{name:", "{annotations: {api-approved.kubernetes.io: unapproved}, name:", 1), false},
		"another API version":   {strings.Replace(original, "k8s.io/v1", "k8s.io/v1beta1", 1), false},
		"a schema of its own":   {strings.Replace(original, "type: object", "type: object, description: a", 1), false},
		"a template of it":      {"{{ if .Values.crds }}\n" + original + "{{ end }}\n", true},
		"one that is not whole": {strings.Replace(original, "scope: Namespaced", "scope: [a]", 1), false},
	} {
		a, b := Definitions("a.yaml", "a.yaml", []byte(original), false)[0], Definitions("b.yaml", "b.yaml", []byte(test.text), false)[0]
		if a.IsCopy(b) != test.same {
			t.Errorf("%s: a copy: %t, want %t", name, !test.same, test.same)
		}
	}
}

// TestCopiesShareServers: a CRD is compiled once, however many copies there are of it.
func TestCopiesShareServers(t *testing.T) {
	t.Parallel()
	var c Catalogue
	for _, at := range []string{"a/crd.yaml", "b/crd.yaml", "b/c/crd.yaml"} {
		c.Add(Definitions(at, at, []byte(crdOf("Alpha", servedV1)+"status: {storedVersions: ["+path.Dir(at)+"]}\n"), false)...)
	}
	o := &Object{Group: "example.com", Kind: "Alpha", Version: "v1", Node: &yaml.Node{Kind: yaml.MappingNode}}
	a, b := c.Match(o, "a/o.yaml").Definition, c.Match(o, "b/c/o.yaml").Definition
	first, _ := a.Server()
	if second, _ := b.Server(); first == nil || first != second {
		t.Errorf("got %p and %p", first, second)
	}
	if got := b.Hub.Status.StoredVersions; b.Path != "b/c/crd.yaml" || !slices.Equal(got, []string{"b/c"}) {
		t.Errorf("%s is stored at %v", b.Path, got)
	}
}
