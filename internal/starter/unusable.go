package starter

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/suite"
)

// An Unusable is a value that an enum allows and a rule rejects in each object that was tried, first by an error.
type Unusable struct {
	Enum  *coverage.Constraint
	Value any
	Rule  request.Cause
}

// UnusableValues looks at the values that no case shows to be accepted, of fields that a rule is about. Most are accepted in an object that
// has another value, and others not for want of something else; only where a rule ends in an error are more objects tried, for one that it
// does not reject.
func UnusableValues(d *objects.Definition, r *coverage.Report) (all []Unusable) {
	made := map[string]*sample.Generator{}
	for _, c := range r.Constraints {
		if c.Kind != coverage.Enum || len(c.Unseen) == 0 {
			continue
		}
		server, _ := d.Server()
		if server == nil {
			return nil
		}
		v := server.Version(c.Versions[0])
		if v.Err() != nil || !ruled(v, c) {
			continue
		}
		if made[v.Name] == nil {
			made[v.Name] = sample.New(server, v.Name, 1)
		}
		t := &trial{g: made[v.Name], v: v}
		if !t.begin(c) {
			continue
		}
		for _, value := range request.Subschema(v.Schema, c.SchemaPath).Enum {
			if !slices.Contains(c.Unseen, coverage.Shown(value)) {
				continue
			}
			if n, is := value.(float64); is {
				value = sample.Plain(n)
			}
			if t.value = value; t.fails() && !t.passes() {
				all = append(all, Unusable{c, value, t.rule})
			}
		}
	}
	return all
}

// ruled reports whether a rule above a constraint, or beside it, has the name of the field.
func ruled(v *request.Version, c *coverage.Constraint) bool {
	name := ""
	for _, step := range c.Path {
		name = cmp.Or(step.Key, name)
	}
	for i := 0; i <= len(c.SchemaPath); i++ {
		rules := request.Subschema(v.Schema, c.SchemaPath[:i]).XValidations
		if len(rules) > 0 && i == len(c.SchemaPath) || slices.ContainsFunc(rules, func(r apiextensions.ValidationRule) bool { return strings.Contains(r.Rule, name) }) {
			return true
		}
		if i < len(c.SchemaPath) && c.SchemaPath[i] == "properties" {
			i++ // the name of the property follows
		}
	}
	return false
}

// begin finds an object that has a value of the enum.
func (t *trial) begin(c *coverage.Constraint) (found bool) {
	if c.Example != nil {
		t.object = clone(c.Example.Outcome.Object)
		t.object["metadata"] = map[string]any{"name": "test"}
	} else if t.object, found = t.g.At(nodeOf(c.SchemaPath)); !found {
		return false
	}
	t.place = concrete(t.object, c.Path)
	return t.place != nil
}

// concrete is a place in an object that a path is about, in which 0 stands for the items of a list and "" for the keys of a map; nil where
// there is none.
func concrete(value any, path request.Path) request.Path {
	if len(path) == 0 {
		return request.Path{}
	}
	var steps []request.Step
	switch value := value.(type) {
	case map[string]any:
		steps = path[:1]
		if path[0].Key == "" {
			steps = nil
			for key := range value {
				steps = append(steps, request.Key(key))
			}
			slices.SortFunc(steps, func(a, b request.Step) int { return request.Path{a}.Compare(request.Path{b}) })
		}
	case []any:
		for i := range value {
			steps = append(steps, request.Index(i))
		}
	}
	for _, step := range steps {
		if below, has := (request.Path{step}).In(value); has {
			if rest := concrete(below, path[1:]); rest != nil {
				return append(request.Path{step}, rest...)
			}
		}
	}
	return nil
}

// A trial is of a value in an object.
type trial struct {
	g      *sample.Generator
	v      *request.Version
	object request.Object // which has another value
	place  request.Path
	value  any
	rule   request.Cause // by which a rule ends in an error
}

// fails reports whether a rule ends in an error for the object with the value.
func (t *trial) fails() bool {
	t.object = clone(t.object)
	t.place.Set(t.object, t.value)
	for _, c := range t.v.Admit(t.object).Causes {
		if c.Failure == request.RunTime && c.Rule >= 0 {
			t.rule = c
			return true
		}
	}
	return false
}

// passes reports whether an object with the value was found that the rule does not reject.
func (t *trial) passes() bool {
	for _, p := range t.g.Satisfying(t.object, t.rule.Path, t.rule.ValidationRule().Rule) {
		if changed := p.New(t.object); len(t.wrong(changed)) == 0 || t.g.Break(changed, nil, mending, t.wrong) {
			return true
		}
	}
	return t.g.Break(clone(t.object), nil, tries, t.wrong)
}

// wrong are the causes for which an object is not one that the rule does not reject. Other rules may reject it.
func (t *trial) wrong(o request.Object) []request.Cause {
	out := t.v.Admit(o)
	causes := slices.DeleteFunc(slices.Clone(out.Causes), func(c request.Cause) bool {
		return c.Stage == request.Rule && (c.Rule != t.rule.Rule || !slices.Equal(c.SchemaPath, t.rule.SchemaPath))
	})
	if value, _ := t.place.In(o); !suite.Equal(value, t.value) {
		causes = append(causes, request.Cause{Path: t.place, Rule: -1})
	}
	return causes
}
