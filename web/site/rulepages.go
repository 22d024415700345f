package main

import (
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"

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
			Source: repository + "/tree/main/rules/testdata/" + folder + "/" + r.ID,
		}
		if err := s.describe(&one, folder, r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		description := "crdlift reports " + strings.ReplaceAll(r.Summary, "`", "") + "."
		if err := s.addPage(&page{Path: one.Address, Kind: "rule", Title: r.ID, Description: description, Content: one}); err != nil {
			return nil, err
		}
		s.entries = append(s.entries, entry{Title: r.ID, Address: one.Address, Kind: "rule", Text: one.Text, Was: strings.Join(r.Was, " ")})
		for _, was := range r.Was {
			if err := s.addRedirect(rulesPath+was+"/", one.Address, r.ID); err != nil {
				return nil, err
			}
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// classOf finds the class of a note on its page.
var classOf = regexp.MustCompile(`\nClass: (.*)\.\n`)

// describe fills in what Markdown has about a rule.
func (s *site) describe(one *rule, folder string, r *lint.Rule) (err error) {
	file := "rules/testdata/" + folder + "/" + r.ID + "/page.md"
	if one.Summary, err = s.inline(r.Summary, one.Address); err != nil {
		return err
	}
	text, doc := rules.Page(r.ID), rules.Doc(r.ID)
	d := s.parse(file, one.Address, doc)
	one.Text = "Reports " + strings.ReplaceAll(r.Summary, "`", "") + ". " + d.plain(d.root)
	if one.Doc, err = d.html(d.root); err != nil {
		return err
	}
	if m := classOf.FindStringSubmatch(text); m != nil {
		one.Class = m[1]
	}
	_, example, found := strings.Cut(text, doc)
	if !found {
		return fmt.Errorf("the page lacks its documentation")
	}
	if strings.TrimSpace(example) == "" {
		return nil
	}
	if one.Example, err = parseShown(example); err != nil {
		return err
	}
	one.Playground, err = s.playground(folder, r, one.Example)
	return err
}

// shownParts are the parts of an example in Markdown. A message is plain text.
var shownParts = regexp.MustCompile("(?s)^\n\n\\*\\*Example\\*\\*\n\n```yaml\n(.*?)```\n\n> line ([0-9]+): ([^\n]*)\n(?:\nFixed:\n\n```diff\n(.*)```\n)?$")

func parseShown(text string) (*exampleView, error) {
	m := shownParts.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("the example is not understood: %q", text)
	}
	e := &exampleView{Message: m[3]}
	var err error
	if e.Line, err = strconv.Atoi(m[2]); err != nil {
		return nil, err
	}
	if e.Code, err = excerpt(m[1]); err != nil {
		return nil, err
	}
	if m[4] != "" {
		e.Fixed, err = highlighted(m[4], "diff")
	}
	return e, err
}
