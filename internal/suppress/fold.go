package suppress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Fold leaves out of a report what is about a CRD whose role is not reported, and folds what copies say into the finding about their
// source: a mistake is reported once. What a copy has alone is reported there.
func Fold(r *lint.Report, roles Roles) {
	f := folding{roles: roles, told: map[string][]*lint.Finding{}, moved: map[*lint.Finding]*lint.Finding{}}
	var kept, copies []*lint.Finding
	for _, one := range r.Findings {
		d := f.decide(one)
		one.Role, one.RoleBecause = d.Role, d.Because.String()
		known, mayRepeat := one.IgnoredBy == lint.ByBaseline, d.Source != "" || isShared(one)
		switch told := isTold(one, d); {
		case one.Ignored == "" && !told:
			r.LeftOut = append(r.LeftOut, one)
			continue
		case !told, mayRepeat && one.Ignored != "" && !known: // what somebody ignores there says nothing of other files
		case d.Source != "", mayRepeat && len(f.told[f.saying(one)[0]]) > 0:
			copies = append(copies, one)
		default:
			f.tell(one)
		}
		kept = append(kept, one)
	}
	folded := f.fold(copies)
	r.Findings = slices.DeleteFunc(kept, func(one *lint.Finding) bool { return folded[one] })
	f.regroup(r.Findings)
	if r.Objects == nil {
		for _, one := range r.Findings {
			if of := f.decide(one).Source; slices.Contains(r.Files, of) && !strings.Contains(one.Message, of) {
				one.CopyOf = of // which the message does not say
			}
		}
		once(r, roles)
	}
}

// Roles are what files are to their repository; the zero Decision is that of a file which is checked whatever it is.
type Roles interface {
	CRD(file, name string) repository.Decision // a name that is not known is that of the file's first CRD
	File(file string) repository.Decision      // for the custom resources in it
}

// Of is the role of what a finding is about.
func Of(f *lint.Finding, roles Roles) repository.Decision {
	if f.Object != nil {
		return roles.File(f.Pos.File)
	}
	if f.Rule.ID == Part {
		d := roles.File(f.Pos.File)
		if d.Role != "" && d.Role.Own() {
			d.Role = lint.RolePatch
		}
		return d
	}
	d := roles.CRD(f.Pos.File, f.Resource)
	if d.Role == "" && f.Resource == "" {
		if file := roles.File(f.Pos.File); !file.Role.Own() { // what does not parse there is a test's, too
			return file
		}
	}
	return d
}

// Part is the rule about parts of CRDs. They are only counted, unless they are named.
const Part = "partial-document"

// IsTold reports whether a finding is reported, rather than left out for the role of what it is about.
func IsTold(f *lint.Finding, roles Roles) bool { return isTold(f, Of(f, roles)) }

func isTold(f *lint.Finding, d repository.Decision) bool {
	return d.Role == "" || d.Role.Told() && f.Rule.ID != Part || f.Object != nil && d.Role.Own()
}

// A folding is the work of Fold.
type folding struct {
	roles Roles
	told  map[string][]*lint.Finding // by what they say
	moved map[*lint.Finding]*lint.Finding
}

// decide is the role of what a finding is about. One that relates a CRD to another is no more than the lesser of both.
func (f *folding) decide(one *lint.Finding) repository.Decision {
	d := Of(one, f.roles)
	if d.Role != "" && one.Rule.Across && one.Object == nil {
		for _, related := range one.Related {
			if other := f.roles.CRD(related.Pos.File, one.Resource); other.Role != "" && !other.Role.Told() {
				return other
			}
		}
	}
	return d
}

// saying are what a finding says, whichever copy in a repository it is about: sizes and shares differ with what is around the CRD.
func (f *folding) saying(one *lint.Finding) (all []string) {
	message := number().ReplaceAllString(one.Message, "0")
	if f.roles != nil {
		message += "\x00" + f.decide(one).Top
	}
	if isShared(one) {
		return []string{fmt.Sprint(one.Origin.Pos) + message}
	}
	for _, name := range names(one) {
		all = append(all, name+"\x00"+message)
	}
	return all
}

// isShared reports whether a finding is about a marker of a Go type alone, of which several CRDs may be made.
func isShared(one *lint.Finding) bool { return one.Rule.ID == "marker-ignored" && one.Origin != nil }

var number = text.Pattern(`\d+(\.\d+)?`)

func (f *folding) tell(one *lint.Finding) {
	for _, says := range f.saying(one) {
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
		same := f.like(f.saying(one), func(told *lint.Finding) bool { return taken[at][told] || place{told.Pos.File, told.Document} == at })
		if same == nil {
			f.tell(one)
			continue
		}
		taken[at][same], folded[one], f.moved[one] = true, true, same
		same.Copies = append(same.Copies, one.Pos)
		same.More += one.More
		if same.Ignored == "" && one.Ignored != "" { // a baseline has the mistake, in a file that may have been the source
			same.Ignored, same.IgnoredBy = one.Ignored, one.IgnoredBy
		}
	}
	return folded
}

// like is the first finding that says something and is not passed over; nil for none.
func (f *folding) like(says []string, passOver func(*lint.Finding) bool) *lint.Finding {
	for _, one := range says {
		for _, told := range f.told[one] {
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

// Merge takes findings about what kustomizations build of sources into what is said of these. What the sources have as well is reported
// there alone. Changed reports whether a finding is about what is built otherwise: then the two are not the same unless they say
// the same. Of what only one of the two has, what drops reports is not reported.
func Merge(r *lint.Report, built map[*lint.Finding]bool, changed, drops func(*lint.Finding) bool) {
	f := folding{told: map[string][]*lint.Finding{}, moved: map[*lint.Finding]*lint.Finding{}}
	made := folding{told: map[string][]*lint.Finding{}}
	for _, one := range r.Findings {
		if built[one] {
			made.tell(one)
			continue
		}
		f.tell(one)
		for _, name := range names(one) {
			f.told[name] = append(f.told[name], one)
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(one *lint.Finding) bool {
		elsewhere := func(other *lint.Finding) bool { return other.Pos.File != one.Pos.File }
		if !built[one] {
			return made.like(made.saying(one), elsewhere) == nil && drops(one)
		}
		same := f.like(f.saying(one), elsewhere)
		if same == nil && !changed(one) {
			same = f.like(names(one), elsewhere)
		}
		if same != nil {
			f.moved[one] = same
		}
		return same != nil || drops(one)
	})
	f.regroup(r.Findings)
}

// once leaves the CRDs that are told of in a report, each once.
func once(r *lint.Report, roles Roles) {
	type crd struct{ top, name string }
	sources := map[crd]bool{} // the CRDs whose source is among them
	for _, c := range r.Defined {
		if d := roles.CRD(c.File, c.Name); d.Source == "" {
			sources[crd{d.Top, c.Name}] = true
		}
	}
	all := len(r.Defined)
	r.Defined = slices.DeleteFunc(slices.Clone(r.Defined), func(c lint.CRD) bool {
		d := roles.CRD(c.File, c.Name)
		is := crd{d.Top, c.Name}
		if d.Role != "" && !d.Role.Told() {
			r.CRDsLeftOut++
			return true
		}
		if d.Source != "" && sources[is] {
			return true
		}
		sources[is] = sources[is] || d.Source != ""
		return false
	})
	r.CRDs -= all - len(r.Defined)
}
