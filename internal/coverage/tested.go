package coverage

import (
	"bytes"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
)

// A run makes the report on a CRD.
type run struct {
	*Report
	results []*suite.Result
	trees   map[string]*tree // by version
	without map[removal]*request.Version
	lines   [][]byte // of the CRD's file
	most    int      // how many mutants are tried
}

// A removal is a version that lacks a constraint, which others may have, too.
type removal struct {
	of   *request.Version
	gone *Constraint
}

func newRun(d *objects.Definition, first *suite.Result) *run {
	return &run{Report: &Report{Definition: d, First: first, Versions: []string{}}, trees: map[string]*tree{}, without: map[removal]*request.Version{}, most: maxMutants}
}

func (r *run) judge(o Options) {
	read := reader{definition: r.Definition, same: map[string]*Constraint{}}
	for _, v := range r.Definition.Hub.Spec.Versions {
		if v.Served {
			r.Versions = append(r.Versions, v.Name)
			r.trees[v.Name] = read.treeOf(v.Name)
		}
	}
	sort(read.all)
	r.Constraints = read.all
	for _, name := range r.Versions {
		r.trees[name].root.dead(r.version(name), "")
	}
	r.compare(o)
	for _, c := range r.Constraints {
		if c.State == Dead {
			continue
		}
		if c.Why = r.ignored(c, o); c.Why != "" {
			c.State = Ignored
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

// version is the version of a name that requests were sent to, or would be; nil where none can.
func (r *run) version(name string) *request.Version {
	for _, res := range r.results {
		if n := len(res.Exchanges); n > 0 && res.Version == name && !res.Exchanges[n-1].Setup {
			return res.Exchanges[n-1].Version
		}
	}
	server, why := r.Definition.Server()
	if why != "" {
		return nil
	}
	return server.Version(name)
}

// compare marks what the earlier CRD does not have, or not so.
func (r *run) compare(o Options) {
	if o.Earlier == nil {
		return
	}
	was := reader{definition: o.Earlier(r.Definition), same: map[string]*Constraint{}}
	if was.definition != nil {
		for _, v := range was.definition.Hub.Spec.Versions {
			was.treeOf(v.Name)
		}
	}
	for _, c := range r.Constraints {
		c.New = was.same[c.says()] == nil
	}
}

// coverIgnore is a comment that says why what stands on its line does not count.
var coverIgnore = text.Pattern(`#\s*crdlift:cover-ignore\s+--\s+(\S.*)`)

func (r *run) ignored(c *Constraint, o Options) string {
	if r.lines == nil {
		r.lines = bytes.Split(r.Definition.Written().File.Source, []byte("\n"))
	}
	if at := c.At.Line; 0 < at && at <= len(r.lines) {
		if m := coverIgnore().FindSubmatch(r.lines[at-1]); m != nil {
			return string(bytes.TrimSpace(m[1]))
		}
	}
	if o.Ignored == nil {
		return ""
	}
	return o.Ignored(r.Definition, c)
}

// raise says what is known of a constraint, if that is better than what was.
func (c *Constraint) raise(s State) {
	if c.State < Dead {
		c.State = max(c.State, s)
	}
}

func (c *Constraint) testedBy(by *suite.Result) {
	c.raise(Tested)
	if c.By == "" {
		c.By = by.Suite.Name + "/" + by.Case.Name
	}
}

// reach notes what the requests of a case reach, and which constraints reject them.
func (r *run) reach(t *tree, res *suite.Result) {
	for i := range res.Exchanges {
		x := &res.Exchanges[i]
		if x.Outcome.Accepted() {
			seen := map[*Constraint]bool{}
			t.root.reach(x.Outcome.Object, seen)
			for c := range seen {
				if c.Example == nil {
					c.Example = x
				}
			}
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
		c.see(value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			n.below(request.Key(name)).reach(member, seen)
		}
	case []any:
		for _, item := range value {
			n.items.reach(item, seen)
		}
	}
}

// see notes that a value is accepted which a bound or an enum is about.
func (c *Constraint) see(value any) {
	switch c.Kind {
	case Bound:
		if n := request.Length(value); n >= 0 {
			value = n
		}
		c.Edge = c.Edge || c.Keyword != "multipleOf" && Shown(value) == c.Value
	case Enum:
		c.Unseen = slices.DeleteFunc(c.Unseen, func(one string) bool { return one == Shown(value) })
	}
}

// test finds the constraints without which a case that passes would fail.
func (r *run) test(t *tree, res *suite.Result) {
	for i := range res.Exchanges {
		x := &res.Exchanges[i]
		for j, fits := range x.Named {
			var expected *suite.Expected
			if len(x.Named) == len(res.Case.Want.Rejected) {
				expected = &res.Case.Want.Rejected[j]
			}
			if c := t.only(x, fits); c != nil && c.State != Tested && r.fails(x, c, expected) {
				c.testedBy(res)
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

// fails reports whether nothing that is expected rejects a request any more when a constraint is gone by which all is rejected that is
// expected. A rule and a list type keep no others from being seen. Any keyword may keep rules from being run, and a text that is too
// long is not held against the pattern: see hasBlockingErr of customresource, and stringValidator.Validate of kube-openapi.
func (r *run) fails(x *suite.Exchange, c *Constraint, expected *suite.Expected) bool {
	if c.Rule >= 0 || c.Kind == ListType {
		return true
	}
	key := removal{x.Version, c}
	if r.without[key] == nil {
		s, err := c.removed(r.Definition.Whole(), x.Version.Name)
		if err == nil {
			r.without[key], err = x.Version.Under(s)
		}
		if err != nil {
			return false
		}
	}
	out := x.Ask(r.without[key])
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
	s := request.Subschema(validation.OpenAPIV3Schema, c.SchemaPath)
	gone.Had = true
	if gone.Value = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == c.Property }); c.Rule >= 0 {
		gone.Value = slices.DeleteFunc(slices.Clone(s.XValidations), func(rule apiextensions.ValidationRule) bool { return rule.Rule == c.Value })
	}
	return gone.Remove(hub, version)
}
