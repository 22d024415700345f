package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A causeRow says which rule tells the causes of a stage. The first row that fits a cause counts.
type causeRow struct {
	rule     string
	stage    request.Stage
	keywords []string          // that are broken; any when there are none
	failures []request.Failure // of the rule of the schema; any when there are none
	metadata bool              // only causes about the object's own apiVersion, kind and metadata
}

// causeRows are the rules about what makes an API server refuse an object.
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

// tells returns the rule that tells a cause.
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

// refusing makes the function of a rule about what an API server refuses: explain reports each of the causes that belong
// to it.
func refusing(explain func(*engine.ObjectPass, *request.Cause)) func(*engine.ObjectPass) {
	return func(p *engine.ObjectPass) {
		for _, c := range causesOf(p) {
			if tells(c) == p.Rule().ID {
				explain(p, &c)
			}
		}
	}
}

type causesKey struct{}

// causesOf are the causes of a refusal without those that only follow from others.
func causesOf(p *engine.ObjectPass) []request.Cause {
	return engine.Memo(p, causesKey{}, func() []request.Cause {
		all := p.Outcome().Causes
		return slices.DeleteFunc(slices.Clone(all), func(c request.Cause) bool {
			return slices.ContainsFunc(all, func(other request.Cause) bool { return follows(c, other) || isOfGenerated(p, c, other) }) || isMisspelt(p, c)
		})
	})
}

// follows reports whether a cause only follows from another: of a value that no alternative fits, what the nearest of them
// lacks, and of one that does not fit all of several schemas, that it does not.
func follows(c, other request.Cause) bool {
	if c.Stage != request.Schema || other.Stage != request.Schema {
		return false
	}
	switch {
	case c.Keyword == "allOf":
		return within(other.SchemaPath, append(slices.Clone(c.SchemaPath), "allOf"))
	case slices.Contains([]string{"anyOf", "oneOf", "not"}, other.Keyword):
		return within(c.SchemaPath, append(slices.Clone(other.SchemaPath), other.Keyword))
	}
	return false
}

// isOfGenerated reports whether a cause is about the name that a server makes of a metadata.generateName which another cause is
// about: rest.BeforeCreate makes it, and ValidateObjectMetaAccessor judges both.
func isOfGenerated(p *engine.ObjectPass, c, other request.Cause) bool {
	if c.Path.String() != "metadata.name" || other.Path.String() != "metadata.generateName" {
		return false
	}
	name, _ := c.Path.In(p.Tree())
	return name == nil || name == ""
}

// within reports whether a schema path leads through another.
func within(path, outer []string) bool {
	return len(path) > len(outer) && slices.Equal(path[:len(outer)], outer)
}

// isMisspelt reports whether what is missing is there under a misspelt name, which object-unknown-field tells.
func isMisspelt(p *engine.ObjectPass, c request.Cause) bool {
	if c.Stage != request.Schema || severityOf(p, UnknownObjectField, lint.Error) < lint.Error {
		return false
	}
	object, names := c.Path, neededBy(c)
	if c.Missing {
		last := len(c.Path) - 1
		object, names = c.Path[:last], []string{c.Path[last].Key}
	}
	return slices.ContainsFunc(undeclaredFields(p), func(u undeclaredField) bool {
		return slices.Contains(names, u.meant) && slices.Equal(u.at[:len(u.at)-1], object)
	})
}

// neededBy are the fields that the alternatives of a schema require which an object does not fit.
func neededBy(c request.Cause) (names []string) {
	if c.Keyword == "anyOf" || c.Keyword == "oneOf" {
		for _, s := range slices.Concat(c.Schema.AnyOf, c.Schema.OneOf) {
			names = append(names, s.Required...)
		}
	}
	return names
}

// severityOf is the severity of a rule for the file of an object; Off where it does not run.
func severityOf(p *engine.ObjectPass, id string, otherwise lint.Severity) lint.Severity {
	if !p.Has(id) {
		return lint.Off
	}
	return config.Severity(p.Config, &lint.Rule{ID: id, Severity: otherwise})
}

// pathName is a path in a message.
func pathName(at request.Path) text.Text {
	if len(at) == 0 {
		return text.Sprintf("the object")
	}
	return text.Path(at.String())
}

// changesOf are the paths of what becomes of parts of an object in one way.
func changesOf(p *engine.ObjectPass, kind request.ChangeKind) (all []request.Path) {
	for _, c := range p.Outcome().Changes {
		if c.Kind == kind {
			all = append(all, c.Path)
		}
	}
	return all
}
