package conversion

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// A proof is what shows that a conversion is right: a server of the version that a CRD has now accepts it, and it means
// what upstream's own conversion of the input means, but for the fields that notes name.
type proof struct {
	from, to  crd.Version
	verdict   apiserver.Verdict // on create, of a server of the version it has now
	want, got *v1.CustomResourceDefinition
	noted     []string
}

// Prove proves the conversion of one CRD from texts alone: before and after were parsed. The error tells what is wrong; it
// is a bug of crdlift, and the text must not be written.
func Prove(before, after *crd.CRD, noted []string) error {
	got, err := after.Decode()
	if err != nil {
		return err
	}
	p := proof{from: before.Version, to: after.Version, verdict: fast.OnCreate(got.Hub, after.Version).Verdict, noted: noted}
	if p.got, err = crd.ToV1(got.Hub); err != nil {
		return err
	}
	if p.want, err = Expected(before); err != nil {
		return err
	}
	return p.check()
}

// prove proves the conversion as a tree, from what the steps know already. What holds for the tree holds for every text
// that reads alike.
func (j *job) prove() (err error) {
	p := proof{from: j.input.Version, to: j.work.Version, verdict: j.verdict}
	if p.got, err = crd.ToV1(j.result.Hub); err != nil {
		return err
	}
	j.result = nil // a large one takes megabytes
	if p.want, err = j.expected(); err != nil {
		return err
	}
	j.decoded = nil
	for _, n := range j.notes {
		p.noted = append(p.noted, n.Fields...)
	}
	return p.check()
}

// check reports what is wrong with the conversion.
func (p *proof) check() error {
	switch {
	case p.to == p.from && p.from == crd.V1beta1:
		return fmt.Errorf("apiVersion is still %s", p.to)
	case p.verdict.Panic != "":
		return fmt.Errorf("a %s API server crashes on it: %s", p.to, p.verdict.Panic)
	case !p.verdict.Accepted():
		return fmt.Errorf("a %s API server rejects it: %s", p.to, text.OneLine(p.verdict.Errors.ToAggregate().Error()))
	}
	return Compare(p.want, p.got, p.noted)
}

// expected is Expected of an input that was decoded already.
func (j *job) expected() (*v1.CustomResourceDefinition, error) {
	if j.decoded == nil || len(j.left.older) > 0 {
		return Expected(j.input)
	}
	return crd.ToV1(j.decoded.Hub)
}

// Expected is the input as upstream converts it: decoded, defaulted and converted. A v1 manifest that still has fields
// of v1beta1 is read as the v1beta1 manifest that it was.
func Expected(before *crd.CRD) (*v1.CustomResourceDefinition, error) {
	if len(leftoversOf(before).older) > 0 {
		pruned := pruned(before)
		before = asV1beta1(before)
		if spec := crd.Get(before.Node, "spec"); pruned && spec != nil {
			layout.Set(spec, "preserveUnknownFields", layout.Bool(false))
		}
	}
	want, err := before.Decode()
	if err != nil {
		return nil, err
	}
	return crd.ToV1(want.Hub)
}

// Compare reports the first field in which two CRDs differ that is not noted. Status is left out: a server makes its
// own.
func Compare(want, got *v1.CustomResourceDefinition, noted []string) error {
	want.Status, got.Status = v1.CustomResourceDefinitionStatus{}, v1.CustomResourceDefinitionStatus{}
	fields := notedFields{}
	for _, f := range noted {
		fields[f] = true
	}
	if fields.cover(reflect.ValueOf(want), reflect.ValueOf(got), &step{}) {
		return nil
	}
	return compareJSON(want, got, fields)
}

// compareJSON is Compare by the JSON of the CRDs.
func compareJSON(want, got *v1.CustomResourceDefinition, fields notedFields) error {
	a, err := generic(want)
	if err != nil {
		return err
	}
	b, err := generic(got)
	if err != nil {
		return err
	}
	if at, differs := firstDifference(a, b, "", fields); differs {
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
func firstDifference(a, b any, path string, noted notedFields) (string, bool) {
	if noted[path] {
		return "", false
	}
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			either := maps.Clone(a)
			maps.Copy(either, b)
			for _, key := range slices.Sorted(maps.Keys(either)) {
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
