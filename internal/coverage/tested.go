package coverage

import (
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// A run makes the report on a CRD.
type run struct {
	*Report
	results []*suite.Result
	trees   map[string]*tree                 // by version
	without map[*Constraint]*request.Version // versions that lack one
}

func newRun(d *objects.Definition) *run {
	return &run{Report: &Report{Definition: d}, trees: map[string]*tree{}, without: map[*Constraint]*request.Version{}}
}

func (r *run) judge(ignored func(*objects.Definition, *Constraint) string) {
	read := reader{definition: r.Definition, same: map[string]*Constraint{}}
	for _, v := range r.Definition.Hub.Spec.Versions {
		if v.Served {
			r.Versions = append(r.Versions, v.Name)
			r.trees[v.Name] = read.treeOf(v.Name)
		}
	}
	sort(read.all)
	r.Constraints = read.all
	for name, t := range r.trees {
		t.root.dead(r.version(name), "")
	}
	for _, c := range r.Constraints {
		if why := r.ignored(c, ignored); why != "" && c.State != Dead {
			c.State, c.Why = Ignored, why
		}
	}
	for _, res := range r.results {
		if t := r.trees[res.Version]; t != nil {
			r.reach(t, res)
			if res.Passed() {
				r.test(t, res)
			}
		}
	}
	r.mutate()
}

// version is the version of a name that requests were sent to; nil where there were none.
func (r *run) version(name string) *request.Version {
	for _, res := range r.results {
		if n := len(res.Exchanges); n > 0 && res.Version == name && !res.Exchanges[n-1].Setup {
			return res.Exchanges[n-1].Version
		}
	}
	return nil
}

func (r *run) ignored(c *Constraint, by func(*objects.Definition, *Constraint) string) string {
	if by == nil {
		return ""
	}
	return by(r.Definition, c)
}

// raise says what is known of a constraint, if that is better than what was.
func (c *Constraint) raise(s State) {
	if c.Counts() {
		c.State = max(c.State, s)
	}
}

func (c *Constraint) testedBy(by *suite.Case) {
	c.raise(Tested)
	if c.By == nil {
		c.By = by
	}
}

// reach notes what the requests of a case reach, and which constraints refuse them.
func (r *run) reach(t *tree, res *suite.Result) {
	for i := range res.Exchanges {
		x := &res.Exchanges[i]
		if x.Outcome.Accepted() {
			seen := map[*Constraint]bool{}
			t.root.reach(x.Outcome.Object, seen)
			continue
		}
		var broken []*Constraint
		for _, cause := range x.Outcome.Causes {
			if c := t.of(cause); c != nil && !slices.Contains(broken, c) {
				broken = append(broken, c)
			}
		}
		for _, c := range broken {
			if others := len(broken) - 1; c.State < Met || others < c.With {
				c.With = others
			}
			c.raise(Met)
		}
	}
}

// reach notes the constraints that an accepted value meets. Seen are those that the same object has met.
func (n *node) reach(value any, seen map[*Constraint]bool) {
	if n == nil || value == nil {
		return
	}
	for _, c := range n.constraints {
		if c.raise(Reached); !seen[c] {
			c.Accepted++
			seen[c] = true
		}
		c.see(n.schema, value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if below := n.properties[name]; below != nil {
				below.reach(member, seen)
			} else {
				n.values.reach(member, seen)
			}
		}
	case []any:
		for _, item := range value {
			n.items.reach(item, seen)
		}
	}
}

// test finds the constraints without which a case that passes would fail.
func (r *run) test(t *tree, res *suite.Result) {
	for i := range res.Exchanges {
		x := &res.Exchanges[i]
		for j, fits := range x.Named {
			var expected *suite.Expected
			if j < len(res.Case.Want.Rejected) && len(x.Named) == len(res.Case.Want.Rejected) {
				expected = &res.Case.Want.Rejected[j]
			}
			if c := t.only(x, fits); c != nil && c.State != Tested && r.fails(x, c, expected) {
				c.testedBy(res.Case)
			}
		}
	}
	if len(res.Looks) > 0 {
		t.defaults(res)
	}
}

// only is the constraint that all of some causes are about; nil where there is no such one.
func (t *tree) only(x *suite.Exchange, causes []int) (one *Constraint) {
	for _, i := range causes {
		cause := x.Outcome.Causes[i]
		if cause.Stage == request.RulesNotRun {
			continue
		}
		c := t.of(cause)
		if c == nil || one != nil && c != one {
			return nil
		}
		one = c
	}
	return one
}

// fails reports whether nothing that is expected refuses a request any more when a constraint is gone by which all is refused that is
// expected. A rule and a list type keep no others from being seen. Any keyword may keep rules from being run, and a text that is too
// long is not held against the pattern: see hasBlockingErr of customresource, and stringValidator.Validate of kube-openapi.
func (r *run) fails(x *suite.Exchange, c *Constraint, expected *suite.Expected) bool {
	if c.Rule >= 0 || c.Kind == ListType {
		return true
	}
	if r.without[c] == nil {
		s, err := c.removed(r.Definition.Hub, x.Version.Name)
		if err == nil {
			r.without[c], err = x.Version.Under(s)
		}
		if err != nil {
			return false
		}
	}
	out := x.Ask(r.without[c])
	return out != nil && out.Err == nil && !slices.ContainsFunc(out.Causes, func(cause request.Cause) bool {
		isNew := !slices.ContainsFunc(x.Outcome.Causes, func(was request.Cause) bool {
			return was.Stage == cause.Stage && was.Keyword == cause.Keyword && was.Rule == cause.Rule && was.Path.Compare(cause.Path) == 0 && slices.Equal(was.SchemaPath, cause.SchemaPath)
		})
		return isNew && (expected == nil || expected.Fits(cause))
	})
}

// removed is the schema of a version without the constraint.
func (c *Constraint) removed(hub *apiextensions.CustomResourceDefinition, version string) (*apiextensions.JSONSchemaProps, error) {
	hub = hub.DeepCopy()
	if err := c.remove(hub, version); err != nil {
		return nil, err
	}
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	return validation.OpenAPIV3Schema, nil
}

// remove takes the constraint out of a version of a CRD.
func (c *Constraint) remove(hub *apiextensions.CustomResourceDefinition, version string) error {
	gone := suite.Constraint{Path: c.Path, Keyword: c.Keyword}
	if c.Property == "" && c.Rule < 0 {
		return gone.Remove(hub, version)
	}
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err != nil {
		return err
	}
	s := schemaAt(validation.OpenAPIV3Schema, c.SchemaPath)
	gone.Had = true
	if gone.Value = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == c.Property }); c.Rule >= 0 {
		gone.Value = slices.DeleteFunc(slices.Clone(s.XValidations), func(rule apiextensions.ValidationRule) bool { return rule.Rule == c.Value })
	}
	return gone.Remove(hub, version)
}

// schemaAt is the schema at a path, which leads through no junctor.
func schemaAt(s *apiextensions.JSONSchemaProps, path []string) *apiextensions.JSONSchemaProps {
	for len(path) > 0 {
		switch path[0] {
		case "properties":
			property := s.Properties[path[1]]
			s, path = &property, path[2:]
		case "items":
			s, path = s.Items.Schema, path[1:]
		default:
			s, path = s.AdditionalProperties.Schema, path[1:]
		}
	}
	return s
}

// defaults finds the defaults that a case looks at.
func (t *tree) defaults(res *suite.Result) {
	x := &res.Exchanges[len(res.Exchanges)-1]
	if x.Request == suite.Apply || !x.Outcome.Accepted() { // what others have written is there in any case
		return
	}
	looked := func(at request.Path) bool {
		return slices.ContainsFunc(res.Looks, func(l suite.Look) bool {
			return !l.Absent && (at.Leads(l.Path) || l.Whole && l.Path.Leads(at))
		})
	}
	for _, change := range x.Outcome.Changes {
		if change.Kind == request.Defaulted {
			if value, found := change.Path.In(x.Outcome.Object); found {
				t.root.at(change.Path).defaulted(change.Path, value, nil, looked, res.Case)
			}
		}
	}
}

// at is the node of the value at a path; nil where there is none.
func (n *node) at(path request.Path) *node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		n = n.below(step)
	}
	return n
}

func (n *node) below(step request.Step) *node {
	switch {
	case step.IsIndex():
		return n.items
	case n.properties[step.Key] != nil:
		return n.properties[step.Key]
	}
	return n.values
}

// defaulted notes the defaults that a value is of, if they are looked at: its own, but for what the default around it has there.
func (n *node) defaulted(at request.Path, value, around any, looked func(request.Path) bool, by *suite.Case) {
	if n == nil || !looked(at) {
		return
	}
	if around == nil && n.schema.Default != nil {
		around = any(*n.schema.Default)
		for _, c := range n.constraints {
			if c.Kind == Default {
				c.testedBy(by)
			}
		}
	}
	members, _ := value.(map[string]any)
	given, _ := around.(map[string]any)
	for name, member := range members {
		n.below(request.Key(name)).defaulted(at.To(request.Key(name)), member, given[name], looked, by)
	}
	items, _ := value.([]any)
	of, _ := around.([]any)
	for i, item := range items {
		if i < len(of) {
			n.below(request.Index(i)).defaulted(at.To(request.Index(i)), item, of[i], looked, by)
		}
	}
}
