package suite

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// maxDepth is how deep cases may follow one another.
const maxDepth = 20

// A table is a case with values, each of which makes a case.
type table struct {
	at             request.Path
	atNode         *yaml.Node
	accept, reject []*yaml.Node
	filled         bool
}

// cases reads a case, or those of a table. Above is the case that it follows.
func (r *reader) cases(n *yaml.Node, above *Case) []*Case {
	c := &Case{At: crd.FirstKey(n), Base: r.base, Validation: r.validation, Minor: r.minor}
	rows, followers := table{}, crd.Entry{}
	named := func(e crd.Entry) { r.text(&c.Name)(e); c.At = e.Value }
	values := func(to *[]*yaml.Node) func(crd.Entry) {
		return func(e crd.Entry) {
			rows.filled = true
			r.list(e, func(item *yaml.Node) { *to = append(*to, item) })
		}
	}
	known := members{
		"name": named, "skip": r.text(&c.Skip), "request": word(r, &c.Request, Create, Update, Status, Scale, Apply),
		"old":    func(e crd.Entry) { c.Old, c.OldAt = r.change(e), e.Key },
		"before": func(e crd.Entry) { r.before(e, &c.Before) },
		"at":     func(e crd.Entry) { rows.at, rows.atNode = r.path(e.Value), e.Value },
		"accept": values(&rows.accept), "reject": values(&rows.reject),
		"rejected":        func(e crd.Entry) { c.Want.Rejected, c.Want.At = r.rejected(e.Value), e.Value },
		"also":            r.flag(&c.Want.Also),
		"stored":          func(e crd.Entry) { c.Want.Stored = r.settings(e) },
		"absent":          func(e crd.Entry) { c.Want.Absent = r.paths(e) },
		"exactly":         func(e crd.Entry) { r.object(&c.Want.Exactly)(e); c.Want.ExactAt = e.Key },
		"warns":           func(e crd.Entry) { c.Want.Warns, c.Want.WarnsAt = crd.Strings(crd.Deref(e.Value)), e.Key },
		"then":            func(e crd.Entry) { followers = e },
		"fieldValidation": word(r, &c.Validation, Strict, Warn, Ignore), "kubernetes": r.release(&c.Minor),
	}
	maps.Copy(known, r.changes(&c.Change))
	if !r.mapping(n, "a case", known) {
		return nil
	}
	r.name(c, above)
	r.complete(c, above)
	switch {
	case rows.filled && rows.atNode == nil:
		r.fail(c.At, `the case has values in accept or reject, but no path for them; add the key "at", such as at: spec.size`)
		return nil
	case rows.filled && followers.Value != nil:
		r.fail(followers.Key, "a table cannot have then; move then to a case of its own")
		return nil
	case rows.filled:
		return r.rows(c, rows)
	case rows.atNode != nil:
		r.fail(rows.atNode, `the key "at" has no values; add accept or reject`)
	case followers.Value != nil && c.Want.Rejected != nil:
		r.fail(followers.Key, "a rejected case stores nothing; remove then")
	case followers.Value != nil:
		r.then(c, followers)
	}
	return []*Case{c}
}

// name checks the name of a case.
func (r *reader) name(c, above *Case) {
	if c.Name == "" {
		r.fail(c.At, "a case must have a name; add name")
		return
	}
	if above != nil {
		c.Name = above.Name + "/" + c.Name
	}
	if r.names[c.Name] {
		r.fail(c.At, "there is another case %q; choose another name", c.Name)
	}
	r.names[c.Name] = true
}

// complete adds what a case does not say.
func (r *reader) complete(c, above *Case) {
	switch {
	case c.Request == "" && (c.Old != nil || above != nil):
		c.Request = Update
	case c.Request == "":
		c.Request = Create
	case (c.Request == Update || c.Request == Status || c.Request == Scale) && c.Old == nil && above == nil:
		c.Old, c.OldAt = &Change{}, c.At
	case c.Request == Create && (c.Old != nil || above != nil):
		r.fail(c.At, "old exists already and cannot be created again; remove request to update it")
	}
	if c.Validation == "" {
		c.Validation = Strict
	}
	if c.Base == nil && above == nil && c.Change.Object == nil && (c.Old == nil || c.Old.Object == nil) {
		r.fail(c.At, "there is no object; write base in the suite, or object in the case")
	}
	if c.Before.At != nil && c.Old == nil {
		r.fail(c.Before.At, "before needs the object that was written then; add old")
	}
}

// rows are the cases of a table.
func (r *reader) rows(of *Case, t table) (all []*Case) {
	add := func(way string, i int, n *yaml.Node) *Case {
		c := *of
		c.Name, c.At = fmt.Sprintf("%s/%s/%d", of.Name, way, i+1), n
		value, _ := r.value(n)
		c.Change.Set = append(slices.Clone(of.Change.Set), Setting{Path: t.at, Value: value, At: n})
		all = append(all, &c)
		return &c
	}
	for i, n := range t.accept {
		add("accept", i, n).Want.Rejected = nil
	}
	for i, n := range t.reject {
		c := add("reject", i, n)
		if c.Want.Rejected == nil {
			c.Want.Rejected, c.Want.At = []Expected{{At: n, Path: t.at, Below: true}}, n
		}
		c.Want.Stored, c.Want.Absent, c.Want.Exactly, c.Want.Warns, c.Want.WarnsAt = nil, nil, nil, nil, nil
	}
	return all
}

// then reads the cases that follow one.
func (r *reader) then(c *Case, e crd.Entry) {
	if r.depth++; r.depth > maxDepth {
		r.fail(e.Key, "then is nested more than %d times; split the case", maxDepth)
	} else {
		r.list(e, func(item *yaml.Node) { c.Then = append(c.Then, r.cases(item, c)...) })
	}
	r.depth--
}
