package gofix

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// A Spelling is how a file calls markers that have several names.
type Spelling struct{ file *source }

// SpellingOf returns the spelling of a file; of one that cannot be written, the usual one.
func SpellingOf(path string, text []byte) Spelling {
	f, err := read(path, text)
	if err != nil {
		f = &source{}
	}
	return Spelling{f}
}

// Spell returns a mark with its markers as they are going to be written. It leaves out those that the declaration has
// under another name.
func (s Spelling) Spell(m lint.Mark) lint.Mark {
	add, drop := m.Add, slices.Clone(m.Drop)
	m.Add = nil
	for _, one := range add {
		about, replaced := topic(one.Text), ""
		at := slices.IndexFunc(drop, func(d lint.Marker) bool { return topic(d.Text) == about })
		if at >= 0 {
			replaced = drop[at].Text
		}
		text := s.file.respell(one.Text, replaced)
		if text == replaced {
			drop = slices.Delete(drop, at, at+1)
			continue
		}
		if text != one.Text {
			one.Text, one.Needs = text, "" // the generator knows what the file is written with
		}
		m.Add = append(m.Add, one)
	}
	m.Drop = drop
	return m
}

// names returns all names of a marker that has no value, the usual one first, and which of them it has; none for others,
// whose names differ in what they mean.
func names(text string) (all []string, at int) {
	p, known := marker.Parse(text)
	if !known || p.Value != "" || len(p.Arguments) > 0 || p.Items || len(p.Row.Others) == 0 {
		return nil, 0
	}
	all = append([]string{p.Row.Name}, p.Row.Others...)
	return all, slices.Index(all, p.Name)
}

// forKubernetes begins the names that Kubernetes' own generators read. controller-gen knows them since v0.20.0 only, so they
// are left where they are and never written.
const forKubernetes = "k8s:"

// respell returns a marker as a file spells it: like the one that it replaces, "" for none, or else like most in the file.
// The opposite of a marker is spelled in the same way.
func (f *source) respell(text, replaced string) string {
	all, _ := names(text)
	if all == nil {
		return text
	}
	at := f.habitual(text)
	other, i := names(replaced)
	switch {
	case other == nil || topic(replaced) != topic(text):
	case other[0] == all[0]:
		return replaced
	case !strings.HasPrefix(all[i], forKubernetes):
		at = i
	}
	return "+" + all[at]
}

// habitual returns which of its names a marker has most often in the file or, if it has none, its opposite.
func (f *source) habitual(text string) int {
	all, _ := names(text)
	same, opposite := make([]int, len(all)), make([]int, len(all))
	for _, d := range f.All {
		for _, m := range d.Markers {
			other, i := names(m.Text)
			switch {
			case other == nil || topic(m.Text) != topic(text):
			case other[0] == all[0]:
				same[i]++
			default:
				opposite[i]++
			}
		}
	}
	for i, name := range all {
		if strings.HasPrefix(name, forKubernetes) {
			same[i], opposite[i] = 0, 0
		}
	}
	if slices.Max(same) == 0 {
		same = opposite
	}
	best := 0
	for i := range same {
		if same[i] > same[best] {
			best = i
		}
	}
	return best
}
