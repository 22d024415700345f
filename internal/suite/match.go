package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
)

// judge compares an answer with what is expected. It reports whether the case can go on.
func (r *run) judge(x *Exchange, last bool) bool {
	want := &r.Case.Want
	switch {
	case x.Outcome.Accepted() && last && want.Rejected != nil:
		r.fail(Failure{Kind: Accepted, At: want.At, Exchange: x, Expected: &want.Rejected[0]})
		return false
	case x.Outcome.Accepted():
		return true
	case want.Rejected == nil || !last:
		if rest := r.undeclared(x, x.Outcome.Causes, r.Case.Change.Set); len(rest) > 0 {
			r.fail(Failure{Kind: Rejected, At: r.Case.At, Exchange: x, Causes: rest})
		}
		return false
	}
	r.compare(x, want)
	return false
}

// compare compares the causes of a rejection with those that are expected.
func (r *run) compare(x *Exchange, want *Want) {
	if want.WholeText != "" {
		r.compareText(x, want)
		return
	}
	causes, failures := x.Outcome.Causes, len(r.Failures)
	named := map[int]bool{}
	for i := range want.Rejected {
		e := &want.Rejected[i]
		fits := []int{}
		for j, c := range causes {
			if e.Fits(c) {
				fits, named[j] = append(fits, j), true
			}
		}
		x.Named = append(x.Named, fits)
		if len(fits) > 0 {
			continue
		}
		if rest := r.undeclared(x, causes, r.Case.Change.Set); len(rest) > 0 {
			r.fail(Failure{Kind: WrongCause, At: e.At, Exchange: x, Causes: rest, Expected: e})
		}
	}
	if want.Also || len(r.Failures) > failures {
		return
	}
	var more []request.Cause
	for j, c := range causes {
		if !named[j] && c.Stage != request.RulesNotRun && !follows(c, causes, named) {
			more = append(more, c)
		}
	}
	if more = r.undeclared(x, more, r.Case.Change.Set); len(more) > 0 {
		r.fail(Failure{Kind: MoreCauses, At: want.At, Exchange: x, Causes: more})
	}
}

// follows reports whether a cause only says more of one that is named: what the nearest alternative of a junctor lacks, or that a value
// does not fit all of several schemas.
func follows(c request.Cause, causes []request.Cause, named map[int]bool) bool {
	for j, other := range causes {
		if named[j] && (isBelow(c, other) || c.Keyword == "allOf" && isBelow(other, c)) {
			return true
		}
	}
	return false
}

// isBelow reports whether a cause is of a schema in the junctor of another one.
func isBelow(c, junctor request.Cause) bool {
	at := append(slices.Clone(junctor.SchemaPath), junctor.Keyword)
	return slices.Contains([]string{"anyOf", "oneOf", "allOf", "not"}, junctor.Keyword) &&
		len(c.SchemaPath) > len(at) && slices.Equal(c.SchemaPath[:len(at)], at)
}

// asking is the text of a cause that nobody knows yet. None has it, so that what it is gets told.
const asking = "?"

// Fits reports whether a cause is the one that is expected.
func (e *Expected) Fits(c request.Cause) bool {
	switch {
	case e.Text == asking,
		e.Path != nil && !e.Below && e.Path.Compare(c.Path) != 0,
		e.Path != nil && e.Below && !e.Path.Leads(c.Path),
		e.By != "" && e.By != ByOf(c),
		e.Rule != "" && !strings.Contains(c.ValidationRule().Rule, e.Rule),
		!strings.Contains(c.Detail, e.Text) && !strings.Contains(c.Text(), e.Text):
		return false
	}
	return c.Stage != request.RulesNotRun
}

// stages are the words for what rejects an object where that is no keyword of a schema.
var stages = map[request.Stage]string{
	request.Decoding: "decoding", request.TypeMeta: "metadata", request.Metadata: "metadata", request.Scale: "scale", request.Embedded: "embedded",
	request.List: "list-type", request.Storing: "metadata", request.Options: "metadata", request.Typing: "type", request.Owners: "type",
	request.Conflict: "conflict", request.Outdated: "conflict",
}

// ByOf is the word for what rejects an object by a cause; "" for the notice that rules did not run.
func ByOf(c request.Cause) string {
	switch {
	case c.Keyword == UnknownField, c.Stage == request.Typing && c.Keyword == "properties":
		return UnknownField
	case c.Stage == request.Typing && strings.HasPrefix(c.Keyword, "x-kubernetes-list"):
		return "list-type"
	case c.Stage == request.Schema:
		return c.Keyword
	case c.Stage == request.Rule && c.Failure == request.NotMet:
		return "rule"
	case c.Stage == request.Rule:
		return "rule-error"
	}
	return stages[c.Stage]
}

// undeclared reports the causes that no schema declares a field, at the setting that has the field, and returns the others.
func (r *run) undeclared(x *Exchange, causes []request.Cause, settings []Setting) (rest []request.Cause) {
	for _, c := range causes {
		at, kind := r.Case.At, Undeclared
		for _, s := range settings {
			if s.Path.Leads(c.Path) || c.Path.Leads(s.Path) {
				at = s.At
			}
			if len(s.Path) > len(c.Path) && c.Path.Leads(s.Path) {
				kind = Unreachable
			}
		}
		if ByOf(c) != UnknownField {
			rest = append(rest, c)
		} else if !slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.At == at && f.Path.Compare(c.Path) == 0 }) {
			r.fail(Failure{Kind: kind, At: at, Exchange: x, Causes: []request.Cause{c}, Path: c.Path})
		}
	}
	return rest
}

// look compares what is stored with what is expected.
func (r *run) look(stored request.Object) {
	want, x := &r.Case.Want, &r.Exchanges[len(r.Exchanges)-1]
	for _, s := range want.Stored {
		got, found := placed(s.Path, stored).In(stored)
		if !found || !Equal(got, s.Value) {
			r.fail(Failure{Kind: NotStored, At: s.At, Exchange: x, Path: s.Path, Want: s.Value, Wanted: true, Got: got, Found: found})
			continue
		}
		r.Looks = append(r.Looks, s.Path)
	}
	for _, s := range want.Absent {
		if got, found := placed(s.Path, stored).In(stored); found {
			r.fail(Failure{Kind: NotStored, At: s.At, Exchange: x, Path: s.Path, Got: got, Found: true})
		}
	}
	if want.Exactly != nil {
		r.lookExactly(stored, want, x)
	}
	r.warned(x, want)
}

// lookExactly compares all but the metadata.
func (r *run) lookExactly(all request.Object, want *Want, x *Exchange) {
	stored, exactly := looked(all, want.Metadata), looked(want.Exactly, want.Metadata)
	if path, differ := difference(stored, exactly); differ {
		got, found := path.In(stored)
		wanted, is := path.In(exactly)
		r.fail(Failure{Kind: NotStored, At: want.ExactAt, Exchange: x, Path: path, Want: wanted, Wanted: is, Got: got, Found: found, Stored: all})
		return
	}
	r.Looks = append(r.Looks, request.Path{})
}

// comparedMetadata are what clients write there but for the name.
var comparedMetadata = []string{"labels", "annotations", "finalizers", "ownerReferences"}

// looked is an object as it is compared as a whole: without its metadata, or with what clients write there but for its name.
func looked(o request.Object, withMetadata bool) request.Object {
	o = maps.Clone(o)
	metadata, _ := o["metadata"].(map[string]any)
	delete(o, "metadata")
	for _, key := range comparedMetadata {
		if value, has := metadata[key]; has && withMetadata {
			put(o, request.Keys("metadata", key), value) // where there is none
		}
	}
	return o
}

// difference is the path of the first value in which two values differ.
func difference(got, want any) (at request.Path, differ bool) {
	a, isObject := got.(map[string]any)
	b, is := want.(map[string]any)
	if isObject && is {
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			x, in := a[key]
			y, both := b[key]
			if !in || !both {
				return request.Path{request.Key(key)}, true
			}
			if below, differ := difference(x, y); differ {
				return append(request.Path{request.Key(key)}, below...), true
			}
		}
		return nil, false
	}
	items, isList := got.([]any)
	others, is := want.([]any)
	if !isList || !is {
		return request.Path{}, !Equal(got, want)
	}
	for i := range min(len(items), len(others)) {
		if below, differ := difference(items[i], others[i]); differ {
			return append(request.Path{request.Index(i)}, below...), true
		}
	}
	return request.Path{}, len(items) != len(others)
}

// Equal reports whether two values are the same as JSON: 1 is 1.0.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, is := b.(map[string]any)
		return is && maps.EqualFunc(x, y, Equal)
	case []any:
		y, is := b.([]any)
		return is && slices.EqualFunc(x, y, Equal)
	case int64:
		if y, is := b.(float64); is {
			return float64(x) == y
		}
	case float64:
		if y, is := b.(int64); is {
			return x == float64(y)
		}
	}
	return a == b
}

// warned compares what the server warns of with what is expected.
func (r *run) warned(x *Exchange, want *Want) {
	if want.WarnsAt == nil {
		return
	}
	said := Warnings(x)
	for _, text := range want.Warns {
		if !slices.ContainsFunc(said, func(one string) bool { return strings.Contains(one, text) }) {
			r.fail(Failure{Kind: Unwarned, At: want.WarnsAt, Exchange: x, Text: text, Wanted: true})
		}
	}
	if len(want.Warns) > 0 {
		return
	}
	for _, w := range x.Outcome.Warnings {
		if w.Kind == request.Ratcheted {
			r.fail(Failure{Kind: Unwarned, At: want.WarnsAt, Exchange: x, Text: w.Cause.Detail, Path: w.Path})
		}
	}
}

// Warnings are what the server warns of, in its words as far as they are known.
func Warnings(x *Exchange) (all []string) {
	for _, w := range x.Outcome.Warnings {
		switch {
		case w.Cause != nil:
			all = append(all, w.Path.String()+": "+w.Cause.Detail)
		case len(w.Path) > 0:
			all = append(all, w.Path.String()+": "+w.Detail)
		default:
			all = append(all, w.Detail)
		}
	}
	for _, change := range x.Outcome.Changes {
		if change.Kind == request.Pruned && x.Validation == Warn {
			all = append(all, fmt.Sprintf("unknown field %q", change.Path))
		}
	}
	return all
}
