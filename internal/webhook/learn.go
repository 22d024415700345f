package webhook

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// maxLearned is how many conversions of a pair are looked at for which field becomes which.
const maxLearned = 60

// learn looks at an object before and after a conversion, and after the way back: at which field becomes which, by values that
// there is only one of, and which annotations the webhook carries what it has no field for in.
func (t *tester) learn(s, w *request.Version, before, there, after Object) {
	t.learnAnnotations(w.Name, before, there, after)
	l := t.of(w.Name)
	if l.looked++; l.looked > maxLearned {
		return
	}
	ours, theirs := unique(s, before), unique(w, there)
	for value, field := range ours {
		if other, found := theirs[value]; found {
			l.same[[2]string{field, other}]++
		}
	}
}

// learnAnnotations keeps the annotations that a conversion adds and the way back takes away.
func (t *tester) learnAnnotations(version string, before, there, after Object) {
	was, is, again := annotations(before), annotations(there), annotations(after)
	for name, value := range is {
		_, had := was[name]
		_, has := again[name]
		if !had && !has {
			t.of(version).bookkeeping[name] = value
		}
	}
}

// differences are those of two objects of a version, without what the webhook carries in annotations.
func (t *tester) differences(v *request.Version, before, after Object) []difference {
	return slices.DeleteFunc(compare(v, before, after), func(d difference) bool {
		if len(d.path) != 3 || d.path[0].Key != "metadata" || d.path[1].Key != "annotations" {
			return false
		}
		_, carries := t.of(v.Name).bookkeeping[d.path[2].Key]
		return carries
	})
}

func annotations(o Object) map[string]any {
	value, _ := request.Keys("metadata", "annotations").In(o)
	all, _ := value.(map[string]any)
	return all
}

// unique are the fields of the scalar values that an object has once.
func unique(v *request.Version, o Object) map[string]string {
	fields, twice := map[string]string{}, map[string]bool{}
	for name, member := range o {
		if isHead(name) {
			continue
		}
		each(request.Keys(name), member, func(at request.Path, value any) {
			switch value.(type) {
			case map[string]any, []any, nil:
				return
			}
			text := canonical(value)
			if _, found := fields[text]; found {
				twice[text] = true
			}
			fields[text] = fieldOf(v, at).Field()
		})
	}
	for text := range twice {
		delete(fields, text)
	}
	return fields
}

// isSame reports whether a field of the storage version becomes a field of another one: those of one name do, and those whose
// values were found there.
func (t *tester) isSame(field, other, version string) bool {
	if field == other {
		return true
	}
	l := t.of(version)
	most := 0
	for pair, n := range l.same {
		if pair[1] == other {
			most = max(most, n)
		}
	}
	return most > 0 && l.same[[2]string{field, other}] == most
}
