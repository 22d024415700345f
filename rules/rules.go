// Package rules is the linter of crdlift: its rules, and what a program calls to run them.
//
// A Linter runs the rules over the bytes of a manifest: File reports findings, Fix makes their fixes, and Report
// completes the files of a run. ReadConfig and ReadBaseline read what a Linter takes, ReadOld an older side to compare
// with; Write writes a report in any of the formats of the command. All and ByID list the rules, Page and Doc document
// them. The examples show each.
//
// A rule is a value in the list of its topic, and most topics have a file or a few that begin with its name. It looks at
// facts that internal/crd, internal/compare and internal/apiserver establish, and reports what is wrong in the user's
// words. To add a rule, add a literal to the list of its topic, and a folder below testdata with its page and with
// manifests in which it has findings and others in which it has none.
//
// Authors of rules read this file first, for the list of topics; then enforced.go, for rules about what an API server
// rejects, with names.go as a topic of such rules; then schema_walk.go, for rules about all schemas, with
// style_conventions.go as a topic of those. Rules about changes begin with lifecycle_changes.go and lifecycle_remarks.go, and
// those about custom resources with object.go, which says which rule tells what an API server refuses.
// Other files that topics share depend on no topic: places.go finds what a manifest states, paths.go where a path leads
// in custom resources, schema.go the schema of an error, fixes.go makes fixes, and words.go has the words of messages.
package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
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
	objects     []*objectpass.Rule // those about custom resources
}

// values are what users know of its rules.
func (t topic) values() (all lint.Rules) {
	for _, r := range t.rules {
		value := r.Value()
		all = append(all, &value)
	}
	for _, r := range t.objects {
		value := r.Value()
		all = append(all, &value)
	}
	return all
}

// topics are all topics, in the order of the catalogue: from the outside of a manifest to its inside.
var topics = []topic{
	{"document", "The document", slices.Concat(documentRules, scalarRules, duplicateRules), nil},
	{"metadata", "Metadata", slices.Concat(metadataRules, manifestRules), nil},
	{"names", "Names", slices.Concat(nameRules, []*engine.Rule{nameConflicts}, nameConventions), nil},
	{"versions", "Versions", slices.Concat(enforcedVersionRules, versionFieldRules, servingRules, deprecationRules), nil},
	{"toplevel", "Top level or per version", slices.Concat(topLevelRules, emptyRules), nil},
	{"conversion", "Conversion between versions", slices.Concat(conversionStrategy, reviewVersions, conversionNeed), nil},
	{"webhook", "Conversion webhooks", slices.Concat(webhookConfig, webhookURL, webhookService, caBundle), nil},
	{"tested", "Conversions, tested", testedRules, nil},
	{"pruning", "Presence of schemas, and pruning", slices.Concat(pruningRules, keepingRules), nil},
	{"structure", "Schema: structure", slices.Concat(keywordRules, typeRules, objectRules, junctorRules), nil},
	{"lists", "Schema: lists and maps", slices.Concat(listRules, mergeRules), nil},
	{"style", "Schema: style and quality", slices.Concat(qualityRules, conventionRules, []*engine.Rule{scaffoldLeftover}), nil},
	{"defaults", "Defaults", slices.Concat(enforcedDefaults, defaultPractices), nil},
	{"subresources", "Subresources", slices.Concat(scaleRules, statusRules), nil},
	{"columns", "Printer columns", slices.Concat(columnRules, columnPathRules), nil},
	{"selectable", "Selectable fields", selectableRules, nil},
	{"cel", "Validation rules (CEL)", slices.Concat(enforcedCEL, celPractices), nil},
	{"features", "Features of newer servers", featureRules, nil},
	{"lifecycle", "Lifecycle: what changed", comparing(versionRules, fieldRules, constraintRules, clientRules, converterRules), nil},
	{"generated", "Generated manifests", generatedRules, nil},
	{"object", "Custom resources", nil, slices.Concat(matchRules, objectFieldRules, objectText, objectValues, objectCEL, objectMetadata, objectSizes, []*objectpass.Rule{sampleMissing, crdRefused})},
	{"upgrade", "Custom resources when their CRD is replaced", nil, append(upgradeRules, kindGone)},
	{"engine", "The linter itself", append(engine.OwnRules(), unmatched), nil},
}

// comparing are the rules of some lists as ones that need an older CRD.
func comparing(lists ...[]*engine.Rule) []*engine.Rule {
	all := slices.Concat(lists...)
	for _, r := range all {
		r.NeedsOld = true
	}
	return all
}

// allRules are the rules of all topics about CRDs, allObjectRules those about custom resources, and published is what their users
// know of them.
var allRules, allObjectRules, published = func() (all []*engine.Rule, objects []*objectpass.Rule, values lint.Rules) {
	for _, t := range topics {
		all, objects, values = append(all, t.rules...), append(objects, t.objects...), append(values, t.values()...)
	}
	return all, objects, values
}()

// Topics returns all topics, in the order of the catalogue.
func Topics() []Topic {
	var all []Topic
	rest := published
	for _, t := range topics {
		n := len(t.rules) + len(t.objects)
		all = append(all, Topic{t.name, t.title, slices.Clone(rest[:n])})
		rest = rest[n:]
	}
	return all
}

// All returns all rules, by topic.
func All() lint.Rules { return slices.Clone(published) }

// ByID returns the rule with an id, nil when there is none.
func ByID(id string) *lint.Rule { return published.ByID(id) }
