package gofix

import (
	"slices"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// topic returns what a marker is about: of all with one topic, a declaration has one, or those that belong together. They
// may have several names.
func topic(of string) string {
	parsed, known := marker.Parse(of)
	switch {
	case !known:
		return gotypes.Marker{Text: of}.Name()
	case parsed.Row.Keyword == marker.Optional: // the opposite
		required, _ := marker.Of(marker.Required)
		return required.Name
	case parsed.Items:
		return "items:" + parsed.Row.Name
	}
	return parsed.Row.Name
}

// mayRepeat reports whether a declaration may have several markers like one, each by itself.
func mayRepeat(of string) bool {
	parsed, known := marker.Parse(of)
	return known && parsed.Row.Repeats()
}

// isColumn reports whether two markers make printer columns of one name, of which a kind has only one.
func isColumn(a, b string) bool {
	x, _ := marker.Parse(a)
	y, _ := marker.Parse(b)
	return x.Row.Keyword == "additionalPrinterColumns" && y.Row.Keyword == x.Row.Keyword && x.Argument("name") == y.Argument("name")
}

// shareColumn reports whether two lists of markers make a printer column of one name in different ways.
func shareColumn(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return x != y && isColumn(x, y) })
	})
}

// brief returns a text of the file for a message.
func brief(s string) string { return text.Foreign(s).Brief() }

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
	for _, a := range slices.Concat(was.Arguments, x.Arguments, y.Arguments) {
		name := a[0]
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
