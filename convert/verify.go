package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// Verify proves a conversion from its bytes alone: every CRD that the result calls converted is accepted on create by
// an API server of the version it has now, and means what upstream's own conversion of the input means, but for the
// fields that the result's notes name. The error says what is wrong; it is a bug of crdlift, and the output must not be
// written.
func Verify(path string, input []byte, res *Result) error {
	if _, err := checkNeighbours(manifest.Split(path, input), res.Output, res.CRDs); err != nil {
		return fmt.Errorf("%s: the conversion is wrong, which is a bug of crdlift: %w", path, err)
	}
	if line, err := verifyAll(input, res.Output, res.CRDs); err != nil {
		return fmt.Errorf("%s:%d: the conversion is wrong, which is a bug of crdlift: %w", path, line, err)
	}
	return nil
}

// verifyAll is Verify; the line is where the CRD begins that the error is about.
func verifyAll(input, output []byte, crds []CRD) (line int, err error) {
	before, after := crd.Parse(input), crd.Parse(output)
	if len(before) != len(crds) || len(after) != len(crds) {
		return 1, fmt.Errorf("%d CRDs became %d", len(before), len(after))
	}
	for i, c := range crds {
		if c.State != Converted {
			continue
		}
		if err := verify(before[i], after[i], c.Notes); err != nil {
			return c.Line, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return 0, nil
}

// checkNeighbours proves that no document has changed but those that hold something converted, and gives them all.
func checkNeighbours(input *manifest.File, output []byte, crds []CRD) ([]*manifest.Document, error) {
	converted := map[int]bool{}
	for _, c := range crds {
		converted[c.Document] = converted[c.Document] || c.State == Converted
	}
	return input.CheckNeighbours(output, func(index int) bool { return converted[index] })
}

func verify(before, after *crd.CRD, notes []Note) error {
	got, err := after.Decode()
	if err != nil {
		return err
	}
	if after.Version == before.Version && before.Version == crd.V1beta1 {
		return fmt.Errorf("apiVersion is still %s", after.Version)
	}
	if v := apiserver.OnCreate(got.Hub, after.Version); v.Panic != "" {
		return fmt.Errorf("a %s API server crashes on it: %s", after.Version, v.Panic)
	} else if !v.Accepted() {
		return fmt.Errorf("a %s API server refuses it: %s", after.Version, text.OneLine(v.Errors.ToAggregate().Error()))
	}
	gotV1, err := crd.ToV1(got.Hub)
	if err != nil {
		return err
	}
	wantV1, err := expected(before)
	if err != nil {
		return err
	}
	return compare(wantV1, gotV1, fieldsOf(notes))
}

// fieldsOf collects the fields that notes name.
func fieldsOf(notes []Note) map[string]bool {
	noted := map[string]bool{}
	for _, n := range notes {
		for _, f := range n.Fields {
			noted[f] = true
		}
	}
	return noted
}

// prove is Verify for a conversion that is still a tree: the verdict on the tree and the comparison with upstream's own
// conversion are known already, or made here. What holds for the tree holds for every text that reads alike.
func (j *job) prove() error {
	if !j.accepted || j.work.Version == j.input.Version && j.input.Version == crd.V1beta1 {
		return fmt.Errorf("a %s API server does not accept it", j.work.Version)
	}
	got, err := crd.ToV1(j.result.Hub)
	if err != nil {
		return err
	}
	j.result = nil // a large one takes megabytes
	want, err := j.expected()
	if err != nil {
		return err
	}
	j.decoded = nil
	noted := map[string]bool{}
	for _, n := range j.notes {
		for _, f := range n.fields {
			noted[f] = true
		}
	}
	return compare(want, got, noted)
}

// expected is the function of that name, of an input that was decoded already.
func (j *job) expected() (*v1.CustomResourceDefinition, error) {
	if j.decoded == nil || len(j.left.older) > 0 {
		return expected(j.input)
	}
	return crd.ToV1(j.decoded.Hub)
}

// expected is what upstream makes of the input: decoded, defaulted and converted. A v1 manifest that still has fields
// of v1beta1 is read as the v1beta1 manifest that it was.
func expected(before *crd.CRD) (*v1.CustomResourceDefinition, error) {
	if len(leftoversOf(before).older) > 0 {
		pruned := pruned(before)
		before = asV1beta1(before)
		if spec := crd.Get(before.Node, "spec"); pruned && spec != nil {
			repair.Set(spec, "preserveUnknownFields", repair.Bool(false))
		}
	}
	want, err := before.Decode()
	if err != nil {
		return nil, err
	}
	return crd.ToV1(want.Hub)
}

// compare reports the first field in which two CRDs differ that is not noted. Status is left out: a server makes its
// own.
func compare(want, got *v1.CustomResourceDefinition, noted map[string]bool) error {
	want.Status, got.Status = v1.CustomResourceDefinitionStatus{}, v1.CustomResourceDefinitionStatus{}
	if equality.Semantic.DeepEqual(want, got) {
		return nil
	}
	a, err := generic(want)
	if err != nil {
		return err
	}
	b, err := generic(got)
	if err != nil {
		return err
	}
	if at, differs := firstDifference(a, b, "", noted); differs {
		return fmt.Errorf("%s differs from what upstream's conversion makes, and no change says so", at)
	}
	return nil
}

func generic(c *v1.CustomResourceDefinition) (any, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var out any
	return out, json.Unmarshal(raw, &out)
}

// firstDifference walks two JSON values and gives the path of the first difference outside the noted fields.
func firstDifference(a, b any, path string, noted map[string]bool) (string, bool) {
	if noted[path] {
		return "", false
	}
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for _, key := range union(a, b) {
				if at, differs := firstDifference(a[key], b[key], crd.Member(path, key), noted); differs {
					return at, true
				}
			}
			return "", false
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				if at, differs := firstDifference(a[i], b[i], crd.Item(path, i), noted); differs {
					return at, true
				}
			}
			return "", false
		}
	}
	if equality.Semantic.DeepEqual(a, b) {
		return "", false
	}
	// a noted field below one that is missing on one side
	for f := range noted {
		if strings.HasPrefix(f, path+".") && (a == nil || b == nil) {
			return "", false
		}
	}
	return path, true
}

// union are the keys that either has, sorted.
func union(a, b map[string]any) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
