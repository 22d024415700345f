package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// What of a page is shown at most. More is for programs: a page of megabytes helps nobody.
const (
	maxCRDs         = 400
	maxChanges      = 1000
	maxRepositories = 1000
	maxRules        = 30 // of many repositories
	fewFindings     = 25 // are shown without being asked for
	fewCRDs         = 25 // likewise
)

// A view is what the template shows.
type view struct {
	frame
	Title    string
	About    []string // where it is from
	Verdict  []string
	Tiles    []tile
	Tasks    []overview.Task
	Bar      *bar
	Persons  []crdView // that need a decision
	Groups   []crdGroup
	Changes  []changedCRD
	Against  string
	Plans    []planView
	Topics   []topic
	Findings int // those of the topics
	CRDs     []crdView
	AllCRDs  int      // with those that are not shown
	LeftOut  []string // what the page does not show
	// ChangesLeft is what the page does not show of the changes; "" for nothing.
	ChangesLeft string
	several     // of many repositories
}

// A tile is a number to see at a glance.
type tile struct {
	Number, Label, Class string
}

// A bar is the share of CRDs that a migration has done.
type bar struct {
	overview.Migration
	Parts []barPart
}

// Count says how many of the CRDs are done: "2 of 3 CRDs".
func (b *bar) Count() string { return fmt.Sprintf("%d of %s", b.Done(), text.Count(b.All(), "CRD")) }

// A barPart is a part of a bar that is 100 wide.
type barPart struct {
	Class, Label  string
	Number        int
	Offset, Width float64
}

// MorePersons is how many CRDs need a decision and are not shown.
func (v *view) MorePersons() int { return v.Bar.Person - len(v.Persons) }

func newView(o *overview.Overview) *view {
	v := &view{frame: newFrame()}
	if len(o.Repositories) != 1 {
		v.showSeveral(o)
		return v
	}
	r := o.Repositories[0]
	v.Title, v.About = titleOf(r), aboutOf(r)
	v.Verdict, v.Tasks = r.Verdict(), r.Tasks()
	if r.Judged() || r.Findings() > 0 || len(r.CRDs) > 0 {
		v.Tiles = tilesOf(r.Count, r.Migration(), len(r.CRDs))
	}
	v.Bar = newBar(r.Migration(), r.Is("convert"))
	v.addChanges(r)
	for _, p := range r.Plans {
		v.Plans = append(v.Plans, planOf(p))
	}
	v.addTopics(r)
	v.addCRDs(r)
	return v
}

func titleOf(r *overview.Repository) string {
	switch {
	case r.Name != "":
		return r.Name
	case len(r.CRDs) == 1 && r.CRDs[0].Name != "":
		return r.CRDs[0].Name
	case len(r.CRDs) == 0 && len(r.Plans) == 1 && len(r.Plans[0].CRDs) == 1:
		return r.Plans[0].CRDs[0]
	}
	return "CustomResourceDefinitions"
}

// aboutOf says where the reports are from.
func aboutOf(r *overview.Repository) (all []string) {
	for _, h := range r.Heads {
		if h.Command == "" {
			continue
		}
		said := "crdlift " + h.Command
		switch {
		case h.Command == "plan" && h.Against != "" && h.New != "":
			said += " from " + h.Against + " to " + h.New
		case h.Against != "":
			said += " against " + h.Against
		}
		if h.Crdlift != "" {
			said += " (" + h.Crdlift + ")"
		}
		if h.Files > 0 {
			said += ", " + text.Count(h.Files, "file")
		}
		if !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	if r.Ignored > 0 {
		all = append(all, fmt.Sprintf("%d ignored", r.Ignored))
	}
	return all
}

func tilesOf(count func(lint.Severity) int, m overview.Migration, crds int) []tile {
	var all []tile
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		n := count(s)
		class := s.String()
		if n == 0 {
			class = "none"
		}
		all = append(all, tile{fmt.Sprint(n), text.Verb(n, s.String(), s.String()+"s"), class})
	}
	if crds > 0 {
		all = append(all, tile{fmt.Sprint(crds), text.Verb(crds, "CRD", "CRDs"), ""})
	}
	if m.All() > 0 {
		class := "done"
		if m.Left() > 0 {
			class = "left"
		}
		all = append(all, tile{fmt.Sprintf("%d%%", m.Percent()), "at " + m.To, class})
	}
	return all
}

// newBar is the bar of a migration that is not over, or that a run was for; nil for another.
func newBar(m overview.Migration, converts bool) *bar {
	if m.All() == 0 || m.Left() == 0 && !converts {
		return nil
	}
	b := &bar{Migration: m}
	offset := 0.0
	for _, p := range []barPart{
		{Class: "there", Label: "already there", Number: m.There}, {Class: "converted", Label: "converted", Number: m.Converted},
		{Class: "pending", Label: "to convert", Number: m.Pending}, {Class: "person", Label: "need you", Number: m.Person},
	} {
		if p.Number == 0 {
			continue
		}
		p.Offset, p.Width = offset, float64(p.Number)*100/float64(m.All())
		offset += p.Width
		b.Parts = append(b.Parts, p)
	}
	return b
}

// A place is where something is, with the address where it can be looked at; "" for none.
type place struct {
	At, URL, About string
}

// placeAt is a line of a file, or a file where the line is 0. What is to be put before the path of a file may be empty.
func placeAt(filesURL, file string, line int) place {
	p := place{At: file}
	if line > 0 {
		p.At = fmt.Sprintf("%s:%d", file, line)
	}
	if isWeb(filesURL) && filepath.IsLocal(filepath.FromSlash(file)) && !strings.HasPrefix(file, "<") {
		p.URL = strings.TrimSuffix(filesURL, "/") + "/" + report.EscapePath(file)
		if line > 0 {
			p.URL += fmt.Sprintf("#L%d", line)
		}
	}
	return p
}

// isWeb reports whether an address may become a link.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// A ruleLink is a rule's id, with the address of its page; "" for a rule that this crdlift does not know.
type ruleLink struct{ ID, Page string }

func linkRule(id string) ruleLink {
	if rules.ByID(id) == nil && lint.Rules(rules.Notes()).ByID(id) == nil {
		return ruleLink{ID: id}
	}
	return ruleLink{id, report.RulePage(id)}
}
