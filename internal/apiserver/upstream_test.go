package apiserver_test

// What follows has the CRDs that upstream's own unit tests of validation are about. Their text is not in this repository: the
// tests are taken from the module cache and run, in a copy of their package that writes down what it validates.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/v121"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// tests is the package with the tests, in the module k8s.io/apiextensions-apiserver.
const tests = "pkg/apis/apiextensions/validation"

// entrance finds the first lines of the functions that are to write down their arguments. What they are called is the same in
// 0.21 and 0.37.
var entrance = regexp.MustCompile(`(?m)^func (?:ValidateCustomResourceDefinition|ValidateCustomResourceDefinitionUpdate|validateCustomResourceDefinitionValidation)\(.*?\b(obj|customResourceValidation)(?:, oldObj)? \*apiextensions\..*\{$`)

// recorder is the function that they call. Types of an internal version have no JSON of their own, and are read back as they
// were written; a number that JSON has not is left out, as no manifest has one.
const recorder = `package validation

import (
	"encoding/json"
	"os"
)

var recorded, _ = os.OpenFile(os.Getenv("CRDLIFT_RECORDED"), os.O_APPEND|os.O_WRONLY, 0)

func record(what string, v interface{}) {
	if b, err := json.Marshal(map[string]interface{}{what: v}); err == nil {
		recorded.Write(append(b, '\n'))
	}
}
`

// TestWholeUpstream judges what upstream's own unit tests validate, as it is and as manifests of either version.
func TestWholeUpstream(t *testing.T) {
	t.Parallel()
	if !corpus.All() {
		t.Skip("builds upstream's tests; CRDLIFT_VOLUME=all does")
	}
	judge := v121.Start(t)
	for _, module := range []string{"../..", "../../test/v121"} {
		var r record
		all := upstreamCRDs(t, module)
		if len(all) < 200 {
			t.Errorf("%s: there are %d CRDs in upstream's tests", module, len(all))
		}
		for i, hub := range all {
			for _, version := range []crd.Version{crd.V1, crd.V1beta1} {
				name := fmt.Sprintf("%s, case %d as %s", module, i, version)
				if got, want := quick(hub, version), apiserver.OnCreate(hub, version); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: got %v, but in full %v", name, got, want)
				}
				manifest, err := upstreamManifest(hub, string(version))
				if err != nil {
					t.Logf("%s: %v", name, err)
					continue
				}
				for _, c := range crd.Parse(manifest) {
					if err := sameQuick(c, profile(c, apiserver.OnCreate)); err != nil {
						t.Errorf("%s: %v\n%s", name, err, manifest)
					}
					if version != crd.V1beta1 {
						continue
					}
					if err := r.compare(judge, c); err != nil {
						t.Errorf("%s: %v\n%s", name, err, manifest)
					}
				}
			}
		}
		r.log(t, module)
	}
}

// upstreamCRDs are what the tests of the version that a Go module requires validate. The module is a folder of this repository. Without
// the go command, or where the tests' own dependencies have not been downloaded, the test is skipped.
func upstreamCRDs(t testing.TB, module string) []*apiextensions.CustomResourceDefinition {
	t.Helper()
	from, err := goCommand(module, "list", "-m", "-f", "{{.Dir}}", "k8s.io/apiextensions-apiserver").Output()
	if err != nil || len(bytes.TrimSpace(from)) == 0 {
		t.Skipf("k8s.io/apiextensions-apiserver is not downloaded: %v", err)
	}
	copied := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		write(t, filepath.Join(copied, name), read(t, filepath.Join(module, name)))
	}
	sources, err := filepath.Glob(filepath.Join(string(bytes.TrimSpace(from)), filepath.FromSlash(tests), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		source := read(t, path)
		if !strings.HasSuffix(path, "_test.go") {
			source = entrance.ReplaceAll(source, []byte("$0\n\trecord(\"$1\", $1)"))
		}
		write(t, filepath.Join(copied, "validation", filepath.Base(path)), source)
	}
	write(t, filepath.Join(copied, "validation", "record.go"), []byte(recorder))
	records := filepath.Join(copied, "recorded")
	write(t, records, nil)
	run := goCommand(copied, "test", "-mod=mod", "-vet=off", "-count=1", "-run", "CustomResourceDefinition|SelectableFields", "./validation")
	run.Env = append(run.Env, "CRDLIFT_RECORDED="+records, "GOSUMDB=off")
	if out, err := run.CombinedOutput(); bytes.Contains(out, []byte("GOPROXY=off")) || bytes.Contains(out, []byte("no required module")) {
		t.Skipf("upstream's tests cannot be built:\n%s", out)
	} else if err != nil && len(read(t, records)) == 0 {
		t.Fatalf("upstream's tests: %v\n%s", err, out)
	}
	return parse(t, read(t, records))
}

// parse makes CRDs of the records, each once. Of a schema alone it makes one with nothing wrong about it.
func parse(t testing.TB, records []byte) (all []*apiextensions.CustomResourceDefinition) {
	t.Helper()
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(records))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if seen[lines.Text()] {
			continue
		}
		seen[lines.Text()] = true
		var r struct {
			Obj                      *apiextensions.CustomResourceDefinition
			CustomResourceValidation *apiextensions.CustomResourceValidation
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Obj != nil:
			all = append(all, r.Obj)
		case r.CustomResourceValidation != nil:
			all = append(all, around(r.CustomResourceValidation, true), around(r.CustomResourceValidation, false))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func around(schemas *apiextensions.CustomResourceValidation, keeps bool) *apiextensions.CustomResourceDefinition {
	c := &apiextensions.CustomResourceDefinition{}
	c.Name = "widgets.example.com"
	c.Spec = apiextensions.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensions.NamespaceScoped, Validation: schemas, PreserveUnknownFields: &keeps, Version: "v1",
		Names:      apiextensions.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"},
		Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
		Conversion: &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
	}
	return c
}

// scheme knows upstream's conversions.
var scheme = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
})

// upstreamManifest is a CRD in JSON, of "v1" or "v1beta1". The error is that of its conversion, which may have no place for something.
func upstreamManifest(c *apiextensions.CustomResourceDefinition, version string) ([]byte, error) {
	gv := schema.GroupVersion{Group: apiextensions.GroupName, Version: version}
	versioned, err := scheme().ConvertToVersion(c.DeepCopy(), gv)
	if err != nil {
		return nil, err
	}
	return json.Marshal(versioned)
}

// goCommand is the go command in a module. Tests must not download anything.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	return cmd
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
