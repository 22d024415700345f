package complete

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
)

const bed = head + `metadata:
  name: one
  labels: {a: b}
spec:
  soil: clay # and loam
  plants:
  - name: rose
    water:
      litres: 3

  - water: {litres: 1, from: rain}
    name: tulip
  tools: [spade, "rake"]
  template:
    apiVersion: v1
    kind: Pot
    metadata: {}
status:
  phase: Sown
`

// TestOffers holds that what is offered in an object is what its version declares there, no more and no less, wherever somebody
// writes, and that the server takes the values.
func TestOffers(t *testing.T) {
	o := &offers{T: t, crds: garden(t), random: rand.New(rand.NewPCG(1, 2))}
	for _, text := range []string{bed, strings.ReplaceAll(bed, "\n", "\r\n"), "\uFEFF" + bed, strings.ReplaceAll(bed, "rose", "rosé 🌹")} {
		for range 40 {
			o.try("bed.yaml", []byte(text))
		}
	}
	if o.keys < 300 || o.values < 60 {
		t.Errorf("only %d keys and %d values were offered", o.keys, o.values)
	}
}

// TestOffersInRepositories does the same in the samples of the repositories below the folder CRDLIFT_ROLES.
func TestOffersInRepositories(t *testing.T) {
	dir := os.Getenv("CRDLIFT_ROLES")
	if dir == "" {
		t.Skip("CRDLIFT_ROLES names no folder of repositories")
	}
	repositories, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, repository := range corpus.Sample(t, repositories, 10) {
		t.Run(filepath.Base(repository), func(t *testing.T) {
			o := &offers{T: t, crds: &objects.Catalogue{}, random: rand.New(rand.NewPCG(corpus.Seed(t), 3))}
			var samples []string
			err := filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
					return err
				}
				src := readFile(t, path)
				if o.crds.Add(objects.Definitions(path, path, src, true)...); objects.MayHold(src) && !crd.MayHold(src) && len(src) < 100_000 {
					samples = append(samples, path)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for _, i := range o.random.Perm(len(samples)) {
				if src := readFile(t, samples[i]); tried < 40 && o.crds.MayDefine(src) && o.try(samples[i], src) {
					tried++
				}
			}
			t.Logf("%d samples, %d keys, %d values", tried, o.keys, o.values)
		})
	}
}

type offers struct {
	*testing.T
	crds         *objects.Catalogue
	random       *rand.Rand
	keys, values int // that were offered
}

// try writes in an object of a text: a key in a line of its own, or a value in the place of one. It reports whether there was one.
func (o *offers) try(name string, src []byte) bool {
	var all []*skeleton.Node
	var visit func(n *skeleton.Node)
	visit = func(n *skeleton.Node) {
		if n.Kind != skeleton.Alias {
			all = append(all, n)
		}
		for _, c := range n.Children {
			visit(c)
		}
	}
	for _, d := range manifest.Parse(name, src).Documents {
		if d.Err == nil && d.Root != nil {
			visit(skeleton.Of(src, len(bytes.TrimRight(src[:d.End], " \r\n.-"))))
		}
	}
	text := &Text{Path: name, Source: src, CRDs: o.crds}
	all = slices.DeleteFunc(all, func(n *skeleton.Node) bool { return text.PlaceOf(n) == nil })
	if len(all) == 0 {
		return false
	}
	for range 10 {
		switch n := all[o.random.IntN(len(all))]; {
		case n.Kind == skeleton.Mapping && !n.Flow:
			o.key(text, n)
		case n.Kind == skeleton.Mapping:
			o.flowKey(text, n)
		case n.Kind == skeleton.Scalar && !n.Block && n.Parent != nil:
			o.value(text, n)
		}
	}
	return true
}

// key writes in an empty line above one of a mapping's keys, or begins a word there.
func (o *offers) key(text *Text, n *skeleton.Node) {
	c := n.Children[o.random.IntN(len(n.Children))]
	start := bytes.LastIndexAny(text.Source[:c.KeyStart], "\r\n") + 1
	if len(bytes.TrimSpace(text.Source[start:c.KeyStart])) > 0 {
		return // a dash or a mark is before it
	}
	word := []string{"", "", "s", "zz"}[o.random.IntN(4)]
	line := strings.Repeat(" ", n.Column) + word
	after, there := text.Source[start:], n.Children
	isHead := func(c *skeleton.Node) bool { return c.KeyStart >= start && (c.Key == "apiVersion" || c.Key == "kind") }
	if o.random.IntN(4) == 0 && !slices.ContainsFunc(n.Children, isHead) { // the rest is not written yet
		after, there = nil, slices.DeleteFunc(slices.Clone(there), func(c *skeleton.Node) bool { return c.KeyStart >= start })
	}
	if after == nil && len(there) == 0 {
		return // it is no mapping yet
	}
	cut := *n
	cut.Children = there
	o.check(text, n, &cut, start+len(line), slices.Concat(text.Source[:start], []byte(line), []byte("\n"), after), nil)
}

func (o *offers) flowKey(text *Text, n *skeleton.Node) {
	insert := "  "
	if len(n.Children) > 0 {
		insert = " , "
	}
	o.check(text, n, n, n.Start+2, slices.Concat(text.Source[:n.Start+1], []byte(insert), text.Source[n.Start+1:]), nil)
}

// value writes a value again.
func (o *offers) value(text *Text, n *skeleton.Node) {
	o.check(text, n, n, n.Start, slices.Concat(text.Source[:n.Start], text.Source[n.End:]), n)
}

// check completes a text that has an offset in a mapping, of which there is so much now, or in the place of a value that is not nil.
func (o *offers) check(was *Text, n, now *skeleton.Node, offset int, src []byte, value *skeleton.Node) {
	p := was.PlaceOf(n)
	text := &Text{Path: was.Path, Source: src, CRDs: was.CRDs}
	offered := map[string]bool{}
	for _, item := range text.At(offset) {
		switch {
		case strings.HasPrefix(item.Insert, "- "): // of a list in the same column
		case item.Kind == Field:
			offered[item.Label] = true
			o.keys++
		case value != nil && item.Kind == Choice:
			o.values++
			o.take(p, src, item)
		}
	}
	if value != nil {
		return
	}
	declared := o.declared(p, now)
	for name := range declared {
		if !offered[name] {
			o.Errorf("%s: %s could be set in %q and is not offered:\n%s", was.Path, name, p.Steps, around(src, offset))
		}
	}
	for name := range offered {
		if !declared[name] {
			o.Errorf("%s: %s is offered in %q:\n%s", was.Path, name, p.Steps, around(src, offset))
		}
	}
}

// declared are the members that the server lets an object have at a place, beside those that are there, by the structural schema.
func (o *offers) declared(p *Place, n *skeleton.Node) map[string]bool {
	names := map[string]bool{}
	add := func(all ...string) {
		for _, name := range all {
			if n.Child(name) == nil {
				names[name] = true
			}
		}
	}
	p.Version.Structural() // Declared needs it
	s := p.Version.Declared(p.Steps)
	switch i := slices.IndexFunc(p.Steps, func(s request.Step) bool { return s.Key == "metadata" }); {
	case i == 0 && len(p.Steps) == 1:
		add(request.MetadataFields()...)
		if !p.Version.Namespaced() {
			delete(names, "namespace")
		}
		return names
	case i >= 0 && p.meta != nil:
		for _, k := range p.keys() { // of Go types
			add(k.name)
		}
		return names
	case s == nil:
		return names
	}
	if len(p.Steps) == 0 || s.XEmbeddedResource {
		add("apiVersion", "kind", "metadata")
	}
	for name, below := range s.Properties {
		if v := below.ValueValidation; v == nil || v.Not == nil || !reflect.DeepEqual(*v.Not, structuralschema.NestedValueValidation{}) {
			add(name)
		}
	}
	if v := s.ValueValidation; v != nil && v.MaxProperties != nil && int64(len(n.Children)) >= *v.MaxProperties {
		return nil
	}
	return names
}

// take writes a value, and asks the server.
func (o *offers) take(p *Place, src []byte, item Item) {
	written := slices.Concat(src[:item.Start], []byte(item.Insert), src[item.End:])
	for _, d := range manifest.Parse("", written).Documents {
		if d.Err != nil || d.Root == nil || item.Start < d.Start || item.Start > d.End {
			continue
		}
		found, _ := objects.Find(d.Root.YNode())
		for _, object := range found {
			value, err := decode(object.Node)
			if err != nil || object.Kind != p.Version.GroupVersionKind().Kind {
				continue
			}
			for _, c := range p.Version.Admit(value).Causes {
				if c.Path.Compare(p.Steps) == 0 {
					o.Errorf("%s is offered for %s, and rejected: %s", item.Label, p.Steps, c.Text())
				}
			}
		}
	}
}

func decode(n *yaml.Node) (object request.Object, err error) {
	src, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	return object, yaml.Unmarshal(src, &object)
}

// around is a text around an offset.
func around(src []byte, offset int) string {
	return string(src[max(0, offset-200):offset]) + "‸" + string(src[offset:min(len(src), offset+100)])
}
