package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// mends reports whether an origin says which markers have to change.
func mends(o *lint.Origin) bool { return o != nil && len(o.Add)+len(o.Drop) > 0 }

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
	case o.Confidence == lint.StaleOrigin:
		return "it differs from the manifest; run " + text.Harmless(o.Generator) + " again"
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

// origin is an origin in one line: the place, then the markers to put there and those to take away.
func origin(o *lint.Origin) string {
	if o.InModule {
		return fmt.Sprintf("declared in %s: %s: %s; fix it there, or in a patch", moduleOf(o), where(o.Pos), named(o.Mark))
	}
	if !mends(o) {
		return strings.TrimSuffix(fmt.Sprintf("%s: %s; %s", where(o.Pos), named(o.Mark), remark(o)), "; ")
	}
	var all []string
	for _, m := range o.Marks() {
		all = append(all, where(m.Pos)+" "+strings.Join(changes(m), " "))
	}
	if o.Partial {
		all = append(all, noMore)
	}
	return strings.Join(all, ", ")
}

// noMore says that markers make a part of a remedy only.
const noMore = "no marker here fixes the rest"

// withOrigin is a message with the place in Go types and its markers, for outputs that have a line for a finding.
func withOrigin(message string, f *lint.Finding) string {
	if f.Origin == nil {
		return message
	}
	return message + "; Go: " + origin(f.Origin)
}

// origins are the places in Go types that findings have, with their markers, each once, and of many the first.
func (g group) origins() (all []string) {
	all = each(g, func(f *lint.Finding) []string {
		if f.Origin == nil {
			return nil
		}
		return []string{"go: " + origin(f.Origin)}
	})
	if more := len(all) - maxLines; more > 0 {
		all = append(all[:maxLines], "go: "+text.Count(more, "more place"))
	}
	return all
}

// changes are the markers of a declaration that have to change: those to add, then those to remove.
func changes(m lint.Mark) (all []string) {
	for _, add := range m.Add {
		all = append(all, text.Harmless(add.Text))
	}
	for _, drop := range m.Drop {
		all = append(all, "without "+text.Harmless(drop.Text))
	}
	return all
}

// An originsTold remembers for which findings the markers are shown already: several may share a type.
type originsTold struct {
	sharing map[string]int           // findings by what they ask for
	first   map[string]lint.Position // the first of them
	foreign bool                     // how to ignore what others declare is told
}

func originsOf(findings []*lint.Finding) *originsTold {
	told := &originsTold{sharing: map[string]int{}, first: map[string]lint.Position{}}
	for _, f := range findings {
		if mends(f.Origin) {
			told.sharing[asked(f.Origin.Mark)]++
		}
	}
	return told
}

// asked is what has to change above a declaration.
func asked(m lint.Mark) string { return where(m.Pos) + strings.Join(changes(m), "\n") }

// lines are the lines of text output about the origin of a finding, the first of which follows "= go: ".
func (t *originsTold) lines(f *lint.Finding) (all []string) {
	o := f.Origin
	if !mends(o) {
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
		all = append(all, line+"; "+verb(m)+again)
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
	case len(m.Add) == 0:
		return "remove above it"
	case len(m.Drop) > 0:
		return "change above it"
	}
	return "put above it"
}

// comments are the markers of a declaration as lines of Go, like a diff where some are to go.
func comments(m lint.Mark) (all []string) {
	minus, plus := "- // ", "+ // "
	if len(m.Drop) == 0 || len(m.Add) == 0 {
		minus, plus = "// ", "// "
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
