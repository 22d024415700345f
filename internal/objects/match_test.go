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

	"github.com/crdlift/crdlift/internal/manifest"
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
		{"{apiVersion: example.com/v1, kind: Beta}", "samples/b.yaml", Ambiguous, ""},
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

// TestNearest: of several CRDs of a kind that differ, the one counts that an object was most likely written for.
func TestNearest(t *testing.T) {
	t.Parallel()
	const servedV1beta1 = "{name: v1beta1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
	for _, test := range []struct {
		why    string
		crds   map[string]string // versions by path
		object string
		want   string // "" for an ambiguous one
	}{
		{
			"releases keep older ones",
			map[string]string{"config/crd/bases/a.yaml": servedV1, "releases/a-1.0.yaml": servedV1 + "," + unservedV2, "v1.2/a.yaml": servedV1beta1 + "," + unservedV2},
			"docs/samples/a.yaml", "config/crd/bases/a.yaml",
		},
		{
			"an object of a release belongs to its CRD",
			map[string]string{"config/crd/bases/a.yaml": servedV1, "releases/v1.0/crd/a.yaml": servedV1 + "," + unservedV2},
			"releases/v1.0/samples/a.yaml", "releases/v1.0/crd/a.yaml",
		},
		{
			"a chart is made from another one",
			map[string]string{"config/crd/bases/a.yaml": servedV1, "charts/a/crds/a.yaml": servedV1 + "," + unservedV2},
			"docs/samples/a.yaml", "config/crd/bases/a.yaml",
		},
		{
			"an example of a chart belongs to the chart",
			map[string]string{"config/crd/bases/a.yaml": servedV1, "charts/a/crds/a.yaml": servedV1 + "," + unservedV2},
			"charts/a/examples/a.yaml", "charts/a/crds/a.yaml",
		},
		{
			"one with the version before a nearer one without it",
			map[string]string{"config/crd/bases/a.yaml": servedV1, "tests/upgrade/crd.yaml": servedV1beta1},
			"tests/smoke/a.yaml", "config/crd/bases/a.yaml",
		},
		{
			"a copy far away takes nothing from the one beside the object",
			map[string]string{"a/crd.yaml": servedV1, "p/crd.yaml": servedV1 + "," + unservedV2, "p/q/crd.yaml": servedV1},
			"p/q/samples/a.yaml", "p/q/crd.yaml",
		},
		{
			"a copy among the releases does not make a release of the original",
			map[string]string{"bundle/manifests/a.yaml": servedV1, "config/crd/bases/a.yaml": servedV1, "charts/a/crds/a.yaml": servedV1 + "," + unservedV2},
			"config/samples/deep/a.yaml", "config/crd/bases/a.yaml",
		},
		{
			"a copy among the releases does not decide between two that are as near",
			map[string]string{"bundle/manifests/a.yaml": servedV1, "config/crd/bases/a.yaml": servedV1, "config/crd/a.yaml": servedV1 + "," + unservedV2},
			"config/samples/deep/a.yaml", "",
		},
		{
			"nothing tells which",
			map[string]string{"one/a.yaml": servedV1, "two/a.yaml": servedV1 + "," + unservedV2},
			"samples/a.yaml", "",
		},
	} {
		files := map[string]string{}
		for path, versions := range test.crds {
			files[path] = crdOf("Alpha", versions)
		}
		_, all := objectsIn(t, "{apiVersion: example.com/v1, kind: Alpha}")
		m := catalogue(t, files, "").Match(all[0], test.object)
		switch {
		case test.want == "" && m.Verdict != Ambiguous:
			t.Errorf("%s: verdict %d by %s, want an ambiguous one", test.why, m.Verdict, m.Definition.Path)
		case test.want != "" && (m.Verdict != Judged || m.Definition.Path != test.want):
			t.Errorf("%s: verdict %d by %s, want that of %s", test.why, m.Verdict, m.Definition.Path, test.want)
		}
	}
}

// TestNearestHoweverWritten: which CRD counts depends on where the files are, and not on how their paths are written.
func TestNearestHoweverWritten(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	spellings := []string{"", "../" + filepath.Base(here) + "/", filepath.ToSlash(here) + "/", "./x/../"}
	alpha, other := crdOf("Alpha", servedV1), crdOf("Alpha", servedV1+","+unservedV2)
	for _, test := range []struct{ right, wrong, object string }{
		{"testdata/crd.yaml", "config/crd.yaml", "testdata/a/o.yaml"}, // the folder of test data is that of the object, too
		{"crd.yaml", "config/crd.yaml", "o.yaml"},
		{"a/crd.yaml", "a/b/crd.yaml", "a/o.yaml"},
		{"crd.yaml", "../crd.yaml", "a/o.yaml"},
		{"config/crd.yaml", "crd/testdata/crd.yaml", "a/o.yaml"},
	} {
		for i := range len(spellings) * len(spellings) * len(spellings) {
			right, wrong, object := spellings[i%4]+test.right, spellings[i/4%4]+test.wrong, spellings[i/16]+test.object
			c := catalogue(t, map[string]string{right: alpha, wrong: other}, "")
			_, all := objectsIn(t, "{apiVersion: example.com/v1, kind: Alpha}")
			if m := c.Match(all[0], object); m.Verdict != Judged || m.Definition.Path != right {
				t.Errorf("%s by %s and %s: verdict %d by %s", object, right, wrong, m.Verdict, m.Definition.Path)
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

// rankOf is how a CRD stands for an object in a file, as the comment of rank has it.
func rankOf(d *Definition, o *Object, file string) rank {
	at, to := append(strings.Split(path.Dir(d.Path), "/"), "."), append(strings.Split(path.Dir(file), "/"), ".") // "." for the files beside it
	shared := 0
	for shared < min(len(at), len(to)) && at[shared] == to[shared] {
		shared++
	}
	own := at[shared:]
	return rank{
		older: slices.ContainsFunc(own, manifest.IsOlderFolder), version: d.Version(o.Version) != nil, shared: shared,
		chart: slices.ContainsFunc(own, manifest.IsChartFolder),
	}
}

// bestOf are the CRDs that stand best for an object, each once, of what each says.
func bestOf(all []*Definition, o *Object, file string) (best []*Definition) {
	for _, d := range all {
		better := 1
		if len(best) > 0 {
			better = rankOf(d, o, file).compare(rankOf(best[0], o, file))
		}
		switch {
		case better > 0:
			best = []*Definition{d}
		case better == 0 && !slices.ContainsFunc(best, d.IsCopy):
			best = append(best, d)
		}
	}
	return best
}

// TestCopies: a copy of a CRD in one more folder changes a verdict only where it is nearer to the object than all that are there, or
// as near as one that differs from it; and then it is the one that counts, or one of those that are named.
func TestCopies(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(36, 9))
	forms := []string{servedV1, servedV1 + "," + unservedV2, strings.Replace(servedV1, "v1", "v2", 1), servedV1 + "," + strings.Replace(unservedV2, "v2", "v3", 1)}
	folders := []string{"a", "b", "config", "crd", "charts", "releases", "v1.2", "helm"}
	file := func() string {
		var names []string
		for range rnd.IntN(4) {
			names = append(names, folders[rnd.IntN(len(folders))])
		}
		return path.Join(append(names, "f.yaml")...)
	}
	define := func(text string, given bool) *Definition {
		at := file()
		return Definitions(at, at, []byte(text), given)[0]
	}
	nearer, ambiguous := 0, 0
	for range 1500 {
		var all []*Definition
		for range 1 + rnd.IntN(4) {
			all = append(all, define(crdOf("Alpha", forms[rnd.IntN(len(forms))]), rnd.IntN(8) == 0))
		}
		one := all[rnd.IntN(len(all))]
		copied := define(string(one.Document.Text()), one.Given)
		o, at := &Object{Group: "example.com", Kind: "Alpha", Version: fmt.Sprintf("v%d", 1+rnd.IntN(4)), Node: &yaml.Node{Kind: yaml.MappingNode}}, file()
		match := func(all []*Definition) (Match, []*Definition) {
			var c Catalogue
			c.Add(all...)
			if counting := slices.DeleteFunc(slices.Clone(all), func(d *Definition) bool { return !d.Given }); len(counting) > 0 {
				all = counting
			}
			m := c.Match(o, at)
			want := bestOf(all, o, at)
			if got := append([]*Definition{m.Definition}, m.Others...); m.Definition != want[0] || (m.Verdict == Ambiguous) != (len(want) > 1) || len(want) > 1 && !slices.Equal(got, want) {
				t.Fatalf("%s: verdict %d by %v of %v, want %v", at, m.Verdict, paths(got), paths(all), paths(want))
			}
			return m, want
		}
		was, _ := match(all)
		is, now := match(append(slices.Clone(all), copied))
		switch {
		case slices.Contains(now, copied):
			nearer++
		case is.Verdict != was.Verdict || is.Definition != was.Definition || !slices.Equal(is.Others, was.Others):
			t.Fatalf("%s: a copy of %s in %s makes verdict %d by %s of verdict %d by %s", at, one.Path, copied.Path, is.Verdict, is.Definition.Path, was.Verdict, was.Definition.Path)
		case was.Verdict == Ambiguous:
			ambiguous++
		}
	}
	if nearer < 100 || ambiguous < 100 {
		t.Errorf("%d copies were nearer, and %d objects have several CRDs: too few to tell", nearer, ambiguous)
	}
}

func paths(all []*Definition) (paths []string) {
	for _, d := range all {
		paths = append(paths, d.Path)
	}
	return paths
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
