package engine

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// File lints one file. The path is used in messages and to look up the configuration.
func (l *Linter) File(path string, src []byte) *FileReport { return l.file(path, src) }

func (l *Linter) file(path string, src []byte) *FileReport {
	out := newFileReport(path)
	opened := manifest.Recognise(path, src)
	if opened.Unread == template.Helm && crd.MayHold(src) {
		opened = manifest.OpenTemplate(path, src)
	}
	switch {
	case opened.Template != nil || opened.Unread != template.None:
		l.template(opened, src, out)
	case l.Objects != nil && !objects.MayHold(src): // which may be any data, and large
		out.Others++
	case l.Objects != nil: // which are looked for more than once
		l.documents(manifest.Split(path, src), false, out)
	default:
		l.documents(manifest.Scan(path, src), false, out)
	}
	return out
}

// look lints a text to fix, which is that of a manifest or, with a mask, of a template in one of its worlds. It keeps what findings point
// into. Else that is released before the next document is parsed: trees take many times the memory of their text, and a
// file may have thousands of documents.
func (l *Linter) look(path string, text []byte, mask *template.MaskedTemplate) *FileReport {
	out := newFileReport(path)
	if l.Objects != nil && !objects.MayHold(text) {
		out.Others++
		return out
	}
	l.documents(manifest.SplitMasked(path, text, mask), true, out)
	return out
}

func newFileReport(path string) *FileReport {
	return &FileReport{FileReport: lint.FileReport{Path: path}, named: map[string]int{}}
}

// documents lints the documents of a file.
func (l *Linter) documents(split *manifest.File, toFix bool, out *FileReport) {
	config := config.ForFile(l.config(), out.Path)
	if l.Objects != nil {
		out.discretion = l.Objects.discretionOf(split)
	}
	mayHold := sync.OnceValue(func() bool { return l.mayHold(split.Source) })
	for d := range split.All() {
		if d.Index == 0 {
			out.directive = directiveOf(d)
		}
		if d.Err == nil && d.Root == nil {
			d = d.Parsed()
		}
		if d.Root != nil && !toFix && split.Mask == nil {
			d.Keep(d.Root.YNode()) // looking at a tree does not change it; only fixes do
		}
		if d.Err != nil && !mayHold() {
			out.Others++
			out.Broken++
			continue
		}
		before := len(out.found)
		l.document(d, config, out)
		for _, f := range out.found[before:] {
			f.complete()
			out.Findings = append(out.Findings, f.Finding)
			if f.ofOld {
				l.Record.DependsOnUnseen()
			}
		}
		if !toFix {
			out.release()
		}
	}
	if l.Objects != nil && l.Objects.Preview != nil {
		out.previewed = out.previewing.finish(l, split, out.discretion.all())
	}
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
	slices.SortStableFunc(out.found, func(a, b *Finding) int { return a.Compare(b.Finding) })
}

func (l *Linter) document(d *manifest.Document, config *lint.Config, out *FileReport) {
	if d.Err != nil && d.File.Mask != nil {
		out.unmasked = d.File.Unmasked(d.Err)
		return
	}
	if d.Err != nil {
		findings := syntaxFinding(d, config, d.Err.Line, d.Err.Column, "does not parse: "+d.Err.Message)
		if l.Objects != nil {
			out.discretion.syntax(d, findings)
		}
		out.found = append(out.found, findings...)
		return
	}
	if d.Root == nil {
		return
	}
	if l.Objects != nil {
		l.customResources(d, config, out)
		return
	}
	root := d.Root.YNode()
	found, _ := crd.Find(root)
	if all := append(found, crd.Meant(root)...); len(all) > 0 {
		l.readComments(d, all, config, out)
		if l.Conversions == nil {
			out.found = append(out.found, surroundings(d, all[0], config, out.directive)...)
		}
		out.directive = directiveLine{}
	}
	parts := crd.Apart(root)
	if parts == nil || SeparatorRule.severity(config) == lint.Off {
		l.objects(&subject{linter: l, document: d}, root, config, out)
		return
	}
	for _, part := range parts {
		l.objects(&subject{linter: l, document: d, unwritten: true}, part, config, out)
	}
}

// readComments notes the ignores in the comments of a document that has CRDs.
func (l *Linter) readComments(d *manifest.Document, found []*crd.CRD, c *lint.Config, out *FileReport) {
	resource := ""
	if len(found) == 1 {
		resource = found[0].Name()
	}
	l.readIgnores(d, resource, c, out)
}

// readIgnores notes the ignores in the comments of a document; the resource is the name of its CRD, "" for several.
func (l *Linter) readIgnores(d *manifest.Document, resource string, c *lint.Config, out *FileReport) {
	comments, wrong := suppress.Comments(d, resource, l.known)
	out.comments = append(out.comments, comments...)
	for _, f := range wrong {
		if f.Severity = config.Severity(c, f.Rule); f.Severity > lint.Off {
			out.Findings = append(out.Findings, f)
		}
	}
}

// objects looks at the objects of a manifest: it is one, or a list of them.
func (l *Linter) objects(manifest *subject, root *yaml.Node, config *lint.Config, out *FileReport) {
	found, others := crd.Find(root)
	above := out.CRDs
	out.CRDs += len(found)
	out.Others += others
	for i, c := range append(found, crd.Meant(root)...) {
		s := *manifest
		s.crd, s.index, s.above = c, i, above+i
		part := c.IsPart()
		switch slips := c.Slips(); {
		case i >= len(found) || part && len(slips) > 0:
			l.misspelt(&s, slips, config, out)
		case part:
			out.patches = append(out.patches, c.Patch())
			if l.Conversions == nil && !s.printed() {
				out.found = append(out.found, partFinding(&s, config)...)
			}
		default:
			l.judge(&s, config, out)
		}
	}
}

// misspelt reports the slips of an object that was meant to be a CRD, and judges it as the intended CRD.
func (l *Linter) misspelt(s *subject, slips []crd.Slip, config *lint.Config, out *FileReport) {
	heads := headFindings(s, slips, config)
	if len(heads) == 0 {
		return
	}
	out.found = append(out.found, heads...)
	switch righted := s.crd.Righted(); {
	case righted == nil:
		p := &Pass{CRD: s.crd, Config: config, subject: s}
		p.unjudgedAsWhole()
		out.found = append(out.found, p.findings[len(heads):]...)
	case !righted.IsPart():
		if s.crd.Version == "" { // it was counted as another object
			out.CRDs++
			out.Others--
		}
		s.righted, s.crd, s.unwritten = righted, righted.CRD, true
		l.judge(s, config, out)
		return
	}
	l.old(s.document, s.crd, out) // which is misspelt now, and not deleted too
}

// judge runs the rules over a CRD.
func (l *Linter) judge(s *subject, config *lint.Config, out *FileReport) {
	s.old, s.findings = l.old(s.document, s.crd, out), nil
	findings, summary := l.crd(s, config)
	line, column := s.document.Begin(s.crd.Node)
	here := lint.Source{Pos: lint.Point(out.Path, line, column)}
	if s.swollen {
		l.exceed(&out.FileReport, "older-alias-bytes", here,
			"this CRD is not compared, since the aliases of the older one expand to more than any server reads; compare with a revision that a server can have had")
	}
	if s.old != nil && s.old.Document != nil {
		l.exceedOlder(s.old.Document.File, s.document.File, here, out)
	}
	if n := s.unremedied; n > 0 {
		l.exceed(&out.FileReport, "remedy-nodes", here,
			"it is not known which markers make the fixes of %s, since there are too many for a CRD of this size; fix the others, and lint again", text.Count(n, "finding"))
	}
	if l.Edits {
		makeEdits(s.document, l.fixable(findings), out)
	}
	out.found = append(out.found, findings...)
	out.summaries = append(out.summaries, summary)
}

// old returns the earlier form of a CRD; nil for a new one, and when there is nothing to compare with.
func (l *Linter) old(d *manifest.Document, c *crd.CRD, out *FileReport) *older.CRD {
	if l.Old == nil || d.File.Mask.Mentions(c.Name()) {
		return nil // a name that a template makes is of no CRD that is known
	}
	nth := out.named[c.Name()]
	out.named[c.Name()]++
	return l.around(d.File.Path).Older(c.Name(), nth)
}

// fixable are those of the findings whose fixes are asked for.
func (l *Linter) fixable(findings []*Finding) []*Finding {
	if l.Fixes == nil {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *Finding) bool { return !l.Fixes(f.Finding) })
}

// syntaxFinding is about a document that cannot be read.
func syntaxFinding(d *manifest.Document, config *lint.Config, line, column int, message string) []*Finding {
	severity := SyntaxRule.severity(config)
	if severity == lint.Off {
		return nil
	}
	value := SyntaxRule.Value()
	return []*Finding{{rule: SyntaxRule, Finding: &lint.Finding{
		Rule: &value, Severity: severity, Message: text.OneLine(message), Document: d.Index,
		Source: d.File.SourceAt(lint.Point(d.File.Path, line, column)),
	}}}
}

// partFinding reports that a part of a CRD is not judged: its errors would be about the parts it lacks.
func partFinding(s *subject, config *lint.Config) []*Finding {
	p := &Pass{CRD: s.crd, Config: config, subject: s}
	if p.judgedBy(PartRule) {
		p.Refuse(crd.Place{Node: s.crd.Node}, "this is a part of a CRD, such as a kustomize patch, and is not judged; lint --kustomize judges what is built")
	}
	return p.findings
}
