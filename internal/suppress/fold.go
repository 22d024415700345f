package suppress

import (
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// Fold leaves out of a report what is about a CRD whose role is not told, and folds what copies say into the finding about their
// source: a mistake is told once. What a copy has alone is told there. Of takes a file and the name of a CRD in it, "" for none.
func Fold(r *lint.Report, of func(file, crd string) repository.Decision) {
	f := folding{of: of, told: map[string][]*lint.Finding{}, moved: map[*lint.Finding]*lint.Finding{}}
	var kept, copies []*lint.Finding
	for _, one := range r.Findings {
		d := f.decide(one)
		one.Role, one.RoleBecause = d.Role, d.Because.String()
		switch {
		case one.Ignored == "" && d.Role != "" && !d.Role.Told():
			r.LeftOut = append(r.LeftOut, one)
			continue
		case one.Ignored == "" && d.Source != "":
			copies = append(copies, one)
		default:
			f.tell(one)
		}
		kept = append(kept, one)
	}
	folded := f.fold(copies)
	r.Findings = slices.DeleteFunc(kept, func(one *lint.Finding) bool { return folded[one] })
	f.regroup(r.Findings)
	r.Defined, r.CRDs = once(r.Defined, of, r.CRDs)
}

// A folding is the work of Fold.
type folding struct {
	of    func(file, crd string) repository.Decision
	told  map[string][]*lint.Finding // by what they say
	moved map[*lint.Finding]*lint.Finding
}

// decide is the role of what a finding is about. One that relates a CRD to another is no more than the lesser of both.
func (f *folding) decide(one *lint.Finding) repository.Decision {
	d := f.of(one.Pos.File, one.Resource)
	if d.Role != "" && one.Rule.Across {
		for _, related := range one.Related {
			if other := f.of(related.Pos.File, one.Resource); other.Role != "" && !other.Role.Told() {
				return other
			}
		}
	}
	return d
}

// saying are what a finding says, whichever copy it is about: sizes and shares differ with what is around the CRD.
func saying(one *lint.Finding) (all []string) {
	message := number.ReplaceAllString(one.Message, "0")
	for _, name := range names(one) {
		all = append(all, name+"\x00"+message)
	}
	return all
}

var number = regexp.MustCompile(`\d+(\.\d+)?`)

func (f *folding) tell(one *lint.Finding) {
	for _, says := range saying(one) {
		f.told[says] = append(f.told[says], one)
	}
}

// fold adds copies of findings to those that say the same of another file, and returns the ones that went into another.
func (f *folding) fold(copies []*lint.Finding) map[*lint.Finding]bool {
	type place struct {
		file     string
		document int
	}
	folded := map[*lint.Finding]bool{}
	taken := map[place]map[*lint.Finding]bool{}
	slices.SortStableFunc(copies, func(a, b *lint.Finding) int { return f.decide(a).Rank - f.decide(b).Rank })
	for _, one := range copies {
		at := place{one.Pos.File, one.Document}
		if taken[at] == nil {
			taken[at] = map[*lint.Finding]bool{}
		}
		same := f.like(one, func(told *lint.Finding) bool { return taken[at][told] || place{told.Pos.File, told.Document} == at })
		if same == nil {
			f.tell(one)
			continue
		}
		taken[at][same], folded[one], f.moved[one] = true, true, same
		same.Copies = append(same.Copies, one.Pos)
		same.More += one.More
	}
	return folded
}

// like is the first finding that says the same and is not passed over; nil for none.
func (f *folding) like(one *lint.Finding, passOver func(*lint.Finding) bool) *lint.Finding {
	for _, says := range saying(one) {
		for _, told := range f.told[says] {
			if !passOver(told) {
				return told
			}
		}
	}
	return nil
}

// regroup has findings that say the same of several places of a CRD follow one that is told.
func (f *folding) regroup(all []*lint.Finding) {
	first := map[*lint.Finding]*lint.Finding{}
	for _, one := range all {
		switch {
		case one.First == nil || f.moved[one.First] == nil:
		case first[one.First] == nil:
			first[one.First], one.First = one, nil
		default:
			one.First = first[one.First]
		}
	}
}

// once are the CRDs that are told of, each once, and how many of a count are left without the others.
func once(all []lint.CRD, of func(file, crd string) repository.Decision, count int) ([]lint.CRD, int) {
	sources := map[string]bool{} // the CRDs whose source is among them
	for _, c := range all {
		if of(c.File, c.Name).Source == "" {
			sources[c.Name] = true
		}
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(c lint.CRD) bool {
		d := of(c.File, c.Name)
		if d.Role != "" && !d.Role.Told() || d.Source != "" && sources[c.Name] {
			return true
		}
		sources[c.Name] = sources[c.Name] || d.Source != ""
		return false
	})
	return kept, count - (len(all) - len(kept))
}
