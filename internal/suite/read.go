package suite

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// Key is the key that makes a document a suite, and Format the version of the format that is its value.
const (
	Key    = "crdtest"
	Format = "v1"
)

var fileName = text.Pattern(`\.crdtest\.(ya?ml|json)$`)

// IsNamed reports whether a file has the name of one with suites.
func IsNamed(file string) bool { return fileName().MatchString(file) }

// Read reads a document. It returns nil for one that is no suite.
func Read(d *manifest.Document) *Suite {
	n := d.Root.YNode()
	at, version := crd.Lookup(n, Key)
	if at == nil {
		return nil
	}
	r := &reader{suite: &Suite{Document: d, Node: n, Name: path.Base(fileName().ReplaceAllString(d.File.Path, ""))}, names: map[string]bool{}}
	if yaml11.IsMerge(at) || crd.StringAt(version) != Format {
		r.fail(version, "there is no version %s of the format; write %s: %s", crd.StringAt(version), Key, Format)
		return r.suite
	}
	r.refuseRepeated(n)
	r.read(n)
	return r.suite
}

// A reader reads a suite. What is wrong with it are problems of the suite.
type reader struct {
	suite      *Suite
	base       request.Object
	validation Validation
	minor      int
	names      map[string]bool
	depth      int
}

func (r *reader) fail(at *yaml.Node, format string, args ...any) {
	r.suite.Wrong = append(r.suite.Wrong, Problem{At: at, Message: fmt.Sprintf(format, args...)})
}

// members are the keys of a mapping, and what reads their values.
type members map[string]func(crd.Entry)

// mapping reads a mapping.
func (r *reader) mapping(n *yaml.Node, what string, known members) bool {
	if m := crd.Deref(n); m == nil || m.Kind != yaml.MappingNode {
		r.fail(n, "%s must be a mapping", what)
		return false
	}
	for _, e := range crd.Entries(n) {
		read, is := known[e.Name]
		if !is {
			meant := text.Nearest(e.Name, slices.Sorted(maps.Keys(known)))
			message := fmt.Sprintf("%s has the unknown key %s", what, text.Quoted(e.Name).Brief())
			if len(meant) > 0 {
				message += "; " + text.DidYouMean(meant...)
			} else {
				message += "; remove that key"
			}
			r.suite.Wrong = append(r.suite.Wrong, Problem{At: e.Key, Message: message, Unknown: true})
			continue
		}
		read(e)
	}
	return true
}

// refuseRepeated says which keys are in a mapping twice: of two paths, or two words of a case, one would count for nothing.
func (r *reader) refuseRepeated(n *yaml.Node) {
	known := map[string]bool{}
	for i, child := range n.Content {
		if name, ok := yaml11.Key(child); n.Kind == yaml.MappingNode && i%2 == 0 && ok && !yaml11.IsMerge(child) {
			if known[name] {
				r.fail(child, "the key %s is repeated; remove one of the two", text.Quoted(name).Brief())
			}
			known[name] = true
		}
		r.refuseRepeated(child) // an alias has no children of its own
	}
}

// list reads the items of a list that has some.
func (r *reader) list(e crd.Entry, read func(*yaml.Node)) {
	items := crd.Items(crd.Deref(e.Value))
	if len(items) == 0 {
		r.fail(e.Key, "%s must be a list with at least one item", e.Name)
	}
	for _, item := range items {
		read(item)
	}
}

func (r *reader) text(to *string) func(crd.Entry) {
	return func(e crd.Entry) {
		n := crd.Deref(e.Value)
		value, ok := yaml11.Text(n)
		switch {
		case !ok && n.Kind == yaml.ScalarNode && !yaml11.IsNull(n):
			r.fail(e.Value, "%s must be a string; quote %s", e.Name, n.Value)
		case value == "":
			r.fail(e.Value, "%s must be a string that is not empty", e.Name)
		}
		if *to = value; !ok {
			*to = n.Value
		}
	}
}

// word reads one of several words.
func word[T ~string](r *reader, to *T, words ...T) func(crd.Entry) {
	return func(e crd.Entry) {
		*to = T(crd.StringAt(e.Value))
		if !slices.Contains(words, *to) {
			var names []string
			for _, w := range words {
				names = append(names, string(w))
			}
			r.fail(e.Value, "%s", text.NotOneOf(e.Name, crd.StringAt(e.Value), names))
		}
	}
}

func (r *reader) flag(to *bool) func(crd.Entry) {
	return func(e crd.Entry) {
		is, ok := crd.BoolAt(e.Value)
		if !ok {
			r.fail(e.Value, "%s must be true or false", e.Name)
		}
		*to = is
	}
}

// release reads a release of Kubernetes.
func (r *reader) release(to *int) func(crd.Entry) {
	return func(e crd.Entry) {
		written := crd.Deref(e.Value).Value // not as a number: 1.30 is not 1.3
		minor, err := strconv.Atoi(strings.TrimPrefix(written, "1."))
		if err != nil || !strings.HasPrefix(written, "1.") || minor < 0 {
			r.fail(e.Value, "%s must be a release of Kubernetes such as \"1.33\"", e.Name)
		}
		*to = minor
	}
}

// value is a value as JSON has it. It is false for one that kubectl cannot send.
func (r *reader) value(n *yaml.Node) (value any, ok bool) { return r.valueAt(n, n) }

// valueAt is value for a node whose place is that of another one.
func (r *reader) valueAt(n, at *yaml.Node) (value any, ok bool) {
	value, err := layout.Value(n)
	if err != nil {
		r.fail(at, "the object cannot be sent (%s); correct it", text.OneLine(err.Error()))
	}
	return value, err == nil
}

func (r *reader) object(to *request.Object) func(crd.Entry) {
	return func(e crd.Entry) {
		value, ok := r.value(e.Value)
		o, is := value.(map[string]any)
		if ok && !is {
			r.fail(e.Value, "%s must be an object", e.Name)
		}
		if *to = o; o == nil {
			*to = request.Object{} // of which nothing else needs to be said
		}
	}
}

// read reads the suite as a whole.
func (r *reader) read(n *yaml.Node) {
	s := r.suite
	var cases *crd.Entry
	r.mapping(n, "a suite", members{
		Key:       func(crd.Entry) {},
		"name":    r.text(&s.Name),
		"crd":     func(e crd.Entry) { r.text(&s.CRD)(e); s.CRDAt = e.Value },
		"version": r.text(&s.Version), "kubernetes": r.release(&r.minor),
		"fieldValidation": word(r, &r.validation, Strict, Warn, Ignore),
		"base":            r.object(&r.base),
		"cases":           func(e crd.Entry) { cases = &e },
	})
	if cases == nil {
		r.fail(crd.FirstKey(n), "a suite must have cases; add one")
		return
	}
	r.list(*cases, func(item *yaml.Node) { s.Cases = append(s.Cases, r.cases(item, nil)...) })
}

// changes are the members that say how an object is made from another one.
func (r *reader) changes(to *Change) members {
	return members{
		"object": r.object(&to.Object),
		"set":    func(e crd.Entry) { to.Set = r.settings(e) },
		"unset":  func(e crd.Entry) { to.Unset = r.paths(e) },
	}
}

func (r *reader) change(e crd.Entry) *Change {
	c := &Change{}
	r.mapping(e.Value, e.Name, r.changes(c))
	return c
}

// settings reads values by their paths.
func (r *reader) settings(e crd.Entry) (all []Setting) {
	if crd.Deref(e.Value).Kind != yaml.MappingNode {
		r.fail(e.Value, "%s must have values by their paths, such as spec.size: 1", e.Name)
		return nil
	}
	for _, one := range crd.Entries(e.Value) {
		if value, ok := r.value(one.Value); ok {
			all = append(all, Setting{Path: r.parse(one.Key, one.Name), Value: value, At: one.Key})
		}
	}
	slices.SortStableFunc(all, func(a, b Setting) int { return a.Path.Compare(b.Path) })
	return all
}

// paths reads a list of paths.
func (r *reader) paths(e crd.Entry) (all []Setting) {
	r.list(e, func(item *yaml.Node) { all = append(all, Setting{Path: r.path(item), At: item}) })
	return all
}

func (r *reader) path(n *yaml.Node) request.Path { return r.parse(n, crd.StringAt(n)) }

// parse reads a path as findings show it; "." is that of the object itself.
func (r *reader) parse(at *yaml.Node, written string) request.Path {
	if written == "." {
		return request.Path{}
	}
	p := ParsePath(written)
	if len(p) == 0 {
		r.fail(at, "%s is not a path; write one such as spec.rules[0].name or metadata.labels[example.com/team]", text.Quoted(written).Brief())
	}
	return p
}

// rejected reads one cause, or several.
func (r *reader) rejected(n *yaml.Node) (all []Expected) {
	if items := crd.Items(crd.Deref(n)); items != nil {
		for _, item := range items {
			all = append(all, r.expected(item))
		}
	} else {
		all = append(all, r.expected(n))
	}
	if len(all) == 0 {
		r.fail(n, "rejected must name a cause; write at, by, text or rule")
	}
	return all
}

// By are the words for what may reject an object, and Keywords those of a schema.
var (
	Keywords = []string{"required", "type", "enum", "pattern", "format", "minimum", "maximum", "multipleOf", "minLength", "maxLength",
		"minItems", "maxItems", "minProperties", "maxProperties", "anyOf", "oneOf", "allOf", "not", "list-type"}
	By = slices.Concat(Keywords, []string{"rule", "rule-error", "metadata", "embedded", "scale", "decoding", "unknown-field", "conflict"})
)

func (r *reader) expected(n *yaml.Node) Expected {
	x := Expected{At: n}
	if said, is := yaml11.Text(crd.Deref(n)); is {
		if x.Text = said; said == "" {
			r.fail(n, "a cause must not be empty; write at, by, text or rule")
		}
		return x
	}
	r.mapping(n, "a cause", members{
		"at": func(e crd.Entry) { x.Path = r.path(e.Value) },
		"by": word(r, &x.By, By...), "text": r.text(&x.Text), "rule": r.text(&x.Rule),
	})
	if x.Path == nil && x.By == "" && x.Text == "" && x.Rule == "" {
		r.fail(n, "a cause must say at, by, text or rule")
	}
	return x
}

// before reads how the CRD was.
func (r *reader) before(e crd.Entry, to *Before) {
	to.At = e.Key
	if where := crd.Get(e.Value, "crd"); where != nil {
		r.mapping(e.Value, e.Name, members{"crd": r.text(&to.CRD)})
		return
	}
	r.list(e, func(item *yaml.Node) {
		written, had := item, crd.Entry{}
		if all := crd.Entries(item); len(all) == 1 {
			written, had = all[0].Key, all[0]
		}
		c, ok := ParseConstraint(crd.StringAt(written))
		if !ok {
			r.fail(item, "%s is not a constraint; write one such as spec.name.maxLength or spec.rule[text of its message]", text.Quoted(crd.StringAt(written)).Brief())
		}
		if c.At = item; had.Value != nil {
			c.Value, c.Had = r.value(had.Value)
		}
		to.Without = append(to.Without, c)
	})
}
