package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// changing reports whether an origin says which markers have to change.
func changing(o *lint.Origin) bool { return o != nil && o.Changes() }

// ShownInGo reports whether a finding may be shown at its place in Go types alone: where it has to be fixed, in a file that
// people write.
func ShownInGo(f *lint.Finding) bool { return f.InGo() && f.Origin.Program == "" }

// named is a declaration as people call it.
func named(m lint.Mark) string {
	if m.At == lint.TypeDeclaration {
		return "type " + text.Harmless(m.Symbol)
	}
	return text.Harmless(m.Symbol)
}

// remark is what there is to say about an origin whose markers do not have to change; "" for nothing but the place.
func remark(o *lint.Origin) string {
	switch {
	case o.Written > 0:
		return text.Verb(o.Written, "the marker is written", "the markers are written") + "; run " + text.Harmless(o.Generator) + " again"
	case o.Confidence == lint.StaleOrigin:
		return "the manifest differs from it; run " + text.Harmless(o.Generator) + " again"
	case o.Confidence == lint.LaterOrigin && o.Step.File != "":
		return where(o.Step) + " changes this after " + text.Harmless(o.Generator) + "; correct it there"
	case o.Confidence == lint.LaterOrigin:
		return "a step after " + text.Harmless(o.Generator) + " wrote this, such as a kustomize patch or a script; correct it there"
	case o.CopyOf != "":
		return "this manifest is a copy of " + text.Harmless(o.CopyOf)
	case o.Confidence == lint.CopyOrigin:
		return "this manifest is a copy; see the one that it is made from"
	case o.Confidence == lint.ForeignOrigin:
		module := "another module"
		if o.Module != "" {
			module = "module " + moduleOf(o)
		}
		return fmt.Sprintf("%s of %s declares it; no marker here fixes it", text.Harmless(o.Type), module)
	case o.Partial && o.Program == "":
		return "no marker here fixes it"
	case o.Program != "":
		return text.Harmless(o.Program) + " writes this file; change what it reads"
	}
	return ""
}

// moduleOf is the module of an origin with its version.
func moduleOf(o *lint.Origin) string {
	return text.Harmless(strings.TrimSpace(o.Module + " " + o.Version))
}

// origin is an origin in one line: the place, then what to do with its markers.
func origin(o *lint.Origin) string {
	if o.InModule {
		return fmt.Sprintf("declared in %s: %s: %s; fix it there, or in a patch", moduleOf(o), where(o.Pos), named(o.Mark))
	}
	if !o.Changes() {
		return strings.TrimSuffix(fmt.Sprintf("%s: %s; %s", where(o.Pos), named(o.Mark), remark(o)), "; ")
	}
	var all []string
	for _, m := range o.Marks() {
		all = append(all, where(m.Pos)+" "+Changes(m))
	}
	if o.Partial {
		all = append(all, noMore)
	}
	return strings.Join(all, ", ")
}

// noMore says that markers make a part of a remedy only.
const noMore = "no marker here fixes the rest"

// withOrigin is a message with the place in Go types and its markers, for outputs that have a line for a group: of several
// places, the first.
func withOrigin(message string, g group) string {
	all := g.byOrigin()
	if len(all) == 0 {
		return message
	}
	told := origin(all[0][0].Origin)
	if strings.HasSuffix(told, " again") {
		message = strings.TrimSuffix(message, "; run controller-gen again")
	}
	message += "; Go: " + told
	if more := len(all) - 1; more > 0 {
		message += " (and " + text.Count(more, "more place") + " in Go)"
	}
	return message
}

// withPlaces is that with what is said of copies.
func (o Options) withPlaces(message string, g group) string {
	return strings.Join(append([]string{withOrigin(message, g)}, o.alsoIn(g)...), "; ")
}

// byOrigin are the findings that have a place in Go types, those with the same place and markers together.
func (g group) byOrigin() []group {
	inGo := slices.DeleteFunc(slices.Clone(g), func(f *lint.Finding) bool { return f.Origin == nil })
	return ordered.Grouped(group(inGo), func(f *lint.Finding) string { return origin(f.Origin) })
}

// origins are the places in Go types that findings have, with their markers, each once, and of many the first.
func (g group) origins() (all []string) {
	for _, same := range g.byOrigin() {
		all = append(all, "go: "+origin(same[0].Origin))
	}
	if more := len(all) - maxLines; more > 0 {
		all = append(all[:maxLines], "go: "+text.Count(more, "more place"))
	}
	return all
}

// Changes says how the markers of a declaration have to change.
func Changes(m lint.Mark) string {
	var all []string
	if len(m.Correct) > 0 {
		var wrong []string
		for _, it := range m.Correct {
			wrong = append(wrong, fmt.Sprintf("%s (line %d)", text.Harmless(it.Text), it.Pos.Line))
		}
		all = append(all, "correct "+text.And(wrong))
	}
	switch {
	case len(m.Drop) == 0:
		all = append(all, textsOf(m.Add)...)
	case len(m.Add) == 0:
		all = append(all, "remove "+text.And(textsOf(m.Drop)))
	default:
		all = append(all, "replace "+text.And(textsOf(m.Drop))+" by "+text.And(textsOf(m.Add)))
	}
	return strings.Join(all, " ")
}

func textsOf(markers []lint.Marker) (all []string) {
	for _, m := range markers {
		all = append(all, text.Harmless(m.Text))
	}
	return all
}

// shownOrigins remember for which findings the markers are shown already: several may share a type.
type shownOrigins struct {
	sharing map[string]int           // findings by what they ask for
	first   map[string]lint.Position // the first of them
	foreign bool                     // how to ignore what others declare is told
}

func originsOf(findings []*lint.Finding) *shownOrigins {
	told := &shownOrigins{sharing: map[string]int{}, first: map[string]lint.Position{}}
	for _, f := range findings {
		if changing(f.Origin) {
			told.sharing[asked(f.Origin.Mark)]++
		}
	}
	return told
}

// asked is what has to change above a declaration.
func asked(m lint.Mark) string { return where(m.Pos) + Changes(m) }

// lines are the lines of text output about the origin of a finding, the first of which follows "= go: ".
func (t *shownOrigins) lines(f *lint.Finding) (all []string) {
	o := f.Origin
	if !o.Changes() {
		all = append(all, origin(o))
		if o.Confidence == lint.ForeignOrigin && !t.foreign {
			t.foreign = true
			all = append(all, "    to ignore it, add its rule and path to 'ignore' in .crdlift.yaml")
		}
		return all
	}
	again := ", then run " + text.Harmless(cmp.Or(o.Generator, "the generator")) + " again:"
	for i, m := range o.Marks() {
		key := asked(m)
		line := where(m.Pos) + ": " + named(m)
		if i > 0 {
			line = "and " + line
		}
		if n := t.sharing[key]; n > 1 && m.At == lint.TypeDeclaration {
			line += fmt.Sprintf(", which %d findings share", n)
		}
		if at, told := t.first[key]; told {
			all = append(all, line+"; the same as for "+where(at))
			continue
		}
		t.first[key] = f.Pos
		doubt := ""
		if o.Manual && m.Writable() {
			doubt = ", if that is what you want"
		}
		all = append(all, line+"; "+verb(m)+doubt+again)
		all, again = append(all, comments(m)...), ":"
	}
	if o.Partial {
		all = append(all, "    "+noMore)
	}
	return all
}

// verb says what to do with the markers of a declaration.
func verb(m lint.Mark) string {
	switch {
	case len(m.Add)+len(m.Drop) == 0:
		return "correct above it"
	case len(m.Add)+len(m.Correct) == 0:
		return "remove above it"
	case len(m.Drop)+len(m.Correct) == 0:
		return "put above it"
	}
	return "change above it"
}

// comments are the markers of a declaration as lines of Go, like a diff where some are to go.
func comments(m lint.Mark) (all []string) {
	minus, plus, same := "- // ", "+ // ", "  // "
	mixed := verb(m) == "change above it"
	if !mixed {
		minus, plus, same = "// ", "// ", "// "
	}
	for _, wrong := range m.Correct {
		what := ""
		if mixed {
			what = "correct it, "
		}
		all = append(all, fmt.Sprintf("    %s%s (%sline %d)", same, text.Harmless(wrong.Text), what, wrong.Pos.Line))
	}
	for _, drop := range m.Drop {
		all = append(all, "    "+minus+text.Harmless(drop.Text))
	}
	for _, add := range m.Add {
		line := "    " + plus + text.Harmless(add.Text)
		switch {
		case add.Needs != "":
			line += " (needs controller-gen " + add.Needs + ")"
		case add.Open:
			line += " (choose a value)"
		}
		all = append(all, line)
	}
	return all
}
