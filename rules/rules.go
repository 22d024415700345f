// Package rules holds the rules of the linter, one file per topic. A rule is a value, declared where its siblings are;
// it looks at facts that internal/crd, internal/apiserver and convert state, and says what is wrong in the user's words.
//
// To add a rule, add a literal to the list of its topic and a folder below rules/testdata with its page and
// the manifests it speaks about and is silent about.
package rules

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// A Topic is a group of closely related rules. Its folder below rules/testdata has its name.
type Topic struct {
	Name  string // "versions"
	Title string // "Versions"
	Rules []*engine.Rule
}

var topics []*Topic

// topic registers the rules of a file.
func topic(name, title string, rules ...*engine.Rule) *Topic {
	t := &Topic{name, title, rules}
	topics = append(topics, t)
	return t
}

// reading is the order of topics in the catalogue: from the outside of a manifest to its inside.
var reading = []string{
	"document", "metadata", "names", "versions", "toplevel", "conversion", "webhook", "pruning", "structure", "lists", "style",
	"defaults", "subresources", "columns", "selectable", "cel", "features", "lifecycle",
}

// Topics are all topics, in the order of the catalogue.
func Topics() []*Topic {
	engine := &Topic{"engine", "The linter itself", append(engine.OwnRules(), unmatched)}
	ordered := slices.SortedFunc(slices.Values(topics), func(a, b *Topic) int {
		if d := slices.Index(reading, a.Name) - slices.Index(reading, b.Name); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return append(ordered, engine)
}

// All are all rules, by topic.
func All() []*engine.Rule {
	var all []*engine.Rule
	for _, t := range Topics() {
		all = append(all, t.Rules...)
	}
	return all
}

// asked reports whether somebody wants more of the rule that runs than what most would act on: who names the rule, or takes
// a stricter preset.
func asked(p *engine.Pass) bool {
	_, named := p.Config.Rules[p.Rule().ID]
	return named || len(p.Config.Only) > 0 || p.Config.Preset > lint.Recommended
}
