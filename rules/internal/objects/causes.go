// Package objects has the rules about custom resources. Read this file first: it says which rule tells what an API server rejects.
package objects

import (
	"fmt"
	"iter"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// The rules of each topic.
var (
	Rules = slices.Concat(matchRules, objectFieldRules, objectText, behindStuck(objectValues), behindStuck(objectMetadata), objectSizes, objectApply,
		[]*engine.Rule{sampleMissing, crdRefused})
	Upgrade = slices.Concat(upgradeRules, managedRules, []*engine.Rule{kindGone})
)

// check makes a rule that looks at custom resources which are judged.
func check(severity lint.Severity, id, summary string, run func(*objectpass.Pass)) *engine.Rule {
	return rule(severity, id, summary, objectpass.Check{Run: run})
}

func rule(severity lint.Severity, id, summary string, c objectpass.Check) *engine.Rule {
	return &engine.Rule{ID: id, Summary: summary, Severity: severity, Object: &c}
}

// Rules that options of `crdlift validate` set.
const (
	MissingCRD   = "object-crd-missing"
	UnknownField = "object-unknown-field"
)

// A causeRow says which rule tells the causes of a stage. The first row that fits a cause counts.
type causeRow struct {
	rule     string
	stage    request.Stage
	keywords []string          // that are broken; any when there are none
	failures []request.Failure // of the rule of the schema; any when there are none
	metadata bool              // only causes about the object's own apiVersion, kind and metadata
}

// causeRows are the rules about what makes an API server reject an object.
var causeRows = []causeRow{
	{rule: "object-metadata-invalid", stage: request.Decoding, metadata: true},
	{rule: "object-embedded-resource", stage: request.Decoding},
	{rule: "object-metadata-invalid", stage: request.TypeMeta},
	{rule: "object-metadata-invalid", stage: request.Metadata},
	{rule: "object-type", stage: request.Schema, keywords: []string{"type"}},
	{rule: "object-required", stage: request.Schema, keywords: []string{"required"}},
	{rule: "object-enum", stage: request.Schema, keywords: []string{"enum"}},
	{rule: "object-format", stage: request.Schema, keywords: []string{"format"}},
	{rule: "object-constraint", stage: request.Schema},
	{rule: "object-scale", stage: request.Scale},
	{rule: "object-embedded-resource", stage: request.Embedded},
	{rule: "object-list-duplicate", stage: request.List},
	{rule: "object-rule", stage: request.Rule, failures: []request.Failure{request.NotMet}},
	{rule: "object-rule-cost", stage: request.Rule, failures: []request.Failure{request.CallCost, request.TotalCost}},
	{rule: "object-rule-error", stage: request.Rule},
	{rule: "object-rules-not-run", stage: request.RulesNotRun},
}

func tells(c request.Cause) string {
	for _, row := range causeRows {
		if row.fits(c) {
			return row.rule
		}
	}
	return ""
}

func (row causeRow) fits(c request.Cause) bool {
	return row.stage == c.Stage &&
		(row.keywords == nil || slices.Contains(row.keywords, c.Keyword)) &&
		(row.failures == nil || slices.Contains(row.failures, c.Failure)) &&
		(!row.metadata || isOwnHead(c.Path))
}

// isOwnHead reports whether a path is in what every object has.
func isOwnHead(at request.Path) bool {
	return len(at) > 0 && slices.Contains([]string{"apiVersion", "kind", "metadata"}, at[0].Key)
}

// refusal makes a rule that says no more than why an API server rejects an object.
func refusal(id, summary string, explain func(*objectpass.Pass, *request.Cause)) *engine.Rule {
	return check(lint.Error, id, summary, refusing(explain))
}

// refusing makes the function of a rule about what an API server rejects: explain reports each of the causes that belong
// to it.
func refusing(explain func(*objectpass.Pass, *request.Cause)) func(*objectpass.Pass) {
	return func(p *objectpass.Pass) {
		for _, c := range causesOf(p) {
			if tells(c) == p.Rule().ID {
				explain(p, &c)
			}
		}
	}
}

// causesOf are the causes of a rejection without those that only follow from others.
func causesOf(p *objectpass.Pass) []request.Cause {
	type key struct{}
	return engine.Memo(p, key{}, func() []request.Cause {
		all := p.Outcome().Causes
		reasons := reasonsIn(slices.Values(all))
		return slices.DeleteFunc(slices.Clone(all), func(c request.Cause) bool {
			return reasons.explain(c) || reasons.generateName && isOfGenerated(p, c) || isMisspelt(p, c)
		})
	})
}

// reasons are what the causes of a rejection may follow from. There may be as many as the object has values, so none is compared
// with all others.
type reasons struct {
	alternatives map[string]bool // anyOf, oneOf and not of schemas that a value does not fit, by schemaKey
	parts        map[string]bool // allOf of schemas in which something does not fit
	generateName bool            // is at fault
}

func reasonsIn(all iter.Seq[request.Cause]) reasons {
	r := reasons{map[string]bool{}, map[string]bool{}, false}
	for c := range all {
		r.generateName = r.generateName || c.Path.String() == "metadata.generateName"
		if c.Stage != request.Schema {
			continue
		}
		if slices.Contains(choices, c.Keyword) {
			r.alternatives[schemaKey(c.SchemaPath, c.Keyword)] = true
		}
		for i, step := range c.SchemaPath {
			if step == "allOf" && i+1 < len(c.SchemaPath) {
				r.parts[schemaKey(c.SchemaPath[:i+1])] = true
			}
		}
	}
	return r
}

var choices = []string{"anyOf", "oneOf", "not"}

// schemaKey is a path in a schema as a key of maps.
func schemaKey(path []string, more ...string) string {
	return fmt.Sprintf("%q", slices.Concat(path, more))
}

// explain reports whether a cause only follows from another: of a value that no alternative fits, what the nearest of them
// lacks, and of one that does not fit all of several schemas, that it does not.
func (r reasons) explain(c request.Cause) bool {
	if c.Stage != request.Schema {
		return false
	}
	if c.Keyword == "allOf" {
		return r.parts[schemaKey(c.SchemaPath, "allOf")]
	}
	for i, step := range c.SchemaPath {
		if i+1 < len(c.SchemaPath) && slices.Contains(choices, step) && r.alternatives[schemaKey(c.SchemaPath[:i+1])] {
			return true
		}
	}
	return false
}

// isOfGenerated reports whether a cause is about the name that a server makes of a metadata.generateName: rest.BeforeCreate
// makes it, and ValidateObjectMetaAccessor judges both.
func isOfGenerated(p *objectpass.Pass, c request.Cause) bool {
	if c.Path.String() != "metadata.name" {
		return false
	}
	name, _ := c.Path.In(p.Tree())
	return name == nil || name == ""
}

// isMisspelt reports whether what is missing is there under a misspelt name, which object-unknown-field tells.
func isMisspelt(p *objectpass.Pass, c request.Cause) bool {
	if c.Stage != request.Schema || severityOf(p, UnknownField, lint.Error) < lint.Error {
		return false
	}
	object, names := c.Path, c.Needs()
	if c.Missing {
		last := len(c.Path) - 1
		object, names = c.Path[:last], []string{c.Path[last].Key}
	}
	meant := meantFields(p)[object.String()]
	return len(meant) > 0 && slices.ContainsFunc(names, func(name string) bool { return meant[name] })
}

// severityOf is the severity of a rule for the file of an object; Off where it does not run.
func severityOf(p *objectpass.Pass, id string, otherwise lint.Severity) lint.Severity {
	if !p.Has(id) {
		return lint.Off
	}
	return config.Severity(p.Config, &lint.Rule{ID: id, Severity: otherwise})
}

// changesOf are the paths of what becomes of parts of an object in one way.
func changesOf(p *objectpass.Pass, kind request.ChangeKind) (all []request.Path) {
	for _, c := range p.Outcome().Changes {
		if c.Kind == kind {
			all = append(all, c.Path)
		}
	}
	return all
}
