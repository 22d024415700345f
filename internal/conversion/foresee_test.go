package conversion

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// foresights counts the CRDs of which a test compared what Foresee says with what a proven conversion comes to.
type foresights struct{ all, glanced, hindered, postponed int }

var foreseenWith = []policy.Options{
	{}, {Policy: policy.Idiomatic}, {UnknownFields: policy.Prune, UnapprovedAPI: true}, {UnknownFields: policy.Root, UpgradeInPlace: true, MissingTypes: policy.Infer},
}

func (f *foresights) compare(t *testing.T, name string, c *crd.CRD, with ...policy.Options) {
	t.Helper()
	if c.Version != crd.V1beta1 || c.List != nil {
		return
	}
	var answer *fast.Verdict
	if d, err := c.Decode(); err == nil {
		verdict := fast.OnCreate(d.Hub, c.Version)
		answer = &verdict
	}
	for _, opt := range with {
		f.all++
		if plain, _ := fast.Plain(c, opt.Decided(), repairPolicy(c, opt.Decided()), answer); plain {
			f.glanced++
		}
		before := crd.Size(c.Node)
		f.postpone(t, name, c, opt, answer)
		obstacles, marks := Foresee(c, opt, answer)
		if crd.Size(c.Node) != before {
			t.Fatalf("%s: it was changed", name)
		}
		out := Convert(c.Copy(), opt)
		var wanted []*Note
		if out.State == policy.NeedsPerson {
			wanted = out.Notes
			f.hindered++
		}
		if got, want := told(obstacles, marks), told(wanted, out.Marks > 0); got != want {
			t.Errorf("%s with %+v: foreseen is\n%s\nwhere a conversion comes to\n%s", name, opt, got, want)
		}
	}
}

// postpone compares a conversion for which the input is judged when the result is there with one for which it was before.
func (f *foresights) postpone(t *testing.T, name string, c *crd.CRD, opt policy.Options, answer *fast.Verdict) {
	t.Helper()
	late, state := attempt(job{opt: opt.Decided(), input: c})
	early, want := attempt(job{opt: opt.Decided(), input: c, answer: answer})
	if late.postponed {
		f.postponed++
	}
	result := func(j *job, state policy.State) string {
		if state == policy.Converted {
			return told(j.notes, j.marks > 0)
		}
		return told(j.obstacles(), false)
	}
	if got, notes := result(late, state), result(early, want); state != want || got != notes {
		t.Errorf("%s with %+v: it is %s with\n%s\nwhere the early answer makes it %s with\n%s", name, opt, state, got, want, notes)
	}
	if late.answer != nil && late.answer.Accepted() != answer.Accepted() {
		t.Errorf("%s with %+v: %v is the answer, where the server says %v", name, opt, late.answer, answer)
	}
}

// told is what the linter takes from a foresight.
func told(obstacles []*Note, marks bool) string {
	text := fmt.Sprintf("marks: %t\n", marks)
	for _, n := range obstacles {
		if schema, _, ok := strings.Cut(n.At.Path, ".default"); ok {
			text += n.ID + " in a default of " + schema + "\n" // which of its errors a server says first is a matter of chance
			continue
		}
		line := 0
		if n.At.Node != nil {
			line = n.At.Node.Line
		}
		text += fmt.Sprintf("%s at %s in line %d: %s%s (%t %v %t)\n", n.ID, n.At.Path, line, n.Message, n.Brief, n.Foreign, n.Err, n.Complete)
	}
	return text
}

// fixturesOf lists the CRDs of the repository's own manifests, by the names of their files.
func fixturesOf(t *testing.T) map[string][]*crd.CRD {
	t.Helper()
	all := map[string][]*crd.CRD{}
	for _, folder := range []string{"testdata", "rules", "internal/apiserver"} {
		for _, path := range corpus.Below(t, filepath.Join("../..", folder)) {
			if src, err := os.ReadFile(path); err == nil && crd.MayHold(src) && !strings.HasSuffix(path, ".go") {
				all[path] = crd.Parse(src)
			}
		}
	}
	return all
}

// oneField is a CRD with one field; misjudged are schemas of it that were foreseen wrongly.
const oneField = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  version: v1
  names: {plural: widgets, kind: Widget}
  validation: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
`

var misjudged = []string{"{type: string, items: []}", "{type: object, x-kubernetes-int-or-string: true}", "{type: object, anyOf: [{x-kubernetes-preserve-unknown-fields: null}]}"}

// TestForesee wants Foresee to tell of the fixtures and of mutants of them what a conversion of each would come to.
func TestForesee(t *testing.T) {
	t.Parallel()
	each := 4
	if testing.Short() {
		each = 1
	}
	var f foresights
	for _, schema := range misjudged {
		f.compare(t, schema, crd.Parse(fmt.Appendf(nil, oneField, schema))[0], foreseenWith...)
	}
	for path, found := range fixturesOf(t) {
		for i, c := range found {
			f.compare(t, path, c, foreseenWith...)
			raw, err := yaml11.ToJSON(c.Node)
			if err != nil || c.Version != crd.V1beta1 {
				continue
			}
			for n := range each {
				mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(uint64(i), uint64(n))), 1+n%3/2)
				if err != nil {
					break // it is no CRD that could be changed
				}
				for _, mutant := range crd.Parse(mutated) {
					f.compare(t, fmt.Sprintf("%s, mutant %d %q", path, n, made), mutant, foreseenWith...)
				}
			}
		}
	}
	t.Logf("%+v", f)
	if f.glanced < f.all/10 || f.hindered < f.all/10 || f.postponed < f.all/10 {
		t.Errorf("too few of a kind among %+v", f)
	}
}

// TestForeseeEach is TestForesee for small CRDs with each field at each place changed to each of many values, where v1beta1
// accepts them: a sample of these, or all with CRDLIFT_VOLUME=all.
func TestForeseeEach(t *testing.T) {
	t.Parallel()
	var f foresights
	for name, text := range mutants.Small() {
		c := crd.Parse([]byte(text))[0]
		if c.Version != crd.V1beta1 {
			continue
		}
		raw, err := yaml11.ToJSON(c.Node)
		if err != nil {
			t.Fatal(err)
		}
		for i, change := range corpus.Sample(t, mutants.Each(raw), 200) {
			for _, mutant := range crd.Parse(mutants.With(raw, change)) {
				if d, err := mutant.Decode(); err == nil && fast.OnCreate(d.Hub, mutant.Version).Accepted() {
					f.compare(t, fmt.Sprint(name, ", ", change), mutant, foreseenWith[i%len(foreseenWith)])
				}
			}
		}
	}
	t.Logf("%+v", f)
	if f.glanced < f.all/10 {
		t.Errorf("too few of a kind among %+v", f)
	}
}

func TestForeseeCorpus(t *testing.T) {
	t.Parallel()
	var f foresights
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1beta1", "broken"), 12) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range crd.Parse(src) {
			f.compare(t, path, c, foreseenWith...)
		}
	}
	t.Logf("%+v", f)
}
