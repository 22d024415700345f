package main

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// rulesPath is where the pages of rules are; report.RulePage says the same to those who have a finding.
const rulesPath = "rules/"

// A topic is a part of the catalogue.
type topic struct {
	Title string
	Intro template.HTML // "" for topics of rules
	Notes bool          // of conversions, which have a class instead of a severity
	Rules []rule
}

// Anchor is the name of its heading in the catalogue, on the site and on GitHub.
func (t topic) Anchor() string { return anchor(t.Title) }

// Anchor is that of its topic.
func (r rule) Anchor() string { return anchor(r.Topic) }

// A rule is a row of the catalogue, and the content of a page.
type rule struct {
	ID, Address, Severity, Preset, Fix string
	Class                              string // of a note
	Summary                            template.HTML
	Topic                              string
	Was                                []string
	Against                            bool // it needs an older CRD
	Doc                                template.HTML
	Example                            *exampleView
	Playground                         string // where the example is tried; "" where it cannot be
	Source                             string // the folder of its fixtures, on GitHub
	Text                               string // of Summary and Doc, without marks
}

// An exampleView is the example of a rule.
type exampleView struct {
	Before  template.HTML // of the earlier manifest; "" where none is compared
	Code    template.HTML
	Line    int
	Message string
	Fixed   template.HTML // a diff; "" where no fix is shown
}

// notesFolder is where pages of notes are in the repository.
const notesFolder = "conversion-notes"

// addRules adds the catalogue, a page for each rule and kind of note, and one for each earlier id.
func (s *site) addRules() error {
	var all []topic
	for _, t := range rules.Topics() {
		rows, err := s.rulesOf(t.Title, t.Name, t.Rules)
		if err != nil {
			return err
		}
		all = append(all, topic{Title: t.Title, Rules: rows})
	}
	rows, err := s.rulesOf("Notes of conversions", notesFolder, rules.Notes())
	if err != nil {
		return err
	}
	intro, err := s.inline("`crdlift convert` reports its changes under these ids. They are not rules and cannot be turned off.", rulesPath)
	if err != nil {
		return err
	}
	all = append(all, topic{Title: "Notes of conversions", Intro: intro, Notes: true, Rules: rows})
	return s.addPage(&page{
		Path: rulesPath, Kind: "rules", Title: "Rules", Content: all,
		Description: fmt.Sprintf("All %d rules of crdlift, by topic: what each reports, how severe it is, and whether it is fixed.", len(rules.All())),
	})
}

// rulesOf adds the pages of a topic's rules.
func (s *site) rulesOf(title, folder string, of lint.Rules) (rows []rule, err error) {
	for _, r := range of {
		one := rule{
			ID: r.ID, Address: rulesPath + r.ID + "/", Severity: r.Severity.String(), Preset: r.Preset.String(), Fix: rules.Fix(r.ID),
			Topic: title, Was: r.Was, Against: r.NeedsOld,
			Source: s.onGitHub("tree", "rules/testdata/"+folder+"/"+r.ID),
		}
		if err := s.describe(&one, folder, r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		description := "crdlift reports " + strings.ReplaceAll(r.Summary, "`", "") + "."
		if err := s.addPage(&page{Path: one.Address, Kind: "rule", Title: r.ID, Description: description, Content: one}); err != nil {
			return nil, err
		}
		s.entries = append(s.entries, entry{Title: r.ID, Address: one.Address, Kind: "rule", Text: one.Text, Was: strings.Join(r.Was, " "), Also: serverSays[r.ID]})
		for _, was := range r.Was {
			if err := s.addRedirect(rulesPath+was+"/", one.Address, r.ID); err != nil {
				return nil, err
			}
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// describe fills in what Markdown has about a rule.
func (s *site) describe(one *rule, folder string, r *lint.Rule) (err error) {
	file := "rules/testdata/" + folder + "/" + r.ID + "/page.md"
	if one.Summary, err = s.inline(r.Summary, one.Address); err != nil {
		return err
	}
	d := s.parse(file, one.Address, rules.Doc(r.ID))
	one.Text = "Reports " + strings.ReplaceAll(r.Summary, "`", "") + ". " + d.plain(d.root)
	if one.Doc, err = d.html(d.root); err != nil {
		return err
	}
	if i := slices.IndexFunc(conversion.Kinds, func(k conversion.Kind) bool { return k.ID == r.ID }); i >= 0 {
		one.Class = string(conversion.Kinds[i].Class)
	}
	example := rules.ExampleOf(r.ID)
	if example == nil {
		return nil
	}
	if one.Example, err = show(example); err != nil {
		return err
	}
	one.Playground, err = s.playground(folder, r, one.Example)
	return err
}

func show(e *rules.Example) (out *exampleView, err error) {
	out = &exampleView{Line: e.Line, Message: e.Message}
	if e.Before != "" {
		if out.Before, err = excerpt(e.Before); err != nil {
			return nil, err
		}
	}
	if out.Code, err = excerpt(e.Code); err == nil && e.Fixed != "" {
		out.Fixed, err = highlighted(e.Fixed, "diff")
	}
	return out, err
}
