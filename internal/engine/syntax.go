package engine

import (
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// ReadIgnores notes the ignores in the comments of a document; the resource is the name of its CRD, "" for several.
func (l *Linter) ReadIgnores(d *manifest.Document, resource string, c *lint.Config, out *FileReport) {
	comments, wrong := suppress.Comments(d, resource, l.known)
	out.comments = append(out.comments, comments...)
	for _, f := range wrong {
		if f.Severity = config.Severity(c, f.Rule); f.Severity > lint.Off {
			out.Findings = append(out.Findings, f)
		}
	}
}

// Unparsed is about a document that does not parse.
func Unparsed(d *manifest.Document, config *lint.Config) []*Finding {
	return SyntaxFinding(d, config, d.Err.Line, d.Err.Column, "does not parse: "+d.Err.Message)
}

// SyntaxFinding is about a document that cannot be read.
func SyntaxFinding(d *manifest.Document, config *lint.Config, line, column int, message string) []*Finding {
	severity := SyntaxRule.SeverityIn(config)
	if severity == lint.Off {
		return nil
	}
	value := SyntaxRule.Value()
	return []*Finding{{By: SyntaxRule, Finding: &lint.Finding{
		Rule: &value, Severity: severity, Message: text.OneLine(message), Document: d.Index,
		Source: d.File.SourceAt(lint.Point(d.File.Path, line, column)),
	}}}
}
