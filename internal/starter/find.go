package starter

import (
	"slices"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
)

// A finder looks for objects of one version.
type finder struct {
	g       *sample.Generator
	v       *request.Version
	base    request.Object              // that cases change
	named   any                         // its metadata
	written request.Object              // it, as a suite has it
	left    int                         // how many objects may be tried for rules
	known   map[string][]request.Object // accepted objects with a value at a node
}

// A target is what an object is to be rejected for, and how it is sent.
type target struct {
	*finder
	*coverage.Constraint
	node   sample.Path
	place  request.Path
	status bool           // the request is one of the status
	there  request.Object // what it updates; nil for an object that is created
	met    bool           // something was rejected by the constraint, and by others
}

// A find is an object that nothing but a constraint rejects.
type find struct {
	status    bool
	old       request.Object // what is there before, as it is written; nil for nothing
	from      request.Object // the same as it is stored; nil for nothing
	good, bad request.Object // one that is accepted, and the one that is not
}

func (f *finder) target(c *coverage.Constraint) *target {
	t := &target{finder: f, Constraint: c, node: nodeOf(c.SchemaPath)}
	if c.Kind == coverage.Required {
		t.node = t.node.To(sample.Property, c.Property)
	}
	t.place = sample.Concrete(t.node)
	t.status = len(t.place) > 0 && t.place[0].Key == "status" && f.v.HasStatus()
	return t
}

// nodeOf is the node that a path of the schema leads to, through no junctor.
func nodeOf(schemaPath []string) sample.Path {
	node := sample.Path{}
	for i := 0; i < len(schemaPath); i++ {
		switch schemaPath[i] {
		case "items":
			node = node.To(sample.Items, "")
		case "additionalProperties":
			node = node.To(sample.Values, "")
		default:
			i++
			node = node.To(sample.Property, schemaPath[i])
		}
	}
	return node
}

// send sends an object as the case will.
func (t *target) send(o request.Object) *request.Outcome {
	t.left--
	switch {
	case t.there != nil && t.status:
		return t.v.UpdateStatus(o, t.there)
	case t.there != nil:
		return t.v.Update(o, t.there)
	case t.status:
		created := t.v.Create(t.base)
		if !created.Accepted() {
			return created
		}
		return t.v.UpdateStatus(o, created.Object)
	}
	return t.v.Create(o)
}

func (f *finder) accepts(o request.Object) bool { return (&target{finder: f}).takes(o) }

// takes reports whether an object is accepted and nothing of it is dropped.
func (t *target) takes(o request.Object) bool {
	out := t.send(o)
	return out.Accepted() && !prunes(out)
}

func prunes(out *request.Outcome) bool {
	return slices.ContainsFunc(out.Changes, func(c request.Change) bool { return c.Kind == request.Pruned })
}

// is reports whether a cause is that of the constraint.
func (t *target) is(c request.Cause) bool {
	if t.Kind == coverage.Junctor {
		at := append(slices.Clone(t.SchemaPath), t.Keyword)
		return slices.Equal(c.SchemaPath, t.SchemaPath) && c.Keyword == t.Keyword || len(c.SchemaPath) > len(at) && slices.Equal(c.SchemaPath[:len(at)], at)
	}
	if c.Keyword != t.Keyword || !slices.Equal(c.SchemaPath, t.SchemaPath) {
		return false
	}
	return c.Rule == t.Rule && c.Failure == request.NotMet && (t.Property == "" || len(c.Path) > 0 && c.Path[len(c.Path)-1].Key == t.Property)
}

// standing is the number of causes that stand for one that is not there, and stands what they say.
const (
	standing = 3
	stands   = "not rejected"
)

// wrong are the causes for which an object is not what is looked for: those of others and, where the constraint does not reject it, three
// that stand for that, as one that is rejected by another rule, too, is nearer.
func (t *target) wrong(o request.Object) (others []request.Cause) {
	out, met := t.send(o), false
	for _, c := range out.Causes {
		if t.is(c) {
			met = true
		} else if c.Stage != request.RulesNotRun || len(out.Causes) == 1 {
			others = append(others, c)
		}
	}
	t.met = t.met || met
	if prunes(out) || out.Err != nil {
		others = append(others, request.Cause{Path: t.place, Rule: -1})
	}
	if !met {
		stand := request.Cause{Detail: stands, Stage: request.Schema, Path: sample.Concrete(t.node), SchemaPath: t.SchemaPath, Keyword: t.Keyword, Rule: -1}
		if t.Rule >= 0 {
			stand.Stage, stand.Rule, stand.Schema = request.Rule, t.Rule, t.g.Schemas(t.node)[0]
		}
		others = append([]request.Cause{stand, stand, stand}, others...)
	}
	return others
}

func (t *target) only(o request.Object) bool { return len(t.wrong(o)) == 0 }

// find looks for an object that nothing but the constraint rejects; nil where there is none.
func (t *target) find(tries int) *find {
	all := t.around(t.node)
	if t.Rule >= 0 {
		return t.findRule(all, tries)
	}
	for _, good := range all {
		if bad := t.search(good, tries/len(all)); bad != nil {
			if found := t.found(nil, good, bad); found != nil {
				return found
			}
		}
	}
	return nil
}

// found is what was found, if an accepted object is near.
func (t *target) found(old, good, bad request.Object) *find {
	bad = t.shrink(bad, good)
	near := t.near(bad, good)
	if near == nil {
		return nil
	}
	return &find{status: t.status, old: old, from: t.there, good: near, bad: bad}
}

// search looks for the object near an accepted one.
func (t *target) search(good request.Object, tries int) request.Object {
	switch t.Kind {
	case coverage.Required:
		bad := clone(good)
		if t.place.Remove(bad); t.only(bad) {
			return bad
		}
		return nil
	case coverage.Junctor:
		bad := clone(good)
		if t.g.Break(bad, t.node, tries, t.wrong) {
			return bad
		}
		return nil
	}
	value, _ := t.place.In(good)
	for _, v := range t.g.Wrong(t.node, t.Keyword, value) {
		bad := clone(good)
		if t.place.Set(bad, v); t.only(bad) {
			return bad
		}
	}
	return nil
}
