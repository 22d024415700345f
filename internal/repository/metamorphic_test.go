package repository

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// An operator is a small repository with all that a scaffold gives to it.
func operator() files {
	widget := whole("Widget.example.org", true)
	object := "apiVersion: example.org/v1\nkind: Widget\nmetadata:\n  name: one\n"
	return files{
		"Makefile":                              "\tcontroller-gen crd output:crd:artifacts:config=config/crd/bases\n",
		"PROJECT":                               "domain: org\nresources:\n- group: example\n  kind: Widget\n",
		"go.mod":                                "module example.org/operator\n",
		"api/v1/types.go":                       "// +groupName=example.org\npackage v1\n\ntype Widget struct {\n\tmetav1.TypeMeta\n}\n",
		"config/crd/bases/widget.yaml":          widget,
		"config/crd/kustomization.yaml":         "resources:\n- bases/widget.yaml\n",
		"config/samples/one.yaml":               object,
		"internal/testdata/one.yaml":            object,
		"test/apply/one.yaml":                   object,
		"test/chainsaw/a/chainsaw-test.yaml":    "kind: Test\n",
		"test/chainsaw/a/one.yaml":              object,
		"test/e2e/e2e_test.go":                  "package e2e\n",
		"test/e2e/one.yaml":                     object,
		"test/kuttl-test.yaml":                  "testDirs: [kuttl]\n",
		"test/kuttl/a/one.yaml":                 object,
		"tests/crds/gateway.yaml":               whole("Gateway.gateway.networking.k8s.io", true),
		"tests/more/assertion/00-assert.yaml":   object,
		"tests/more/assertion/nothing/one.yaml": object,
	}
}

const source = "config/crd/bases/widget.yaml"

// with is a tree with more files.
func with(tree files, more files) files {
	all := maps.Clone(tree)
	maps.Copy(all, more)
	return all
}

func TestCopiesLeaveTheSourceAlone(t *testing.T) {
	widget := operator()[source]
	copies, more := map[string]string{
		"charts/w/crds/widget.yaml":                "chart",
		"charts/w/templates/widget.yaml":           "chart",
		"bundle/manifests/widget.yaml":             "bundle",
		"dist/install.yaml":                        "built",
		"deploy/widget.yaml":                       "built",
		"widget.yaml":                              "built",
		"config/widget.yaml":                       "built",
		"internal/controller/testdata/widget.yaml": "test",
		"tests/kuttl/a/00-install.yaml":            "test",
		"cases/a/widget.yaml":                      "test",
		"releases/v1.2/widget.yaml":                "old",
		"docs/widget.yaml":                         "docs",
	}, files{
		"charts/w/Chart.yaml": "name: w\n", "bundle/metadata/annotations.yaml": "annotations: {}\n", "cases/a/chainsaw-test.yaml": "kind: Test\n",
	}
	for at := range copies {
		more[at] = widget
	}
	for name, without := range map[string][]string{
		"an operator": nil, "without a PROJECT": {"PROJECT"}, "without a Makefile": {"Makefile"}, "with types alone": {"PROJECT", "Makefile"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := operator()
			for _, file := range without {
				delete(tree, file)
			}
			before := Look(tree).CRD(source, "widgets.example.org")
			r := Look(with(tree, more))
			if after := r.CRD(source, "widgets.example.org"); before != after || after.Role != "source" {
				t.Errorf("before %s, %s; with copies %s, %s", before.Role, before.Because, after.Role, after.Because)
			}
			for at, want := range copies {
				if d := r.CRD(at, "widgets.example.org"); string(d.Role) != want || d.Source != source {
					t.Errorf("%s: %s of %s, %s; want %s", at, d.Role, d.Source, d.Because, want)
				}
			}
		})
	}
}

// What tools keep in the root of a repository says nothing about all of it.
func TestFilesInTheRoot(t *testing.T) {
	for name, text := range map[string]string{
		"kuttl-test.yaml":                 "testDirs: [., ./, \"\"]\n",
		"chainsaw-test.yaml":              "kind: Test\n",
		"Chart.yaml":                      "name: w\n",
		"PROJECT":                         "domain: org\n",
		"go.mod":                          "module example.org/operator\n",
		"kustomization.yaml":              "resources: [config/crd]\n",
		"main_test.go":                    "package main\n",
		"annotations.yaml":                "annotations: {}\n",
		"v1.2.yaml":                       "a: b\n",
		"00-assert.yaml":                  "a: b\n",
		"metadata/a.yaml":                 "a: b\n",
		"config/bundle.yaml":              "kind: ClusterServiceVersion\n",
		"Tiltfile":                        "k8s_yaml('config/crd/bases/widget.yaml')\n",
		"hack/test/tools.go":              "package tools\n",
		"w.v1.clusterserviceversion.yaml": "kind: ClusterServiceVersion\n",
	} {
		t.Run(name, func(t *testing.T) {
			before, after := Look(operator()), Look(with(operator(), files{name: text}))
			if d := after.CRD(source, "widgets.example.org"); d.Role != "source" {
				t.Errorf("the source is %s, %s", d.Role, d.Because)
			}
			for _, file := range []string{"config/samples/one.yaml", "internal/testdata/one.yaml"} {
				is, was := after.File(file).Role, before.File(file).Role
				if name == "Chart.yaml" && was == "sample" {
					was = "chart" // all of it is in the chart
				}
				if is != was {
					t.Errorf("%s was %s and is %s, %s", file, was, is, after.File(file).Because)
				}
			}
		})
	}
}

func TestForeignCRDsInTheOutput(t *testing.T) {
	for _, generated := range []bool{false, true} {
		const at = "config/crd/bases/issuer.yaml"
		r := Look(with(operator(), files{at: whole("Issuer.cert-manager.io", generated)}))
		if d := r.CRD(at, "issuers.cert-manager.io"); d.Role != "foreign" {
			t.Errorf("generated=%v: %s, %s", generated, d.Role, d.Because)
		}
		if d := r.CRD(source, "widgets.example.org"); d.Role != "source" {
			t.Errorf("the source is %s, %s", d.Role, d.Because)
		}
	}
}

// shuffled gives its files in another order.
type shuffled struct {
	files
	seed uint64
}

func (s shuffled) Files() []string {
	all := s.files.Files()
	rand.New(rand.NewPCG(s.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func TestTheOrderOfFilesDecidesNothing(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	lines := func(text string) []string { return slices.Sorted(strings.Lines(text)) }
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, settings := treeOf(a)
		want := told(tree, settings...)
		for seed := range uint64(5) {
			if got := told(shuffled{tree, seed}, settings...); !slices.Equal(lines(got), lines(want)) {
				t.Errorf("%s, shuffled by %d: got\n%swant\n%s", name, seed, got, want)
			}
		}
	}
}

// On systems where two names are one, a tree of git may have both. Each file has its role.
func TestNamesThatDifferInCase(t *testing.T) {
	tree := operator()
	for _, at := range []string{"config/crd/bases/Widget.yaml", "Config/crd/bases/widget.yaml", "TEST/widget.YAML", "Docs/widget.yml"} {
		tree[at] = tree[source]
	}
	tree["chainsaw-Test.yaml"], tree["project"], tree["test/Kuttl/one.yaml"] = "kind: Test\n", "a: b\n", tree["test/e2e/one.yaml"]
	want := `Config/crd/bases/widget.yaml: built of config/crd/bases/widget.yaml, config/crd/bases/widget.yaml:1 is its source
Docs/widget.yml: docs of config/crd/bases/widget.yaml, the folder is called Docs
TEST/widget.YAML: test of config/crd/bases/widget.yaml, the folder is called TEST
config/crd/bases/Widget.yaml: source of config/crd/bases/widget.yaml, Makefile:1 writes it
config/crd/bases/widget.yaml: source, Makefile:1 writes it
`
	got := ""
	for line := range strings.Lines(told(tree)) {
		if strings.Contains(strings.ToLower(line), "widget.y") {
			got += line
		}
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A folder of tests under another name loses only what the name alone says.
func TestTestsUnderAnotherName(t *testing.T) {
	renamed := files{}
	for at, text := range operator() {
		at = strings.Replace(strings.Replace(at, "tests/", "qa-things/", 1), "test/", "qa-things/", 1)
		renamed[at] = strings.ReplaceAll(text, "test/", "qa-things/")
	}
	want := `config/crd/bases/widget.yaml: source, Makefile:1 writes it
config/samples/one.yaml: sample, the folder is called config/samples
internal/testdata/one.yaml: test, the go command ignores internal/testdata
qa-things/apply/one.yaml: product, nothing here says otherwise
qa-things/chainsaw/a/one.yaml: test, qa-things/chainsaw/a/chainsaw-test.yaml is next to or above it
qa-things/crds/gateway.yaml: foreign, no code here declares Gateway of gateway.networking.k8s.io
qa-things/e2e/one.yaml: test, all Go code in qa-things/e2e is of tests
qa-things/kuttl/a/one.yaml: test, qa-things/kuttl-test.yaml names its folder
qa-things/more/assertion/00-assert.yaml: test, 00-assert.yaml is named like an assertion of kuttl
qa-things/more/assertion/nothing/one.yaml: product, nothing here says otherwise
`
	if got := told(renamed); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
