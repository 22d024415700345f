package carry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// A leaf is a value of the object, and where another value in its place makes a difference at the target version.
type leaf struct {
	at    request.Path
	value any
	to    []request.Path
	known bool // the webhook converted the object with another value there
}

// maxTraced is how many values of an object are traced. Of a larger one, it is only those that the webhook does not leave where they are.
const maxTraced = 500

// trace finds out where the values of an object go: one is changed at a time, and all copies are converted by one request. Those that make
// no difference, or that the webhook does not take, are tried again with another value. Base is what becomes of the object, and also are
// other objects to be converted by the first request. Nothing is traced when there is an error.
func (c *carrying) trace(o Object, also ...Object) (base Object, err error) {
	eachLeaf(o, nil, func(at request.Path, value any) {
		if value != nil && internalwebhook.IsScalar(value) && len(at) > 1 && (at[0].Key != "metadata" || isText(at)) {
			c.leaves = append(c.leaves, &leaf{at: slices.Clone(at), value: value})
		}
	})
	traced := c.leaves
	if len(traced) > maxTraced {
		if base, err = c.convertOne(c.to, o); err != nil {
			return nil, err
		}
		traced = slices.DeleteFunc(slices.Clone(traced), func(l *leaf) bool { return l.stays(base) })
		c.out.Untraced = len(c.leaves) - len(traced)
	}
	for round := range 2 {
		var copies []Object
		for _, l := range traced {
			other := runtime.DeepCopyJSON(o)
			l.at.Set(other, c.unlike(l, round))
			copies = append(copies, other)
		}
		first := append([]Object{o}, also...)
		if _, err := c.convert(c.to, append(first, copies...)...); err != nil {
			if isFinal(err) {
				return nil, err
			}
			if _, err := c.convert(c.to, first...); err != nil {
				return nil, err
			}
		}
		if base, err = c.convertOne(c.to, o); err != nil {
			return nil, err
		}
		if err := c.follow(base, traced, copies); err != nil {
			return nil, err
		}
		traced = slices.DeleteFunc(slices.Clone(traced), func(l *leaf) bool { return len(l.to) > 0 })
		also = nil
	}
	for _, l := range traced {
		if !l.known {
			l.findEqual(base, c.leaves)
		}
	}
	return base, nil
}

// follow sees what the copies have become. If the webhook does not convert all, each half is tried.
func (c *carrying) follow(base Object, traced []*leaf, copies []Object) error {
	converted, err := c.convert(c.to, copies...)
	switch half := len(copies) / 2; {
	case err != nil && isFinal(err):
		return err
	case err != nil && len(copies) == 1:
		return nil
	case err != nil:
		if err := c.follow(base, traced[:half], copies[:half]); err != nil {
			return err
		}
		return c.follow(base, traced[half:], copies[half:])
	}
	for i, l := range traced {
		var differ []difference
		compare(nil, base, converted[i], base, true, &differ)
		l.known = true
		for _, d := range differ {
			for _, value := range []any{d.want, d.got} {
				eachLeaf(value, d.at, func(at request.Path, value any) {
					if known := func(p request.Path) bool { return p.Compare(at) == 0 }; value != nil && !slices.ContainsFunc(l.to, known) {
						l.to = append(l.to, slices.Clone(at))
					}
				})
			}
		}
	}
	return nil
}

// stays reports whether the value is where it was.
func (l *leaf) stays(in Object) bool {
	value, there := l.at.In(in)
	return there && layout.Same(value, l.value)
}

// findEqual takes a value for moved that nothing else explains where there is one like it.
func (l *leaf) findEqual(base Object, all []*leaf) {
	if l.stays(base) {
		return
	}
	var found []request.Path
	eachLeaf(base, nil, func(at request.Path, value any) {
		claimed := func(other *leaf) bool {
			return slices.ContainsFunc(other.to, func(p request.Path) bool { return p.Compare(at) == 0 })
		}
		if layout.Same(value, l.value) && !slices.ContainsFunc(all, claimed) {
			found = append(found, slices.Clone(at))
		}
	})
	if len(found) == 1 {
		l.to = found
	}
}

// isText reports whether a path is that of a label or an annotation.
func isText(at request.Path) bool {
	return len(at) == 3 && at[0].Key == "metadata" && (at[1].Key == "labels" || at[1].Key == "annotations")
}

// unlike is another value for the one of a leaf. The first that is tried is likely to be taken by what reads numbers, durations,
// quantities, times or addresses in a text; the second differs from it everywhere.
func (c *carrying) unlike(l *leaf, round int) any {
	switch value := l.value.(type) {
	case bool:
		return !value
	case int64:
		return value + []int64{1, 7919}[round]
	case float64:
		return value + []float64{0.5, 7919}[round]
	case string:
		if s := c.from.Declared(l.at); s != nil && s.ValueValidation != nil && len(s.ValueValidation.Enum) > 1 {
			others := slices.DeleteFunc(slices.Clone(s.ValueValidation.Enum), func(e structuralschema.JSON) bool { return e.Object == value })
			return others[min(round, len(others)-1)].Object
		}
		if round == 0 && standIn().MatchString(value) { // anything may come in its place
			return value + " a/b:c,d=e@f"
		}
		if other := strings.Map(rotated(round > 0), value); other != value {
			return other
		}
		return value + "-trace"
	}
	return fmt.Sprint(l.value)
}

// rotated makes the next digit of one, and of a letter the next one.
func rotated(letters bool) func(rune) rune {
	return func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '1' + (r-'0')%8
		case letters && (r >= 'a' && r < 'z' || r >= 'A' && r < 'Z'):
			return r + 1
		case letters && (r == 'z' || r == 'Z'):
			return r - 25
		}
		return r
	}
}

// traces are those of what is written.
func (c *carrying) traces(w Object) {
	for _, l := range c.leaves {
		var there []request.Path
		for _, at := range l.to {
			if _, found := at.In(w); found {
				there = append(there, at)
			}
		}
		equal := func(at request.Path) bool { value, _ := at.In(w); return layout.Same(value, l.value) }
		if l.stays(w) || len(there) == 0 {
			continue
		}
		to := there[max(slices.IndexFunc(there, equal), 0)]
		if i := slices.IndexFunc(there, func(at request.Path) bool { return at.Compare(l.at) == 0 }); i >= 0 {
			to = there[i]
		}
		c.out.Traces = append(c.out.Traces, Trace{From: l.at, To: to, Computed: !equal(to)})
	}
}
