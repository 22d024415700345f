package request_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
)

// A flock plants canaries, texts and numbers of its own, in objects.
type flock struct {
	random *rand.Rand
	mark   string // what all texts have in them
	number int64  // what all numbers begin with
}

func newFlock(seed uint64) *flock {
	f := &flock{random: rand.New(rand.NewPCG(seed, 20)), number: 7391846205}
	for range 12 {
		f.mark += string(rune('a' + f.random.IntN(26)))
	}
	return f
}

// text is a canary that is a name, or in one way or another none.
func (f *flock) text() string {
	mark := fmt.Sprint(f.mark, f.random.IntN(1000))
	return []string{
		mark, mark, mark, mark, "-" + mark, mark + "/" + mark, mark + " " + mark, "a/b/" + mark, "'" + mark + "\n", "\x01" + mark, strings.Repeat(mark, 20),
		mark + ".example.com/" + mark, "foregroundDeletion", "orphan",
	}[f.random.IntN(14)]
}

// plant makes canaries of many scalars and keys in a value.
func (f *flock) plant(value any) any {
	switch value := value.(type) {
	case map[string]any:
		planted := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			name := key
			if f.random.IntN(24) == 0 {
				name = f.text()
			}
			planted[name] = f.plant(value[key])
		}
		if f.random.IntN(9) == 0 {
			planted[f.text()] = f.text()
		}
		return planted
	case []any:
		planted := make([]any, len(value))
		for i, item := range value {
			planted[i] = f.plant(item)
		}
		if len(planted) > 0 && f.random.IntN(4) == 0 {
			planted = append(planted, planted[0]) // which no set may have
		}
		return planted
	}
	_, isNumber := value.(int64)
	switch n := f.random.IntN(12); {
	case n == 0:
		return map[string]any{f.text(): f.text()}
	case n == 1:
		return []any{f.text(), f.text()}
	case n == 2, isNumber && n < 6:
		return 1000*f.number + f.random.Int64N(1000)
	case n < 6:
		return value
	}
	return f.text()
}

// metadata is an ObjectMeta of canaries, of the right types or not.
func (f *flock) metadata() any {
	texts := func() any { return map[string]any{f.text(): f.text(), f.text(): f.text()} }
	owner := func() any {
		return map[string]any{"apiVersion": f.text(), "kind": f.text(), "name": f.text(), "uid": f.text(), "controller": true, f.text(): f.text()}
	}
	all := map[string]any{
		"labels": texts(), "annotations": texts(), "finalizers": []any{f.text(), f.text()}, "ownerReferences": []any{owner(), owner()}, "uid": f.text(),
		"name": f.text(), "generateName": f.text(), "namespace": f.text(), "resourceVersion": fmt.Sprint(1000*f.number + f.random.Int64N(1000)), "creationTimestamp": f.text(),
		"managedFields": []any{map[string]any{"manager": f.text(), "operation": f.text(), "fieldsType": f.text(), "fieldsV1": texts(), "time": nil}},
		f.text():        f.text(),
	}
	metadata := map[string]any{"name": "test"}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if f.random.IntN(8) == 0 {
			metadata[key] = all[key]
		}
		if f.random.IntN(80) == 0 {
			metadata[key] = f.plant("")
		}
	}
	return metadata
}

// object plants canaries in an object that is one of its version still.
func (f *flock) object(o request.Object) request.Object {
	planted := f.plant(o).(map[string]any)
	planted["apiVersion"], planted["kind"], planted["metadata"] = o["apiVersion"], o["kind"], f.metadata()
	for _, key := range []string{"spec", "status"} {
		value, found := o[key]
		if found && f.random.IntN(10) > 0 {
			planted[key] = f.plant(value)
		}
		if members, ok := planted[key].(map[string]any); ok && f.random.IntN(2) == 0 {
			members["one"] = map[string]any{"apiVersion": f.text(), "kind": f.text(), "metadata": f.metadata()} // embedded in one of the features
		}
	}
	return planted
}

// in reports whether a text has a canary in it.
func (f *flock) in(text string) bool {
	return strings.Contains(strings.ToLower(text), f.mark) || strings.Contains(text, fmt.Sprint(f.number))
}

// words are all that an outcome says but where, and what the rules' own expressions make of the object.
func words(o *request.Outcome) string {
	var b strings.Builder
	cause := func(c request.Cause) {
		if c.Composed {
			c.Detail = ""
		}
		c.Path, c.Schema, c.Field = nil, nil, "" // of which Field is for tests
		fmt.Fprintf(&b, "%+v\n", c)
	}
	for _, c := range o.Causes {
		cause(c)
	}
	for _, w := range o.Warnings {
		if w.Cause != nil {
			cause(*w.Cause)
		}
		w.Path, w.Cause = nil, nil
		fmt.Fprintf(&b, "%+v\n", w)
	}
	for _, c := range o.Changes {
		fmt.Fprintf(&b, "%+v\n", c.Kind)
	}
	fmt.Fprintln(&b, o.Err)
	return b.String()
}

// Nothing that is said of an object has values of it, whatever is wrong with it.
func TestCanary(t *testing.T) {
	t.Parallel()
	const seed = 15
	f := newFlock(seed)
	seen := map[string]int{}
	look := func(o *request.Outcome) {
		if said := words(o); f.in(said) {
			t.Errorf("a value of the object is told:\n%s", said)
		}
		for _, c := range o.Causes {
			seen[fmt.Sprint("causes of stage ", int(c.Stage))]++
			if c.Stage == request.Metadata && c.Detail != "" {
				seen["details of metadata"]++
			}
			if c.Composed && f.in(c.Detail) {
				seen["composed messages"]++
			}
		}
		for _, w := range o.Warnings {
			seen[fmt.Sprint("warnings of kind ", int(w.Kind))]++
		}
		for _, c := range o.Changes {
			seen[fmt.Sprint("changes of kind ", int(c.Kind))]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(features)) {
		server := serveCRD(t, features[name])
		v := server.Version("v1")
		for _, sample := range behaviour.NewGenerator(server, "v1", seed).Whole(120) {
			o, old := f.object(sample.Object), f.object(sample.Object)
			look(v.Create(o))
			look(v.Update(o, sample.Object))
			look(v.Update(sample.Object, old))
			look(v.Update(old, old))
			look(v.UpdateStatus(o, old))
			look(v.UpdateScale(old, 3))
			stored, storeErr := v.Store(o)
			_, serveErr := v.Serve(stored)
			_, oldErr := v.Serve(old)
			if said := fmt.Sprint(storeErr, serveErr, oldErr); f.in(said) {
				t.Errorf("a value of the object is told: %s", said)
			}
		}
	}
	for _, what := range []string{
		"causes of stage 0", "causes of stage 2", "causes of stage 3", "causes of stage 4", "causes of stage 5", "causes of stage 6", "causes of stage 7", "causes of stage 8",
		"causes of stage 9", "details of metadata", "composed messages", "warnings of kind 1", "warnings of kind 3",
		"changes of kind 0", "changes of kind 1", "changes of kind 2", "changes of kind 3", "changes of kind 4", "changes of kind 5",
	} {
		if seen[what] == 0 {
			t.Errorf("there are no %s among %v", what, seen)
		}
	}
}
