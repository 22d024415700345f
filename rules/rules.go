// Package rules holds the rules of the linter, one file per topic. A rule is a value, declared where its siblings are;
// it looks at facts that internal/crd, internal/apiserver and convert state, and says what is wrong in the user's words.
//
// To add a rule, add a literal to the list of its topic and a folder below rules/testdata with its page and
// the manifests it speaks about and is silent about.
package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// A Topic is a group of closely related rules. Its folder below rules/testdata has its name.
type Topic struct {
	Name  string // "versions"
	Title string // "Versions"
	Rules lint.Rules
}

// A topic is a Topic with what its rules do.
type topic struct {
	name, title string
	rules       []*engine.Rule
}

// topics are all topics, in the order of the catalogue: from the outside of a manifest to its inside.
var topics = []topic{
	{"document", "The document", slices.Concat(documentRules, scalarRules, duplicateRules)},
	{"metadata", "Metadata", slices.Concat(metadataRules, manifestRules)},
	{"names", "Names", slices.Concat(nameRules, []*engine.Rule{nameConflicts}, nameConventions)},
	{"versions", "Versions", slices.Concat(enforcedVersionRules, versionFieldRules, servingRules, deprecationRules)},
	{"toplevel", "Top level or per version", slices.Concat(topLevelRules, emptyRules)},
	{"conversion", "Conversion between versions", slices.Concat(conversionStrategy, reviewVersions, conversionNeed)},
	{"webhook", "Conversion webhooks", slices.Concat(webhookConfig, webhookURL, webhookService, caBundle)},
	{"pruning", "Presence of schemas, and pruning", slices.Concat(pruningRules, keepingRules)},
	{"structure", "Schema: structure", slices.Concat(keywordRules, typeRules, objectRules, junctorRules)},
	{"lists", "Schema: lists and maps", slices.Concat(listRules, mergeRules)},
	{"style", "Schema: style and quality", slices.Concat(qualityRules, conventionRules, []*engine.Rule{scaffoldLeftover})},
	{"defaults", "Defaults", slices.Concat(enforcedDefaults, defaultPractices)},
	{"subresources", "Subresources", slices.Concat(scaleRules, statusRules)},
	{"columns", "Printer columns", slices.Concat(columnRules, columnPathRules)},
	{"selectable", "Selectable fields", selectableRules},
	{"cel", "Validation rules (CEL)", slices.Concat(enforcedCEL, celPractices)},
	{"features", "Features of newer servers", featureRules},
	{"lifecycle", "Lifecycle: what changed", slices.Concat(versionRules, fieldRules, constraintRules, clientRules, converterRules)},
	{"engine", "The linter itself", append(engine.OwnRules(), unmatched)},
}

// allRules are the rules of all topics, and known what their users know of them.
var allRules, published = func() (all []*engine.Rule, values lint.Rules) {
	for _, t := range topics {
		for _, r := range t.rules {
			value := r.Value()
			all, values = append(all, r), append(values, &value)
		}
	}
	return all, values
}()

// Topics returns all topics, in the order of the catalogue.
func Topics() []Topic {
	var all []Topic
	rest := published
	for _, t := range topics {
		all = append(all, Topic{t.name, t.title, slices.Clone(rest[:len(t.rules)])})
		rest = rest[len(t.rules):]
	}
	return all
}

// All returns all rules, by topic.
func All() lint.Rules { return slices.Clone(published) }

// ByID returns the rule with an id, nil when there is none.
func ByID(id string) *lint.Rule { return published.ByID(id) }
