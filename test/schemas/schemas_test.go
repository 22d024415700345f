// Package schemas asks kubeconform and a validator of JSON Schema about custom resources, by the schemas that crdlift writes, and
// compares their verdicts with those of crdlift validate. The programs that read the schemas may differ from the server only where
// docs/guides/schemas.md says that JSON Schema has no words for what it does.
package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yannh/kubeconform/pkg/resource"
	"github.com/yannh/kubeconform/pkg/validator"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// layout is that of the catalogue of CRDs, as kubeconform is told it.
const layout = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"

// refusing are rules that report what the server rejects. Files that only assert something may have such objects all the same.
var refusing = []string{"object-required", "object-constraint", "object-type", "object-unknown-field", "object-enum"}

// classes say by which of its rules crdlift rejects what the schemas pass over, and in which words docs/guides/schemas.md has that.
var classes = map[string]string{
	"object-rule":              "Rules in CEL",
	"object-rule-error":        "Rules in CEL",
	"object-list-duplicate":    "Keys of list maps",
	"object-metadata-invalid":  "Metadata",
	"object-embedded-resource": "Embedded resources",
	"object-format":            "Formats",
}

// These are the classes of differences the other way round: about what the server does not look at when an object is created, and about
// nulls that it drops before it looks.
const (
	status = "Status"
	nulls  = "Nulls"
)

// build builds crdlift.
func build(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "crdlift")
	if out, err := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// run runs a program in a folder; it may find something.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	var exit *exec.ExitError
	if out, err := cmd.CombinedOutput(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 2) {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// A listed is one line of crdlift validate --list.
type listed struct {
	accepted    bool
	rules       []string
	file        string
	line        int
	group, kind string
	version     string
}

func readList(t *testing.T, file string) (all []listed) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != "accepted" && f[0] != "refused" {
			continue
		}
		i := strings.LastIndex(f[4], ":")
		n, err := strconv.Atoi(f[4][i+1:])
		if err != nil {
			t.Fatal(err)
		}
		group, version, _ := strings.Cut(f[1], "/")
		if strings.Contains(f[5], "template-placeholder") {
			continue // what it stands for is not judged
		}
		one := listed{accepted: f[0] == "accepted", file: f[4][:i], line: n, group: group, kind: f[2], version: version}
		if f[5] != "" {
			one.rules = strings.Split(f[5], ",")
		}
		all = append(all, one)
	}
	return all
}

// objectsOf are the objects of a file as JSON, by the lines that they begin at.
func objectsOf(t *testing.T, file string) map[int][]byte {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[int][]byte{}
	for _, d := range manifest.Parse(file, src).Documents {
		if d.Root == nil {
			continue
		}
		var add func(n *yaml.Node)
		add = func(n *yaml.Node) {
			if strings.HasSuffix(crd.StringAt(n, "kind"), "List") {
				for _, item := range crd.Items(crd.Get(n, "items")) {
					add(item)
				}
			}
			if raw, err := yaml11.ToJSON(n); err == nil {
				line, _ := d.Begin(n)
				all[line] = raw
			}
		}
		add(d.Root.YNode())
	}
	return all
}

// oneOfEach writes one CRD of each kind of a folder into another one: the source, as far as paths tell.
func oneOfEach(t *testing.T, from, to string) {
	t.Helper()
	best := map[string]string{} // the files of kinds
	text := map[string][]byte{}
	rank := func(path string) string {
		less := 0
		for _, word := range []string{"test", "example", "vendor", "docs", "third", "hack", "v1beta1", "old"} {
			less += strings.Count(strings.ToLower(path), word)
		}
		return fmt.Sprintf("%d %04d %s", less, len(path), path)
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
			if d != nil && d.IsDir() && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || !crd.MayHold(src) || bytes.Contains(src, []byte("{{")) {
			return err
		}
		for _, d := range manifest.Parse(path, src).Documents {
			if d.Root == nil {
				continue
			}
			found, _ := crd.Find(d.Root.YNode())
			for _, c := range found {
				name := c.Name()
				if c.IsPart() || name == "" || strings.ContainsAny(name, "/$") || best[name] != "" && rank(best[name]) <= rank(path) {
					continue
				}
				if raw, err := yaml11.ToJSON(c.Node); err == nil {
					best[name], text[name] = path, raw
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range text {
		if err := os.WriteFile(filepath.Join(to, name+".json"), raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A count is how often programs agree.
type count struct {
	objects, equal int
	differ         map[string]int // by class
}

// compare compares verdicts about the objects of a folder. What is not explained fails the test.
func compare(t *testing.T, program, dir, crds string, strict bool) (c count) {
	t.Helper()
	c.differ = map[string]int{}
	work := t.TempDir()
	schemas, list := filepath.Join(work, "schemas"), filepath.Join(work, "list.tsv")
	schema := []string{program, "schema", "--quiet", "--config", "off", "--output-dir", schemas}
	validate := []string{program, "validate", "--config", "off", "--quiet", "--all-files", "--allow-empty", "--crds", crds, "--list", list, "."}
	if strict {
		schema = append(schema, "--strict")
	} else {
		validate = append(validate, "--field-validation", "ignore")
	}
	run(t, dir, append(schema, crds)...)
	run(t, dir, validate...)
	conform, err := validator.New([]string{filepath.ToSlash(schemas) + "/" + layout}, validator.Opts{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]*jsonschema.Schema{}
	texts := map[string]map[int][]byte{}
	for _, o := range readList(t, list) {
		file := filepath.Join(schemas, o.group, strings.ToLower(o.kind+"_"+o.version)+".json")
		if _, err := os.Stat(file); err != nil {
			continue // its CRD cannot be used, or the version is not served
		}
		if texts[o.file] == nil {
			texts[o.file] = objectsOf(t, filepath.Join(dir, o.file))
		}
		raw := texts[o.file][o.line]
		if raw == nil {
			continue // in a template
		}
		if compiled[file] == nil {
			compiler := jsonschema.NewCompiler()
			compiler.AssertFormat()
			if compiled[file], err = compiler.Compile(file); err != nil {
				t.Fatal(err)
			}
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		invalid := compiled[file].Validate(value)
		result := conform.ValidateResource(resource.Resource{Path: o.file, Bytes: raw})
		if (invalid == nil) != (result.Status == validator.Valid) {
			t.Errorf("%s:%d: kubeconform says %v, and the validator %v", o.file, o.line, result.Err, invalid)
		}
		c.objects++
		is := func(rule string) bool { return slices.Contains(o.rules, rule) }
		o.accepted = o.accepted && !slices.ContainsFunc(refusing, is) && !(strict && is("object-null-dropped"))
		if o.accepted == (invalid == nil) {
			c.equal++
			continue
		}
		class := classOf(o.rules)
		switch {
		case invalid == nil:
		case is("object-status-dropped"):
			class = status
		case is("object-null-dropped"):
			class = nulls
		default:
			class = ""
		}
		if class == "" {
			t.Errorf("%s:%d: accepted is %v by %v, and the schema says %v", o.file, o.line, o.accepted, o.rules, invalid)
		}
		c.differ[class]++
	}
	return c
}

// classOf is that of a difference; "" where a rule is not known to be one.
func classOf(rules []string) (class string) {
	for _, rule := range rules {
		if class = classes[rule]; class != "" {
			return class
		}
	}
	return class
}

const shelves = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Shelf, plural: shelves, singular: shelf, listKind: ShelfList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        x-kubernetes-validations: [{rule: "self.spec.low <= self.spec.high"}]
        properties:
          spec:
            type: object
            required: [low, mode, high]
            properties:
              low: {type: integer, minimum: 0, exclusiveMinimum: true}
              high: {type: integer, maximum: 10}
              mode: {type: string, enum: [auto, manual], default: auto}
              port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              note: {type: string, nullable: true, pattern: ^a}
              words: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              boards:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}}}
              anything: {type: object, x-kubernetes-preserve-unknown-fields: true}
              address: {type: string, format: cidr}
              day: {type: string, format: date}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            oneOf: [{properties: {mode: {enum: [auto]}}}, {required: [note], properties: {mode: {enum: [manual]}}}]
          status: {type: object, required: [phase], properties: {phase: {type: string}}}
`

// shelfTests are specs of shelves, with the class of those which the server alone rejects.
var shelfTests = []struct{ spec, class string }{
	{"low: 1, high: 2", ""},
	{"low: 2, high: 1", "Rules in CEL"},
	{"low: 0, high: 2", ""},
	{"low: 1, high: 11", ""},
	{"low: 1, high: 2.0", ""},
	{"low: 1", ""},
	{"low: 1, high: null", ""},
	{"low: 1, high: 2, mode: manual", ""},
	{"low: 1, high: 2, mode: manual, note: abc", ""},
	{"low: 1, high: 2, mode: other", ""},
	{"low: 1, high: 2, note: null", ""},
	{"low: 1, high: 2, note: b", ""},
	{"low: 1, high: 2, port: 80", ""},
	{"low: 1, high: 2, port: http", ""},
	{"low: 1, high: 2, port: true", ""},
	{"low: 1, high: 2, port: null", ""},
	{"low: 1, high: 2, words: [a, b]", ""},
	{"low: 1, high: 2, words: [a, a]", ""},
	{"low: 1, high: 2, words: [null]", ""},
	{"low: 1, high: 2, boards: [{name: a}, {name: b}]", ""},
	{"low: 1, high: 2, boards: [{name: a}, {name: a}]", "Keys of list maps"},
	{"low: 1, high: 2, unknown: 1", ""},
	{"low: 1, high: 2, anything: {a: {b: null}}", ""},
	{"low: 1, high: 2, address: nowhere", "Formats"},
	{"low: 1, high: 2, day: 2020-01-32", ""},
	{"low: 1, high: 2, template: {kind: Pod}", ""},
	{"low: 1, high: 2, template: {apiVersion: v1, kind: Pod, spec: {a: 1}}", ""},
	{"low: 1, high: 2, template: {apiVersion: v1, kind: p/q}", "Embedded resources"},
}

// TestShelves compares verdicts about objects of one kind.
func TestShelves(t *testing.T) {
	t.Parallel()
	crds, dir := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(crds, "crd.yaml", shelves)
	want := count{differ: map[string]int{}}
	var text strings.Builder
	add := func(object, class string) {
		text.WriteString("---\napiVersion: shop.example.com/v1\nkind: Shelf\n" + object + "\n")
		want.objects++
		if class != "" {
			want.differ[class]++
		} else {
			want.equal++
		}
	}
	for _, test := range shelfTests {
		add("metadata: {name: a}\nspec: {"+test.spec+"}", test.class)
	}
	add("metadata: {generateName: a-}\nspec: {low: 1, high: 2}", "")
	add("metadata: {name: A}\nspec: {low: 1, high: 2}", "")
	add("metadata: {name: a, labels: {b: 1}}\nspec: {low: 1, high: 2}", "")
	add("metadata: {name: a, labels: {b: c/d}}\nspec: {low: 1, high: 2}", "Metadata")
	add("metadata: {name: a}\nspec: {low: 1, high: 2}\nstatus: {phase: b}", "")
	add("metadata: {name: a}\nspec: {low: 1, high: 2}\nstatus: {}", status)
	add("metadata: {name: a}\nspec: null", "")
	add("metadata: {name: a}\nspec: {low: 1, high: 2, mode: null}", "")
	write(dir, "shelves.yaml", text.String())
	program := build(t)
	for _, strict := range []bool{true, false} {
		if !strict { // by a strict schema, no null is valid
			want.differ[nulls]++
			want.equal--
		}
		if got := compare(t, program, dir, crds, strict); !reflect.DeepEqual(got, want) {
			t.Errorf("strict %v: %+v, want %+v", strict, got, want)
		}
	}
}

// TestListed holds that docs/guides/schemas.md has all classes.
func TestListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "schemas.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range append(slices.Collect(maps.Values(classes)), status, nulls) {
		if !bytes.Contains(page, []byte("\n| "+class+" |")) {
			t.Errorf("docs/guides/schemas.md does not list %q", class)
		}
	}
}

// TestRepositories compares verdicts about all custom resources of the repositories in the folder that CRDLIFT_ROLES names.
func TestRepositories(t *testing.T) {
	folder := os.Getenv("CRDLIFT_ROLES")
	if folder == "" {
		t.Skip("set CRDLIFT_ROLES to a folder of clones of repositories")
	}
	repositories, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	program := build(t)
	for _, strict := range []bool{true, false} {
		all := count{differ: map[string]int{}}
		with := 0
		for _, r := range repositories {
			t.Run(fmt.Sprintf("strict=%v/%s", strict, r.Name()), func(t *testing.T) {
				crds := t.TempDir()
				dir := filepath.Join(folder, r.Name())
				oneOfEach(t, dir, crds)
				c := compare(t, program, dir, crds, strict)
				all.objects, all.equal = all.objects+c.objects, all.equal+c.equal
				for class, n := range c.differ {
					all.differ[class] += n
				}
				if c.objects > 0 {
					with++
				}
				t.Logf("%d objects, %d equal", c.objects, c.equal)
			})
		}
		t.Logf("strict %v: %d repositories, %d objects, %d equal verdicts", strict, with, all.objects, all.equal)
		for _, class := range slices.Sorted(maps.Keys(all.differ)) {
			t.Logf("%6d %s", all.differ[class], class)
		}
	}
}
