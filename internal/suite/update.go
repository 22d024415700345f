package suite

import (
	"maps"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
)

// Instead is what a suite would have to say in the place of what it says at f.At, for the failure to be none: a value that is stored, or
// the text of what rejects an object. It is false where that would be another test: where something is rejected that was not, or by
// another constraint.
func (r *Result) Instead(f *Failure) (value any, ok bool) {
	switch {
	case f.Kind == NotStored && f.At == r.Case.Want.ExactAt && f.Stored != nil:
		return r.Case.Want.instead(f.Stored), true
	case f.Kind == NotStored:
		return f.Got, f.Found && f.Wanted
	case f.Kind == WrongCause && f.Expected.Text != "":
		return f.reworded()
	}
	return nil, false
}

// instead is what is stored, with those metadata of what is expected that are not compared.
func (w *Want) instead(stored request.Object) request.Object {
	whole := looked(stored, w.Metadata)
	own, has := w.Exactly["metadata"].(map[string]any)
	if !has {
		return whole
	}
	metadata, compared := maps.Clone(own), whole["metadata"]
	for _, key := range comparedMetadata {
		if w.Metadata {
			delete(metadata, key)
		}
	}
	if compared, is := compared.(map[string]any); is {
		maps.Copy(metadata, compared)
	}
	whole["metadata"] = metadata
	return whole
}

// reworded is the text of the cause that the failure expects in other words: the only one at its place and by its keyword, or the only one
// at all where the words are much the same.
func (f *Failure) reworded() (said any, ok bool) {
	like, named := *f.Expected, map[int]bool{}
	for _, some := range f.Exchange.Named {
		for _, i := range some {
			named[i] = true
		}
	}
	like.Text = ""
	var fits []request.Cause
	for i, c := range f.Exchange.Outcome.Causes {
		if !named[i] && like.Fits(c) {
			fits = append(fits, c)
		}
	}
	if len(fits) != 1 || fits[0].Detail == "" || like.By == "" && like.Rule == "" && !alike(f.Expected.Text, fits[0].Detail) {
		return nil, false
	}
	return fits[0].Detail, true
}

// alike reports whether a text has at least half of the words of another one.
func alike(was, is string) bool {
	words, same := map[string]bool{}, 0
	for _, word := range strings.Fields(strings.ToLower(is)) {
		words[word] = true
	}
	all := strings.Fields(strings.ToLower(was))
	for _, word := range all {
		if words[word] {
			same++
		}
	}
	return same > 0 && 2*same >= len(all)
}

// Agree reports whether all cases that expect what is written where a failure is would have it be the same value instead. The cases of a
// table, and those with an alias, share what they expect.
func Agree(all []*Result, f *Failure, value any) bool {
	for _, r := range all {
		if r.Case.Skip != "" || !r.Case.Want.isAt(f) {
			continue
		}
		would := false
		for i := range r.Failures {
			if other := &r.Failures[i]; other.At == f.At {
				instead, ok := r.Instead(other)
				would = ok && Equal(instead, value)
			}
		}
		if !would {
			return false
		}
	}
	return true
}

// isAt reports whether something is expected where a failure is.
func (w *Want) isAt(f *Failure) bool {
	for _, s := range w.Stored {
		if s.At == f.At {
			return true
		}
	}
	for _, e := range w.Rejected {
		if e.At == f.At {
			return true
		}
	}
	return w.ExactAt != nil && w.ExactAt == f.At
}
