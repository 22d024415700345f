package starter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/suite"
)

// A writer makes a suite.
type writer struct {
	*finder
	items []*item
	isNew bool // there are cases that others have written
	names map[string]bool
	// defaulted are the places of defaults that a case shows, and accepted the objects that one sends.
	defaulted []request.Path
	accepted  []request.Object
	rules     map[*coverage.Constraint]*find
	met       map[*coverage.Constraint]bool
}

func newWriter(f *finder, known []*suite.Result) *writer {
	w := &writer{finder: f, isNew: len(known) > 0, names: map[string]bool{}, rules: map[*coverage.Constraint]*find{}, met: map[*coverage.Constraint]bool{}}
	for _, r := range known {
		w.names[r.Case.Name] = true
		if parts := strings.Split(r.Case.Name, "/"); len(parts) > 2 {
			w.names[strings.Join(parts[:len(parts)-2], "/")] = true // of a table
		}
		for _, x := range r.Exchanges {
			if x.Outcome.Accepted() {
				w.accepted = append(w.accepted, x.Sent)
			}
		}
	}
	return w
}

// search looks for what rules reject: what is easy to find for each of them before any has the rest of the tries.
func (w *writer) search(all []*coverage.Constraint) {
	for _, n := range []int{fewTries, tries} {
		for _, c := range all {
			if t := w.target(c); c.Rule >= 0 && w.rules[c] == nil {
				w.rules[c] = t.find(n)
				w.met[c] = w.met[c] || t.met
			}
		}
	}
}

// An item is a case or, where at is set, a table.
type item struct {
	one      *suite.Case
	at       request.Path
	ways     [2][]any        // what is to be accepted, and what not
	expected *suite.Expected // nil for any cause at the place
}

// add adds a case for a constraint.
func (w *writer) add(c *coverage.Constraint) {
	t := w.target(c)
	if c.Kind == coverage.Default {
		w.defaults(t)
		return
	}
	found := w.rules[c]
	if t.Rule < 0 {
		found = t.find(fewTries)
	}
	switch {
	case found == nil && t.Rule >= 0 && w.isNew && w.names[w.ruleName(t)]: // it has been said
	case found == nil && t.Rule >= 0:
		one := w.newCase(w.ruleName(t))
		one.Skip = "no object found that only this rule rejects"
		if w.met[c] {
			one.Skip += "; other constraints reject the same objects"
		}
		w.append(one)
	case found == nil:
	case t.Rule >= 0:
		w.rule(t, found)
	case c.Kind == coverage.Required:
		w.pair(w.name(c.Path.To(request.Key(c.Property)).Field()+" is required"), found, suite.Expected{Path: t.place, By: "required"})
	default:
		w.field(t, found)
	}
}

func (w *writer) newCase(name string) *suite.Case {
	for unique, n := name, 2; ; n++ {
		if !w.names[unique] {
			w.names[unique] = true
			name = unique
			break
		}
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
	c := &suite.Case{Name: name, Base: w.written, Request: suite.Create, Validation: suite.Strict}
	if w.isNew {
		c.Comment = "new"
	}
	return c
}

func (w *writer) append(c *suite.Case) { w.items = append(w.items, &item{one: c}) }

// cases are those of all items.
func (w *writer) cases() (all []*suite.Case) {
	for _, i := range w.items {
		all = append(all, i.cases()...)
	}
	return all
}

// longest is how many characters of a message are a name.
const longest = 80

func (w *writer) name(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest-1]) + "…"
	}
	return text
}

func (w *writer) ruleName(t *target) string {
	return w.name(cmp.Or(t.rule().Message, t.rule().Rule))
}

// rule adds what a rule rejects.
func (w *writer) rule(t *target, found *find) {
	rules, one := t.g.Schemas(t.node)[0].XValidations, t.rule()
	expected := suite.Expected{Text: strings.TrimSpace(one.Message)}
	same := 0
	for _, other := range rules {
		if other.Message == one.Message {
			same++
		}
	}
	if same > 1 || one.Message == "" || one.MessageExpression != "" {
		expected = suite.Expected{By: "rule", Rule: strings.TrimSpace(one.Rule)}
	}
	w.pair(w.ruleName(t), found, expected)
}

// pair adds what is rejected beside what is accepted: as a table, where they have a value each at one place.
func (w *writer) pair(name string, found *find, expected suite.Expected) {
	d := suite.Difference(found.good, found.bad)
	if found.old == nil && size(d) == 1 && len(d.Set) == 1 {
		if value, has := d.Set[0].Path.In(found.good); has {
			w.table(name, found, d.Set[0].Path, []any{value}, []any{d.Set[0].Value}, &expected)
			return
		}
	}
	if found.old == nil && !w.sends(found.good) {
		good := w.newCase(name + ": accepted")
		w.change(good, found, found.good)
		w.append(good)
	}
	bad := w.newCase(name)
	w.change(bad, found, found.bad)
	bad.Want.Rejected = []suite.Expected{expected}
	w.append(bad)
}

// sends reports whether a case sends an object that is accepted, and has it be one.
func (w *writer) sends(o request.Object) bool {
	if slices.ContainsFunc(w.accepted, func(other request.Object) bool { return suite.Equal(o, other) }) {
		return true
	}
	w.accepted = append(w.accepted, o)
	return false
}

// change has a case send an object.
func (w *writer) change(c *suite.Case, found *find, o request.Object) {
	from := w.base
	if found.status {
		c.Request, c.Old = suite.Status, &suite.Change{}
	}
	if found.old != nil {
		old := suite.Difference(w.base, found.old)
		c.Old, from = &old, found.from
		if !found.status {
			c.Request = suite.Update
		}
	}
	c.Change = suite.Difference(from, o)
}

// field adds values to the table of a field.
func (w *writer) field(t *target, found *find) {
	good, _ := t.place.In(found.good)
	bad, has := t.place.In(found.bad)
	if d := suite.Difference(found.good, found.bad); !has || len(t.place) == 0 || t.Kind == coverage.Junctor && size(d) != 1 {
		w.pair(w.name(t.Field+": "+t.Keyword), found, suite.Expected{Path: t.place, By: t.Keyword})
		return
	}
	accept := []any{good}
	if t.Kind == coverage.Enum {
		for _, value := range t.g.Schemas(t.node)[0].Enum {
			o := clone(found.good)
			if value = sample.Plain(value); t.place.Set(o, value) && t.takes(o) && !suite.Equal(value, good) {
				accept = append(accept, value)
			}
		}
	}
	w.table(w.name(t.Field), found, t.place, accept, []any{bad}, nil)
}
