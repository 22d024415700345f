// Package rules is the linter of crdlift: its rules, and what a program calls to run them.
//
// A Linter runs the rules over the bytes of a manifest: File reports findings, Fix makes their fixes, and Report
// completes the files of a run. ReadConfig and ReadBaseline read what a Linter takes, ReadOld an older side to compare
// with; Write writes a report in any of the formats of the command. All and ByID list the rules, Page and Doc document
// them. The examples show each.
//
// A rule is a value in the list of its topic, in a package below this one: internal/crds looks at CRDs, internal/changes at
// what changed in them, internal/objects at custom resources, internal/conversions at what tests of conversions found,
// internal/migrations at custom resources on their way to another version, and internal/suites at tests of CRDs.
// It looks at facts that internal/crd, internal/compare, internal/apiserver and internal/request establish, and reports
// what is wrong in the user's words. To add a rule, add it to the list of its topic, and a folder below testdata
// with its page and with manifests in which it has findings and others in which it has none.
package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/audits"
	"github.com/crdlift/crdlift/rules/internal/changes"
	"github.com/crdlift/crdlift/rules/internal/conversions"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/migrations"
	"github.com/crdlift/crdlift/rules/internal/objects"
	"github.com/crdlift/crdlift/rules/internal/suites"
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
	{"document", "The document", crds.Document},
	{"metadata", "Metadata", crds.Metadata},
	{"names", "Names", crds.Names},
	{"versions", "Versions", crds.Versions},
	{"toplevel", "Top level or per version", crds.TopLevel},
	{"conversion", "Conversion between versions", crds.Conversion},
	{"webhook", "Conversion webhooks", crds.Webhook},
	{"tested", "Conversions, tested", conversions.Rules},
	{"pruning", "Presence of schemas, and pruning", crds.Pruning},
	{"structure", "Schema: structure", crds.Structure},
	{"lists", "Schema: lists and maps", crds.Lists},
	{"style", "Schema: style and quality", crds.Style},
	{"defaults", "Defaults", crds.Defaults},
	{"subresources", "Subresources", crds.Subresources},
	{"columns", "Printer columns", crds.Columns},
	{"selectable", "Selectable fields", crds.Selectable},
	{"cel", "Validation rules (CEL)", crds.CEL},
	{"features", "Features of newer servers", crds.Features},
	{"lifecycle", "Lifecycle: what changed", changes.Rules},
	{"requirement", "Requirements: what another CRD has", changes.Requirements},
	{"generated", "Generated manifests", crds.Generated},
	{"object", "Custom resources", objects.Rules},
	{"upgrade", "Custom resources when their CRD is replaced", objects.Upgrade},
	{"migrate", "Custom resources on their way to another version", migrations.Rules},
	{"audit", "Clusters", slices.Concat(audits.Rules, objects.Audit)},
	{"suite", "Tests of CRDs", suites.Rules},
	{"engine", "The linter itself", append(engine.OwnRules(), crds.Unmatched, crds.TwoOwners)},
}

// allRules are the rules of all topics, and published is what their users know of them.
var allRules, published = func() (all []*engine.Rule, values lint.Rules) {
	for _, t := range topics {
		all = append(all, t.rules...)
	}
	return all, crds.Mapped(all, (*engine.Rule).Value)
}()

// Topics returns all topics, in the order of the catalogue.
func Topics() []Topic {
	var all []Topic
	rest := published
	for _, t := range topics {
		n := len(t.rules)
		all = append(all, Topic{t.name, t.title, slices.Clone(rest[:n])})
		rest = rest[n:]
	}
	return all
}

// All returns all rules, by topic.
func All() lint.Rules { return slices.Clone(published) }

// ByID returns the rule with an id, nil for an unknown id.
func ByID(id string) *lint.Rule { return published.ByID(id) }

// WhyIdle says why the rule of an id never has findings under a configuration, whatever the manifests, and what to do about that;
// "" for a rule that may have some. Types says whether the run looks for the Go types that manifests are generated from.
func WhyIdle(id string, c *lint.Config, types bool) (why, todo string) {
	for _, r := range allRules {
		if r.ID == id && r.Idle != nil {
			return r.Idle(c, types)
		}
	}
	return "", ""
}

// Explainer explains rejections in the words of the rules; it is for convert.Explained.
func Explainer() lint.Explainer { return crds.Explainer(allRules) }

// WillNotConvert is how findings begin about what keeps a v1beta1 manifest from being converted as it is.
const WillNotConvert = crds.WillNotConvert

// MissingCRD and UnknownObjectField are the rules that options of `crdlift validate` set.
const (
	MissingCRD         = objects.MissingCRD
	UnknownObjectField = objects.UnknownField
)
