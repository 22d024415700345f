package engine

import (
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// surroundings reports errors around a CRD's document that keep it from being read as it is meant; the directive, if there is one at
// that offset of the file, may stand before another document.
func surroundings(d *manifest.Document, c *crd.CRD, config *lint.Config, directive string, at int) []*Finding {
	p := &Pass{CRD: c, Config: config, subject: &subject{document: d, crd: c}}
	if p.judgedBy(SeparatorRule) {
		if d.Unseparated() {
			p.Report(crd.Place{Node: c.Node}, "kubectl never sends the text after ... without ---; write --- above this line")
		}
		for _, key := range crd.Joined(d.Root.YNode()) {
			p.Report(crd.Place{Node: key, Path: key.Value}, crd.JoinedMessage)
		}
		Together(p.findings)
	}
	if directive != "" && p.judgedBy(DirectiveRule) {
		f := p.Reportf(crd.Place{Node: c.Node}, "kubectl cannot read a file with %s in it; remove the line", text.Value(directive))
		f.Source = d.File.SourceAt(d.File.Range(at, at+len(directive)))
	}
	return p.findings
}

// judgedBy makes the pass one of a rule of the engine. It is false when the rule is off.
func (p *Pass) judgedBy(r *Rule) bool {
	p.rule, p.value, p.severity = r, nil, r.SeverityIn(p.Config)
	return p.severity != lint.Off
}

// headFindings reports what keeps servers from taking an object for a CRD.
func headFindings(s *subject, slips []crd.Slip, config *lint.Config) []*Finding {
	p := &Pass{CRD: s.crd, Config: config, subject: s}
	if !p.judgedBy(HeadRule) {
		return nil
	}
	for _, slip := range slips {
		f := p.Reportf(slip.Place, "%s", slip.Message())
		f.RefusedBy = string(s.crd.Version) // "" for an object that no server takes for a CRD
	}
	return p.findings
}

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
	return []*Finding{{By: SyntaxRule, Finding: &lint.Finding{
		Rule: SyntaxRule.Value(), Severity: severity, Message: text.OneLine(message), Document: d.Index,
		Source: d.File.SourceAt(lint.Point(d.File.Path, line, column)),
	}}}
}
