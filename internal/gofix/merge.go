package gofix

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// A change is what happens to the markers of a declaration.
type change struct {
	// replace has new texts by the index of a marker: "" to remove it.
	replace map[int]string
	add     []string
}

// result returns the markers after a change.
func (c change) result(markers []string) (all []string) {
	for i, text := range markers {
		if to, ok := c.replace[i]; ok {
			text = to
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return append(all, c.add...)
}

// merge puts together what marks ask of a declaration. Those that contradict others, or the markers that are there and
// stay, are rejected.
func (f *source) merge(d gotypes.Declaration, marks []lint.Mark, asked []int, refused []error) change {
	merged := change{replace: map[int]string{}}
	requests := together(alike(marks, asked))
	for i, r := range requests {
		for _, other := range requests[i+1:] {
			if err := contradict(r.mark, other.mark); err != nil {
				refuse(refused, slices.Concat(r.of, other.of), err)
			}
		}
		if refused[r.of[0]] != nil {
			continue
		}
		one, err := f.changeOf(d, r.mark)
		if err != nil {
			refuse(refused, r.of, err)
			continue
		}
		maps.Copy(merged.replace, one.replace)
		for _, text := range one.add {
			if !slices.Contains(merged.add, text) {
				merged.add = append(merged.add, text)
			}
		}
	}
	return merged
}

// A request is what one or several marks ask for.
type request struct {
	mark lint.Mark
	of   []int // the marks
}

// alike groups marks that ask for the same. A type that many findings share has one request of them.
func alike(marks []lint.Mark, asked []int) (all []request) {
	same := func(a, b lint.Marker) bool { return a.Text == b.Text }
	for _, i := range asked {
		at := slices.IndexFunc(all, func(r request) bool {
			return slices.EqualFunc(marks[i].Add, r.mark.Add, same) && slices.EqualFunc(marks[i].Drop, r.mark.Drop, same)
		})
		if at < 0 {
			all = append(all, request{marks[i], []int{i}})
		} else {
			all[at].of = append(all[at].of, i)
		}
	}
	return all
}

// contradict says why two marks cannot be made together. It returns nil if they can, because they are about different
// things or the same in the same way.
func contradict(a, b lint.Mark) error {
	addsA, addsB := byTopic(a.Add), byTopic(b.Add)
	allA, allB := byTopic(slices.Concat(a.Add, a.Drop)), byTopic(slices.Concat(b.Add, b.Drop))
	for _, about := range slices.Sorted(maps.Keys(allA)) {
		if allB[about] == nil || slices.Equal(addsA[about], addsB[about]) {
			continue
		}
		dropped := func(m lint.Marker) bool {
			return topic(m.Text) == about && slices.ContainsFunc(b.Drop, func(n lint.Marker) bool { return n.Text == m.Text })
		}
		if mayRepeat(allA[about][0]) && !slices.ContainsFunc(a.Drop, dropped) && !shareColumn(addsA[about], addsB[about]) {
			continue
		}
		return fmt.Errorf("the fixes of several findings here want different values of +%s; write the right one by hand", brief(about))
	}
	return nil
}

// byTopic returns the texts of markers, sorted.
func byTopic(markers []lint.Marker) map[string][]string {
	all := map[string][]string{}
	for _, m := range markers {
		all[topic(m.Text)] = append(all[topic(m.Text)], m.Text)
	}
	for _, texts := range all {
		slices.Sort(texts)
	}
	return all
}

var errThere = errors.New("the markers are there already: run the generator")

// changeOf returns what one mark changes.
func (f *source) changeOf(d gotypes.Declaration, mark lint.Mark) (change, error) {
	c := change{replace: map[int]string{}}
	for _, m := range mark.Drop {
		i := -1
		for k, there := range d.Markers { // the first of those that are alike
			if _, gone := c.replace[k]; i < 0 && !gone && there.Text == m.Text {
				i = k
			}
		}
		if i < 0 {
			return c, fmt.Errorf("the marker %s is no longer there", brief(m.Text))
		}
		c.replace[i] = ""
	}
	for _, m := range mark.Add {
		if err := f.addTo(&c, d, m.Text); err != nil {
			return c, err
		}
	}
	if len(mark.Drop) == 1 && len(mark.Add) == 1 && len(c.add) == 1 { // another name, which stands where the old one did
		for i := range c.replace {
			c.replace[i], c.add = c.add[0], nil
		}
	}
	maps.DeleteFunc(c.replace, func(i int, text string) bool { return text == d.Markers[i].Text })
	if len(c.replace)+len(c.add) == 0 {
		return c, errThere
	}
	return c, nil
}

// addTo adds a marker to a change: in the place of one that goes, if that is about the same.
func (f *source) addTo(c *change, d gotypes.Declaration, text string) error {
	about := topic(text)
	var contradicts string
	for i, there := range d.Markers {
		to, changes := c.replace[i]
		switch {
		case topic(there.Text) != about || changes && to != "":
		case changes:
			c.replace[i] = f.respell(text, there.Text)
			return nil
		case f.respell(text, there.Text) == there.Text:
			return nil
		case !mayRepeat(text), isColumn(text, there.Text):
			contradicts = there.Text
		}
	}
	if contradicts != "" {
		return fmt.Errorf("it has %s, which contradicts %s", brief(contradicts), brief(text))
	}
	c.add = append(c.add, f.respell(text, ""))
	return nil
}
