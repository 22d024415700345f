package carry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// shapes are documents whose objects are torn apart at random.
var shapes = []string{
	head + "  # one\n  a: 1 # two\n  b:\n    # three\n    - x # four\n    - y\n\n    # five\n    - {c: 1, d: [2, 3]} # six\n  e: {f: g, h: {i: j}} # seven\n",
	head + "# one\n  text: | # two\n    # no comment\n    line\n  folded: >-\n    a\n    b\n  quoted: 'x' # three\n  empty: {} # four\n  none: [] # five\n",
	"# one\n" + head + "  list:\n  - name: a # two\n    port: 1\n    # three\n  - name: b\n    # four\n    port: 2\n  map:\n    k: &anchor v # five\n    l: *anchor\n    m: *anchor # six\n# seven\n",
	head + "  deep:\n    # one\n    deeper:\n      # two\n      deepest: # three\n        - - 1 # four\n          - 2\n        - a: b\n          # five\n          c: d\n  last: true\n",
	"{\"apiVersion\": \"example.com/v1\", \"kind\": \"Gadget\",\n  \"metadata\": {\"name\": \"a\"}, \"spec\": {\"a\": 1, \"b\": [1, {\"c\": 2}],\n  \"d\": {\"e\": \"f\"}}}\n",
	head + "  {a: 1, b: [x, y], # one\n   c: {d: e}} # two\n",
}

// leavesOf are the paths of all leaves of a value.
func leavesOf(at request.Path, value any) (all []request.Path) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			all = append(all, leavesOf(at.To(request.Key(name)), v)...)
		}
	case []any:
		for i, v := range value {
			all = append(all, leavesOf(at.To(request.Index(i)), v)...)
		}
	}
	if len(all) == 0 {
		return []request.Path{at}
	}
	slices.SortFunc(all, request.Path.Compare)
	return all
}

// torn moves, renames, computes, copies and drops values of spec at random, and says where they come from.
func torn(random *rand.Rand, before Object) *Carried {
	made := &Carried{Object: runtime.DeepCopyJSON(before)}
	for _, from := range leavesOf(request.Keys("spec"), before["spec"]) {
		value, _ := from.In(before)
		to := request.Keys("spec", fmt.Sprint("new", random.IntN(4)))
		switch random.IntN(8) {
		case 0: // a new name
			to = slices.Concat(from[:len(from)-1], to[1:])
		case 1: // a parent
			to = slices.Concat(from[:1], request.Keys("box"), from[1:])
		case 2: // computed
			to, value = from, any(fmt.Sprint("made ", random.IntN(9)))
		case 3: // gone
			to = nil
		case 4:
		default:
			continue
		}
		if to == nil || !slices.EqualFunc(from, to, func(a, b request.Step) bool { return a == b }) {
			if from[len(from)-1].IsIndex() || !from.Remove(made.Object) {
				continue
			}
		}
		if to == nil {
			continue
		}
		if _, taken := to.In(made.Object); taken && to.Compare(from) != 0 || !to.Set(made.Object, value) {
			continue
		}
		was, _ := from.In(before)
		made.Traces = append(made.Traces, Trace{From: from, To: to, Computed: !layout.Same(was, value)})
	}
	return made
}

// commentsOf are the comments of a text, sorted.
func commentsOf(t *testing.T, text string) (all []string) {
	for _, d := range manifest.Parse("a.yaml", []byte(text)).Documents {
		if d.Err != nil {
			t.Fatalf("%v in\n%s", d.Err, text)
		}
		for _, c := range d.Comments() {
			all = append(all, strings.TrimRight(c.Text, "\r"))
		}
	}
	slices.Sort(all)
	return all
}

// FuzzTree tears objects apart: the new text is what they become, it has each comment once, and no other document changes.
func FuzzTree(f *testing.F) {
	for i := range 120 {
		f.Add(uint8(i), uint64(i), uint64(i*i))
	}
	f.Fuzz(func(t *testing.T, shape uint8, seed, more uint64) {
		in := shapes[int(shape)%len(shapes)]
		if shape%3 == 1 {
			in = strings.ReplaceAll(in, "\n", "\r\n")
		}
		isJSON := in[0] == '{'
		if !isJSON {
			in = "# other\nx: [\n  y] # z\n---\n" + in + "---\nlast: 1 # of all\n"
		}
		file := manifest.Parse("a.yaml", []byte(in))
		d := file.Documents[0]
		if !isJSON {
			d = file.Documents[1]
		}
		root := crd.Clone(d.Root.YNode())
		o := subjectsIn(root)[0].Object
		before, _, err := o.Tree()
		if err != nil {
			t.Fatal(err)
		}
		made := torn(rand.New(rand.NewPCG(seed, more)), before)
		none := func(request.Path) *crd.Schema { return nil }
		if err := build(root, o, before, made, made.Object, none); err != nil {
			t.Fatal(err)
		}
		if layout.Dangling(root, nil) != "" {
			return // where aliases are expanded
		}
		written, err := rewrite.Of(d).Write(root)
		if err != nil {
			t.Fatalf("%v\n%s", err, in)
		}
		out := string(rewrite.Apply([]byte(in), written.Edits))
		if _, err := rewrite.CheckNeighbours(file, []byte(out), func(i int) bool { return i == d.Index }); err != nil {
			t.Fatal(err)
		}
		now, err := layout.Value(manifest.Parse("a.yaml", []byte(out)).Documents[d.Index].Root.YNode())
		if err != nil || !layout.Same(now, made.Object) {
			t.Fatalf("got %v\nwant %v\n%s\n%v", now, made.Object, out, made.Traces)
		}
		if was, is := commentsOf(t, in), commentsOf(t, out); !slices.Equal(was, is) {
			t.Fatalf("comments\n%q became\n%q in\n%s\n%s\n%v", was, is, in, out, made.Traces)
		}
	})
}
