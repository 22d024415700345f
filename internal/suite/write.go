package suite

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
)

// SchemaLine is the first line of a file of our format: editors that know it complete keys and check them.
const SchemaLine = "# yaml-language-server: $schema=https://crdlift.github.io/crdlift/schema/crdtest-v1.json\n"

// YAML is the file of a suite in our format, whatever format it was read from as long as its cases make one request each. What is
// small stands on one line. The same suite is always the same bytes.
func (s *Suite) YAML() []byte {
	p := &printer{}
	p.WriteString(SchemaLine)
	head := mapping{{"crdtest", "v1"}}.with("name", s.given()).with("crd", s.CRD).with("version", s.Version)
	base := mapping{}
	for _, c := range s.Cases {
		if c.Base != nil {
			base = sorted(c.Base)
			break
		}
	}
	p.entries(head.with("base", base), 0, true)
	p.WriteString("cases:\n")
	p.Write(CasesYAML(s.Cases))
	return p.Bytes()
}

// given is the name of a suite, where that is not the one that its file has.
func (s *Suite) given() string {
	if s.Node == nil || crd.Get(s.Node, "name") == nil {
		return ""
	}
	return s.Name
}

// CasesYAML are the items of "cases" for some of them.
func CasesYAML(cases []*Case) []byte {
	p := &printer{}
	for len(cases) > 0 {
		c, n := entryOf(cases, "")
		for line := range strings.Lines(cases[0].Comment) {
			p.WriteString("# " + strings.TrimSuffix(line, "\n") + "\n")
		}
		p.WriteString("- ")
		p.entries(c, 2, false)
		cases = cases[n:]
	}
	return p.Bytes()
}

// ofTable is the end of the name of a case that is a value of a table.
var ofTable = text.Pattern(`^(.*)/(accept|reject)/[0-9]+$`)

// entryOf is the item for the first of some cases, and of how many it is the item: a table is that of several. They follow what is
// above them.
func entryOf(cases []*Case, above string) (mapping, int) {
	first := cases[0]
	name, n := first.Name, 0
	table := map[string][]any{}
	for _, c := range cases {
		parts := ofTable().FindStringSubmatch(c.Name)
		if parts == nil || len(c.Change.Set) == 0 || n > 0 && parts[1] != name {
			break
		}
		name, n = parts[1], n+1
		table[parts[2]] = append(table[parts[2]], c.last().Value)
	}
	name = strings.TrimPrefix(name, above)
	set, want := first.Change.Set, first.Want
	if n > 0 {
		set, want = set[:len(set)-1], cases[n-1].Want // the last is a rejected one, if any is
	}
	c := mapping{{"name", name}}.with("skip", first.Skip)
	if first.Request != first.usual() {
		c = c.with("request", string(first.Request))
	}
	if first.Validation != Strict {
		c = c.with("fieldValidation", string(first.Validation))
	}
	if first.Minor != 0 {
		c = c.with("kubernetes", fmt.Sprintf("1.%d", first.Minor))
	}
	if first.Old != nil {
		c = append(c, entry{"old", first.Old.entries(first.Old.Set)})
	}
	c = append(c.with("before", first.Before.value()), first.Change.entries(set)...)
	if n > 0 {
		c = c.with("at", showing(first.last().Path)).with("accept", table["accept"]).with("reject", table["reject"])
	}
	c = append(c, want.entries()...)
	var then []any
	for rest := first.Then; len(rest) > 0; {
		item, taken := entryOf(rest, first.Name+"/")
		then, rest = append(then, item), rest[taken:]
	}
	return c.with("then", then), max(n, 1)
}

// last is the setting of a table's value.
func (c *Case) last() Setting { return c.Change.Set[len(c.Change.Set)-1] }

// usual is the request of a case that names none.
func (c *Case) usual() Request {
	if c.Old != nil {
		return Update
	}
	return Create
}

func (c Change) entries(set []Setting) mapping {
	return mapping{}.with("object", sorted(c.Object)).with("set", settings(set)).with("unset", pathsOf(c.Unset))
}

func (w Want) entries() mapping {
	var rejected []any
	for _, e := range w.Rejected {
		if one := e.value(); one != nil {
			rejected = append(rejected, one)
		}
	}
	m := mapping{}
	if len(rejected) == 1 {
		m = append(m, entry{"rejected", rejected[0]})
	} else {
		m = m.with("rejected", rejected)
	}
	if w.Also {
		m = append(m, entry{"also", true})
	}
	m = m.with("stored", settings(w.Stored)).with("absent", pathsOf(w.Absent)).with("exactly", sorted(w.Exactly))
	if len(w.Warns) > 0 || w.WarnsAt != nil {
		m = append(m, entry{"warns", words(w.Warns)})
	}
	return m
}

// value is a cause as it is written: what it says, where it says nothing else. It is nil for that of a table that says nothing.
func (e Expected) value() any {
	m := mapping{}
	if e.Path != nil && !e.Below {
		m = append(m, entry{"at", showing(e.Path)})
	}
	m = m.with("by", e.By).with("text", e.Text).with("rule", e.Rule)
	switch {
	case len(m) == 0:
		return nil
	case len(m) == 1 && e.Text != "":
		return e.Text
	}
	return m
}

func (b Before) value() any {
	if b.CRD != "" {
		return mapping{{"crd", b.CRD}}
	}
	var all []any
	for _, c := range b.Without {
		if c.Had {
			all = append(all, mapping{{c.String(), c.Value}})
		} else {
			all = append(all, c.String())
		}
	}
	return all
}

// showing is a path as suites have it.
func showing(p request.Path) string { return cmp.Or(p.String(), ".") }

func settings(all []Setting) (m mapping) {
	for _, s := range all {
		m = append(m, entry{showing(s.Path), s.Value})
	}
	return m
}

func pathsOf(all []Setting) (paths []any) {
	for _, s := range all {
		paths = append(paths, showing(s.Path))
	}
	return paths
}

func words(all []string) []any {
	items := []any{}
	for _, text := range all {
		items = append(items, text)
	}
	return items
}
