package webhook

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// settle leaves out the findings that only follow from others.
func (t *tester) settle() (left []*record) {
	sure := slices.DeleteFunc(slices.Clone(t.order), func(r *record) bool { return r.unsure })
	ofMember := func(r *record) bool {
		return slices.ContainsFunc(sure, func(member *record) bool { return onlyMember(r, member) })
	}
	causes := slices.DeleteFunc(slices.Clone(sure), ofMember) // what one member is the reason for explains nothing of the others
	for _, r := range t.order {
		if !ofMember(r) && !slices.ContainsFunc(causes, func(cause *record) bool { return cause != r && t.explains(cause, r) }) {
			left = append(left, r)
		}
	}
	type mistake struct {
		Property
		Pair
	}
	said := map[mistake]bool{}
	left = slices.DeleteFunc(left, func(r *record) bool {
		m := mistake{r.Property, r.Pair}
		switch {
		case r.Property == NoopWrites && isEmpty(r.Was) && isEmpty(r.Is): // how a webhook's types write what is empty
		case r.Property == EditLost && r.Edit != nil && r.Edit.Stored && !r.unsure: // an annotation that is left, with many fields in it
		default:
			return false
		}
		before := said[m]
		said[m] = true
		return before
	})
	slices.SortStableFunc(left, func(a, b *record) int {
		return cmp.Or(cmp.Compare(a.Property, b.Property), slices.Index(t.pairs, a.Pair)-slices.Index(t.pairs, b.Pair), a.Path.Compare(b.Path))
	})
	return left
}

// losses are the properties that say that something of an object is not there any more.
var losses = []Property{DataLost, StatusLost, Preserved, MetadataLost, WriteLost}

// explains reports whether a finding is the reason for another one.
func (t *tester) explains(cause, r *record) bool {
	of := func(all ...Property) bool { return slices.Contains(all, r.Property) }
	back := Pair{r.Pair.To, r.Pair.From}
	near := cause.Pair == r.Pair || cause.Pair == back
	related := near && (t.sameField(cause, r) || t.sameField(r, cause))
	isLoss := slices.Contains(losses, cause.Property)
	switch {
	case cause.Change == Added && r.Change != Added && cause.Property != NotStable && !of(PathsDiffer, Scale, NotDefaulted, NoopWrites, NotIdempotent) &&
		!(r.Change == Changed && t.sameField(cause, r) && t.sameField(r, cause)):
		return false // what is added to an object takes nothing away, but may take the place of what was there
	case cause.Property == PairMissing && of(PairMissing):
		return t.cutOff(cause.Pair, r.Pair)
	case sameEdit(cause, r):
		return cause.key.field < r.key.field
	case cause.Property == r.Property && cause.Pair == r.Pair && cause.Version == r.Version && cause.key.field != r.key.field:
		return cause.key.field != "" && isBelow(r.key.field, cause.key.field)
	case cause.Property == NotStable:
		return related && (slices.Contains(losses, r.Property) || of(EditLost, PathsDiffer, NoopWrites, NotIdempotent)) || near && of(Order, Concurrent)
	case cause.Pair == back && r.Pair.From != t.storage.Name && isLoss && cause.Property != WriteLost:
		return related && slices.Contains(losses, r.Property) && t.isStored(r)
	case isLoss:
		return related && of(EditLost, NotDefaulted, Scale, NoopWrites, NotIdempotent) || of(PathsDiffer) && t.onTheWay(cause, r)
	case cause.Property == NotIdempotent:
		return related && of(NoopWrites)
	case cause.Property == NotDefaulted:
		return related && of(Scale)
	case cause.Property == NotWritable:
		return related && (of(Invalid) || slices.Contains(losses, r.Property))
	case cause.Property == Invalid && cause.Grade == AsUsual: // a value of a wrong type
		return related && slices.Contains(losses, r.Property)
	case cause.Property == Failed && of(Failed): // of one field, which may be wrong in several ways
		return cause.Pair == r.Pair && len(r.Path) > 0 && cause.Missing == r.Missing && cause.key.detail < r.key.detail &&
			slices.ContainsFunc(slices.Concat(cause.Also, []request.Path{cause.Path}), func(at request.Path) bool { return at.Field() == r.Path.Field() })
	case cause.Property == Failed:
		return cause.Pair == r.Pair && of(Partial, Unvalidated) && cause.key.detail == r.key.detail
	case cause.Property == Partial:
		return cause.Pair == r.Pair && of(Unvalidated) && cause.key.detail == r.key.detail
	}
	return false
}

// cutOff reports whether a pair without the storage version is never asked for as one of its versions cannot be converted to that
// one, nor back: nothing can be stored or read at it.
func (t *tester) cutOff(missing, pair Pair) bool {
	spoke := missing.To
	if spoke == t.storage.Name {
		spoke = missing.From
	}
	return (missing.From == t.storage.Name || missing.To == t.storage.Name) && t.broken[Pair{missing.To, missing.From}] &&
		pair.From != t.storage.Name && pair.To != t.storage.Name && (pair.From == spoke || pair.To == spoke)
}

// sameEdit reports whether two values are lost, each of which is a part of what a client changes.
func sameEdit(a, b *record) bool {
	if a.Property != EditLost || b.Property != EditLost || a == b || a.Pair != b.Pair || a.Edit == nil || b.Edit == nil {
		return false
	}
	edited := a.Edit.Path.Field()
	return edited == b.Edit.Path.Field() && edited != a.key.field && edited != b.key.field && isBelow(a.key.field, edited) && isBelow(b.key.field, edited)
}

// onlyMember reports whether a value is lost in some objects because one in it is, which was all that it had: in others, only that
// one is lost.
func onlyMember(above, below *record) bool {
	return above.Property == below.Property && above.Pair == below.Pair && above.Version == below.Version && above.key.field != below.key.field &&
		above.Change == Lost && below.Change == Lost && isBelow(below.key.field, above.key.field) && !sameEdit(above, below)
}

// onTheWay reports whether a loss is one of a conversion by which the way by the storage version goes, in the same field.
func (t *tester) onTheWay(loss, r *record) bool {
	stop := loss.Pair.From
	if stop == t.storage.Name {
		stop = loss.Pair.To
	}
	if stop != r.Pair.From && stop != r.Pair.To || loss.Pair.From != t.storage.Name && loss.Pair.To != t.storage.Name {
		return false
	}
	field, other := loss.key.field, r.key.field
	switch loss.Version {
	case r.Version:
		return isBelow(field, other) || isBelow(other, field)
	case t.storage.Name:
		return t.isSame(field, other, r.Version)
	}
	for pair := range t.of(stop).same {
		if pair[1] == field && t.isSame(pair[0], field, stop) && t.isSame(pair[0], other, r.Version) {
			return true
		}
	}
	return field == other
}

// sameField reports whether the field of a finding is, or is in, that of another one, as far as is known which field becomes
// which.
func (t *tester) sameField(a, b *record) bool {
	field, other := a.key.field, b.key.field
	if a.Version == b.Version || isBelow(field, other) {
		return isBelow(field, other)
	}
	if a.Version == t.storage.Name {
		return t.isSame(field, other, b.Version)
	}
	return t.isSame(other, field, a.Version)
}

// isStored reports whether the storage version has the field of a finding about another one, as far as is known. What it has no
// field for gets lost by itself.
func (t *tester) isStored(r *record) bool {
	if len(r.Path) == 0 || r.Path[0].Key == "metadata" || t.storage.Declared(r.Path) != nil || t.storage.Keeps(r.Path[:len(r.Path)-1]) {
		return true
	}
	for pair := range t.of(r.Version).same {
		if isBelow(pair[1], r.key.field) {
			return true
		}
	}
	return false
}

// count says of how many objects that have the value of a finding it shows: of those that were compared, as nothing is known of
// what becomes of others.
func (t *tester) count(r *record) {
	r.Seen = 0
	if r.Change != Lost && r.Change != Changed && r.Change != Reordered || r.Property == EditLost || r.Pair.From != r.Version {
		r.Shown = 0
		return
	}
	for _, o := range t.compared[r.Pair] {
		if slices.ContainsFunc(paths(o), func(at request.Path) bool { return t.field(r.Version, at) == r.key.field }) {
			r.Seen++
		}
	}
	r.Shown = min(r.Shown, r.Seen)
}

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

// differences are those of two objects of a version, between which it was converted by another one, without what the webhook
// carries in annotations.
func (t *tester) differences(v, by *request.Version, before, after Object) []difference {
	all := slices.DeleteFunc(compare(v, before, after), func(d difference) bool {
		if len(d.path) != 3 || d.path[0].Key != "metadata" || d.path[1].Key != "annotations" {
			return false
		}
		_, carries := t.of(v.Name).bookkeeping[d.path[2].Key]
		return carries
	})
	for i := range all {
		all[i].slight = all[i].slight && !t.apart(v, by, before, all[i]) || t.alwaysThere(v, by, before, all[i])
	}
	return all
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
			if value == nil || !IsScalar(value) {
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
