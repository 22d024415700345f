package gofix

import (
	"slices"

	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// together joins requests that change different arguments of one marker.
func together(requests []request) (all []request) {
	for _, r := range requests {
		joined := false
		for i := range all {
			if text, ok := joinedText(all[i].mark, r.mark); ok {
				all[i].mark.Add = []lint.Marker{{Text: text}}
				all[i].of, joined = append(all[i].of, r.of...), true
				break
			}
		}
		if !joined {
			all = append(all, r)
		}
	}
	return all
}

// joinedText returns the marker that two marks change different arguments of, with both changes. It is one that is there, or
// a new one of which a declaration has one only.
func joinedText(a, b lint.Mark) (text string, ok bool) {
	if len(a.Add) != 1 || len(b.Add) != 1 || len(a.Drop) > 1 || len(a.Drop) != len(b.Drop) {
		return "", false
	}
	x, _ := marker.Parse(a.Add[0].Text)
	y, _ := marker.Parse(b.Add[0].Text)
	was := marker.Marker{Name: x.Name}
	switch {
	case len(a.Drop) == 0 && mayRepeat(a.Add[0].Text), len(a.Drop) == 1 && a.Drop[0].Text != b.Drop[0].Text:
		return "", false
	case len(a.Drop) == 1:
		was, _ = marker.Parse(a.Drop[0].Text)
	}
	if x.Name != y.Name || x.Name != was.Name || len(x.Arguments) == 0 {
		return "", false
	}
	var changed [][2]string
	for _, name := range argumentsOf(was, x, y) {
		before, _ := was.Raw(name)
		one, _ := x.Raw(name)
		other, _ := y.Raw(name)
		switch {
		case one == other || other == before:
			changed = append(changed, [2]string{name, one})
		case one == before:
			changed = append(changed, [2]string{name, other})
		default:
			return "", false
		}
	}
	return was.With(changed...), true
}

// argumentsOf returns the names of the arguments of markers, each once.
func argumentsOf(all ...marker.Marker) (names []string) {
	for _, p := range all {
		for _, a := range p.Arguments {
			if !slices.Contains(names, a[0]) {
				names = append(names, a[0])
			}
		}
	}
	return names
}
