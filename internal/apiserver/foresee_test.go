package apiserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestForesee makes several mistakes and takes them back one by one. After that, nothing may be rejected for a reason
// that was not reported before, and the foreseen errors are the server's for some of the mistakes without the others.
func TestForesee(t *testing.T) {
	t.Parallel()
	each := 132
	if testing.Short() {
		each = 30
	}
	var f tally
	for _, folder := range []string{"v1", "v1beta1"} {
		for i, fixture := range fixtures(t, folder) {
			if slices.Equal(fixture.want, []string{"accepted"}) && (folder == "v1" || crd.Get(fixture.crd.Node, "spec", "preserveUnknownFields") != nil) {
				f.mutate(t, fixture.name, fixture.crd, uint64(i), each)
			}
		}
	}
	t.Logf("%d mutants, %d with errors that the server hides, %d of those with more behind them that nobody can tell, %d panics", f.all, f.hidden, f.unjudged, f.panics)
	if f.hidden < f.all/100 {
		t.Error("too few of them hide anything")
	}
}

// A tally counts the cases.
type tally struct{ all, hidden, unjudged, panics int }

func (f *tally) mutate(t *testing.T, name string, c *crd.CRD, seed uint64, each int) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		t.Fatal(err)
	}
	var original any
	_ = json.Unmarshal(raw, &original)
	for n := range each {
		mutant, made, err := mutants.Of(raw, rand.New(rand.NewPCG(seed, uint64(n))), 2+n%4)
		if err != nil {
			t.Fatal(err)
		}
		told, ok := judged(mutant, c.Version)
		if !ok || slices.Contains(made, "wrap into a junctor") { // which is one mistake, but many changes
			continue
		}
		if c.Version == crd.V1beta1 && slices.Contains(made, "set preserveUnknownFields") {
			continue // a schema that is not structural becomes one all wrong, by one mistake
		}
		if c.Version == crd.V1beta1 && !bytes.Contains(mutant, []byte(`"preserveUnknownFields":false`)) {
			continue
		}
		f.all++
		if len(told.Errors) > 0 {
			f.hidden++
		}
		if len(told.Unjudged) > 0 {
			f.unjudged++
		}
		if told.verdict.Panic != "" {
			f.panics++
			continue
		}
		var is any
		_ = json.Unmarshal(mutant, &is)
		what := fmt.Sprintf("%s, mutant %d %q", name, n, made)
		f.takeBack(t, what, original, is, c.Version, told)
	}
}

// An outlook is a server's verdict on a CRD now, and the foreseen one.
type outlook struct {
	verdict apiserver.Verdict
	apiserver.Foresight
}

// ofVersion matches the path of a version's schema; one that all versions share is the CRD's.
var ofVersion = regexp.MustCompile(`^spec\.(validation|versions\[\d+\]\.schema)`)

// rows are the rules and places of the errors: their text may depend on the context.
func rows(errs field.ErrorList) map[string]bool {
	all := map[string]bool{}
	for _, err := range errs {
		at := ofVersion.ReplaceAllString(err.Field, "schema")
		if before, _, ok := strings.Cut(at, ".default."); ok {
			at = before + ".default" // which of its errors the server says first is a matter of chance
		}
		all[apiserver.RuleOf(err)+" at "+at] = true
	}
	return all
}

func (a outlook) everything() map[string]bool {
	all := rows(a.verdict.Errors)
	maps.Copy(all, rows(a.Errors))
	return all
}

func judged(raw []byte, version crd.Version) (outlook, bool) {
	d, err := crd.DecodeJSON(raw, version)
	if err != nil {
		return outlook{}, false
	}
	v := quick(d.Hub, version)
	return outlook{v, apiserver.Foresee(d.Hub, version, v, quick)}, true
}

func (f *tally) takeBack(t *testing.T, what string, original, mutant any, version crd.Version, told outlook) {
	t.Helper()
	before := told.everything()
	mistakes := differences("", original, mutant)
	for i, mistake := range mistakes {
		left := slices.Delete(slices.Clone(mistakes), i, i+1)
		now, ok := judged(with(original, left), version)
		if !ok || len(now.Unjudged) > 0 || len(told.Unjudged) > 0 || !strings.Contains(mistake.path, "openAPIV3Schema") {
			continue // outside of schemas nothing hides anything
		}
		for row := range now.everything() {
			if !before[row] && strings.Contains(row, "chema.openAPIV3Schema") && !half(mistake.path, row) {
				t.Errorf("%s: without %s there is %s, which was not told", what, mistake.path, row)
			}
		}
	}
	for row := range rows(told.Errors) {
		cause := mistakes
		for i := 0; i < len(cause); { // as few of the mistakes as it takes
			fewer := slices.Delete(slices.Clone(cause), i, i+1)
			if now, ok := judged(with(original, fewer), version); ok && now.everything()[row] {
				cause = fewer
			} else {
				i++
			}
		}
		// one change may be several mistakes
		if now, ok := judged(with(original, cause), version); ok && len(cause) > 1 && !rows(now.verdict.Errors)[row] {
			t.Errorf("%s: %s was foreseen, but is only there beside other errors: %v", what, row, now.verdict.Errors)
		}
	}
}

// half reports whether an error is about the schema of which only a part is as it was, or in that part: the mutant has something
// else there.
func half(mistake, row string) bool {
	_, mistake, _ = strings.Cut(mistake, "openAPIV3Schema")
	_, row, _ = strings.Cut(row, "openAPIV3Schema")
	row = strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(row)
	mistake = strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(mistake)
	return path.Dir(mistake) == path.Dir(row+"/keyword") || path.Dir(mistake) == path.Dir(row) || strings.HasPrefix(row, mistake+"/")
}

// A difference is one part of a CRD that a mutation changed.
type difference struct {
	path string
	keys []any // that lead there
	is   any   // removed for a member that is gone
}

type absence struct{}

func differences(path string, a, b any, keys ...any) []difference {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	was, ok1 := a.(map[string]any)
	is, ok2 := b.(map[string]any)
	if ok1 && ok2 {
		var all []difference
		names := map[string]bool{}
		for name := range was {
			names[name] = true
		}
		for name := range is {
			names[name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			at := append(slices.Clone(keys), name)
			before, had := was[name]
			after, has := is[name]
			switch {
			case !has:
				all = append(all, difference{path + "." + name, at, absence{}})
			case !had:
				all = append(all, difference{path + "." + name, at, after})
			default:
				all = append(all, differences(path+"."+name, before, after, at...)...)
			}
		}
		return all
	}
	oldList, ok1 := a.([]any)
	newList, ok2 := b.([]any)
	if ok1 && ok2 && len(oldList) == len(newList) {
		var all []difference
		for i := range oldList {
			all = append(all, differences(fmt.Sprintf("%s[%d]", path, i), oldList[i], newList[i], append(slices.Clone(keys), i)...)...)
		}
		return all
	}
	return []difference{{path, keys, b}}
}

// with makes some mistakes in a CRD.
func with(original any, mistakes []difference) []byte {
	raw, _ := json.Marshal(original)
	var out any
	_ = json.NewDecoder(bytes.NewReader(raw)).Decode(&out)
	for _, d := range mistakes {
		in := out
		for _, key := range d.keys[:len(d.keys)-1] {
			if name, ok := key.(string); ok {
				in = in.(map[string]any)[name]
			} else {
				in = in.([]any)[key.(int)]
			}
		}
		switch last := d.keys[len(d.keys)-1].(type) {
		case int:
			in.([]any)[last] = d.is
		case string:
			if _, gone := d.is.(absence); gone {
				delete(in.(map[string]any), last)
			} else {
				in.(map[string]any)[last] = d.is
			}
		}
	}
	raw, _ = json.Marshal(out)
	return raw
}

// TestForeseeOfManyErrors: a CRD with more errors than anybody mends is not validated without them, which is told.
func TestForeseeOfManyErrors(t *testing.T) {
	t.Parallel()
	for errors, want := range map[int]int{limit.ServerErrors: 0, limit.ServerErrors + 1: 1} {
		verdict := apiserver.Verdict{}
		for i := range errors {
			verdict.Errors = append(verdict.Errors, field.Invalid(field.NewPath("metadata").Key(strconv.Itoa(i)), i, "wrong"))
		}
		if left := apiserver.Foresee(&apiextensions.CustomResourceDefinition{}, crd.V1, verdict, quick).Unjudged; len(left) != want {
			t.Errorf("%d errors: %q is left", errors, left)
		}
	}
}
