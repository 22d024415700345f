package sample

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// How many objects are tried to mend one.
const (
	mendingSmall = 120
	mendingWhole = 300
)

// A change is one of an object: a value at a path, or none.
type change struct {
	path   request.Path
	value  any
	remove bool
}

// mend changes an object, in place, until it is valid: what is rejected, and why, says what to try. The value at the node keep
// stays there. It tries at most so many objects, and reports whether it came to a valid one.
func (g *Generator) mend(m maker, object request.Object, keep Path, tries int) bool {
	return g.mendBy(m, object, keep, tries, func(o request.Object) []request.Cause { return refusals(g.version, o) })
}

// Break changes a valid object, in place, until it is rejected only for what the caller wants: wrong are the causes that it has
// to get rid of, which include one that stands for what is not yet rejected. The value at the node keep stays there. It tries at most so
// many objects, and reports whether it came to one with nothing wrong.
func (g *Generator) Break(object request.Object, keep Path, tries int, wrong func(request.Object) []request.Cause) bool {
	return g.mendBy(g.maker(keep, 1), object, keep, tries, wrong)
}

// mendBy is mend for what a function finds wrong.
func (g *Generator) mendBy(m maker, object request.Object, keep Path, tries int, wrong func(request.Object) []request.Cause) bool {
	kept := Concrete(keep)
	if m.random == nil {
		m.random = g.random(keep, 0)
	}
	causes := wrong(object)
	for len(causes) > 0 && tries > 0 {
		better := false
		for _, c := range g.remedies(m, object, causes) {
			if tries--; tries < 0 {
				return false
			}
			changed, ok := c.apply(object, kept)
			if !ok {
				continue
			}
			if left := wrong(changed); weight(left) < weight(causes) {
				replace(object, changed)
				causes, better = left, true
				break
			}
		}
		if !better && !g.shake(m, object, kept, &causes, wrong) {
			return false
		}
	}
	return len(causes) == 0
}

// calm has ordinary values wherever an object is rejected, and lists of one item where that is no better: it spares that one item
// after the other is mended. Rules are asked only when the schema has nothing to say, so that values have two turns.
func (g *Generator) calm(m maker, object request.Object) {
	for turn := range 3 {
		for _, c := range refusals(g.version, object) {
			_, found := c.Path.In(object)
			list := slices.IndexFunc(c.Path, func(step request.Step) bool { return step.IsIndex() && step.Index > 0 })
			switch {
			case turn == 2 && list >= 0:
				at := c.Path[:list]
				if value, _ := at.In(object); value != nil {
					at.Set(object, value.([]any)[:1])
				}
			case turn < 2 && found && len(c.Path) > 0 && c.Stage != request.RulesNotRun:
				c.Path.Set(object, g.valueAt(m, c.Path, true))
			}
		}
	}
}

// weight is how far an object is from being valid: rules are asked only when the schema has nothing to say, and what is wrong with a
// status shows when all else is right.
func weight(causes []request.Cause) int {
	all, more := 0, 0
	for _, c := range causes {
		if len(c.Path) == 0 || c.Path[0].Key != "status" {
			more = unseen
		}
		switch c.Stage {
		case request.RulesNotRun:
			all += 50
		case request.Rule:
			all++
		default:
			all += 100
		}
	}
	return all + more
}

// unseen is more than any status weighs.
const unseen = 1 << 30

// shake makes a change that does not help by itself, so that another one may.
func (g *Generator) shake(m maker, object request.Object, kept request.Path, causes *[]request.Cause, wrong func(request.Object) []request.Cause) bool {
	for range 4 {
		all := g.remedies(m, object, *causes)
		if len(all) == 0 {
			return false
		}
		changed, ok := all[m.random.IntN(len(all))].apply(object, kept)
		if !ok {
			continue
		}
		replace(object, changed)
		*causes = wrong(changed)
		return true
	}
	return false
}

func replace(object, by request.Object) {
	clear(object)
	maps.Copy(object, by)
}

// make makes the change, and reports whether it can be made.
func (c change) make(object request.Object) bool {
	if c.remove {
		return c.path.Remove(object)
	}
	return c.path.Set(object, runtime.DeepCopyJSONValue(c.value))
}

// apply is a changed copy of an object; false where it cannot be made, or what is to be kept would go.
func (c change) apply(object request.Object, kept request.Path) (changed request.Object, ok bool) {
	changed = runtime.DeepCopyJSON(object)
	ok = c.make(changed)
	_, still := kept.In(changed)
	return changed, ok && still
}

// remedies are changes that may help against the first of the causes.
func (g *Generator) remedies(m maker, object request.Object, causes []request.Cause) (all []change) {
	cause := causes[max(0, slices.IndexFunc(causes, func(c request.Cause) bool { return c.Stage != request.RulesNotRun }))]
	switch {
	case cause.Stage == request.Rule && cause.Schema != nil && cause.Rule >= 0 && cause.Rule < len(cause.Schema.XValidations):
		return g.afterRule(m, object, cause, cause.Schema.XValidations[cause.Rule].Rule)
	case cause.Missing:
		all = append(all, change{path: cause.Path, value: g.valueAt(m, cause.Path, false)})
	}
	switch cause.Keyword {
	case "oneOf", "anyOf", "not", "allOf", "minProperties", "maxProperties":
		all = append(all, g.members(m, object, cause.Path)...)
	}
	all = append(all, change{path: cause.Path, remove: true})
	for range 4 {
		all = append(all, change{path: cause.Path, value: g.valueAt(m, cause.Path, m.random.IntN(2) == 0)})
	}
	if len(cause.Path) > 0 {
		all = append(all, change{path: cause.Path[:len(cause.Path)-1], remove: true})
	}
	return all
}

// members are changes of the members of an object: one less, one more, one alone.
func (g *Generator) members(m maker, object request.Object, at request.Path) (all []change) {
	value, _ := at.In(object)
	has, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	node := g.nodeOf(at)
	for _, name := range sorted(node.Names()) {
		here := at.To(request.Key(name))
		if _, found := has[name]; found {
			all = append(all, change{path: here, remove: true}, change{path: at, value: map[string]any{name: has[name]}})
		} else {
			all = append(all, change{path: here, value: g.valueAt(m, here, false)},
				change{path: at, value: map[string]any{name: g.valueAt(m, here, false)}})
		}
	}
	return all
}

func (g *Generator) afterRule(m maker, object request.Object, cause request.Cause, rule string) (all []change) {
	node := nodeAt(g.root, cause.Path)
	told := read(rule, node)
	var fields []request.Path
	for _, field := range told.fields {
		fields = append(fields, placesOf(object, cause.Path, field[len(node):])...)
	}
	if len(fields) == 0 {
		fields = []request.Path{cause.Path}
	}
	for _, at := range fields {
		value, found := at.In(object)
		if found {
			all = append(all, change{path: at, remove: true})
		} else {
			all = append(all, change{path: at, value: g.valueAt(m, at, false)})
		}
		all = append(all, g.others(m, object, at, value, told, fields)...)
	}
	all = append(all, g.members(m, object, cause.Path)...)
	all = append(all, change{path: cause.Path, remove: true}, change{path: cause.Path, value: g.valueAt(m, cause.Path, true)})
	return all
}

// others are values that may go to a path that a rule mentions: what it compares with, what stands elsewhere, and other ones.
func (g *Generator) others(m maker, object request.Object, at request.Path, value any, told *reading, fields []request.Path) (all []change) {
	add := func(values ...any) {
		for _, v := range values {
			all = append(all, change{path: at, value: v})
		}
	}
	kind := m.shape(g.nodeOf(at), "").kind()
	for _, literal := range told.literals {
		if number, ok := literal.(int64); ok && (kind == "integer" || kind == "number" || kind == "int or string") {
			add(number, number+1, number-1)
		} else if text, ok := literal.(string); ok && (kind == "string" || kind == "int or string") {
			add(text, text+wordOf(nodeAt(g.root, at)), "a"+text, strings.TrimPrefix(text, "^"))
			for i, spelled := range spellings(text, 0) {
				if i%7 == 0 && i < 50 {
					add(spelled)
				}
			}
		}
	}
	switch value := value.(type) {
	case bool:
		add(!value)
	case int64:
		add(value+1, value-1, int64(0), value*10)
	case []any:
		if len(value) > 0 {
			add([]any{}, value[:1])
		}
	case string:
		add("", strings.ToLower(value))
		for _, text := range naturally(wordOf(nodeAt(g.root, at)), m.next()) {
			add(text)
		}
	}
	for _, other := range fields {
		if v, found := other.In(object); found && !slices.Equal(other, at) {
			add(runtime.DeepCopyJSONValue(v))
			if n, ok := v.(int64); ok {
				add(n+1, n-1)
			}
		}
	}
	add(g.valueAt(m, at, false), g.valueAt(m, at, true), g.valueAt(m, at, true))
	return all
}

func (g *Generator) valueAt(m maker, at request.Path, full bool) any {
	m.full, m.turns = full, nil // what is ordinary is valid more often
	return m.value(g.nodeOf(at), nodeAt(g.root, at))
}

func (g *Generator) nodeOf(at request.Path) Schemas { return g.Schemas(nodeAt(g.root, at)) }

// nodeAt is the path of the node of a place in an object.
func nodeAt(node Schemas, at request.Path) (path Path) {
	for _, step := range at {
		next := Step{Property, step.Key}
		switch below := node.Child(next); {
		case step.IsIndex():
			next = Step{Kind: Items}
		case len(below) == 0:
			if len(node.Child(Step{Kind: Values})) > 0 {
				next = Step{Kind: Values}
			}
		}
		node = node.Child(next)
		path = append(path, next)
	}
	return path
}

// placesOf are where a node below a place stands in an object, or would stand: each item of lists on the way.
func placesOf(object request.Object, from request.Path, below Path) []request.Path {
	places := []request.Path{from}
	for _, step := range below {
		var next []request.Path
		for _, at := range places {
			value, _ := at.In(object)
			switch container := value.(type) {
			case []any:
				for i := range min(len(container), 3) {
					next = append(next, at.To(request.Index(i)))
				}
			case map[string]any:
				if step.Kind == Property {
					next = append(next, at.To(request.Key(step.Name)))
					continue
				}
				for i, name := range sorted(container) {
					if i < 3 {
						next = append(next, at.To(request.Key(name)))
					}
				}
			default:
				if step.Kind == Property {
					next = append(next, at.To(request.Key(step.Name)))
				}
			}
		}
		places = next
	}
	return places
}
