// Package engine is the engine of the linter: it runs rules over the CustomResourceDefinitions of files, finds the
// positions of findings, applies fixes and proves them, and honours what the configuration, comments and a baseline
// ignore. Rules are values that are passed to it; it has only those about its own operation.
package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Linter runs rules. Its methods may be called from several goroutines.
type Linter struct {
	Rules  []*Rule
	Config *lint.Config // nil for the defaults
	// Baseline has the findings that are known; nil for none.
	Baseline *lint.Baseline
	Edits    bool // make the text edits of every fix: outputs that carry them ask for it
	// Old finds the CRD of a name as it was before the change; it returns nil for a new one. Of several it takes the
	// one whose path is nearest to that of the file; nth counts the CRDs of that name above it in the file. Nil when
	// there is nothing to compare with: then the rules that need an old CRD do not run.
	Old func(name, path string, nth int) *OldCRD
	// Unknown reports whether the earlier form of the CRD of a name in a file cannot be determined, so that those Old
	// does not find are not called new. Nil for never.
	Unknown func(name, path string) bool
	// Shown is the file that a finding is shown in, of a report with Sources; nil where each is in the report's own.
	Shown func(*lint.Finding) string
	// Final means that the manifests will be applied as they are: nothing adds the parts that a generator leaves out.
	Final bool
	// Ratchet prepares reports for DropKnown.
	Ratchet bool
	// Changes limits the report to the change: other rules do not run. Errors that keep a CRD from being compared are
	// still reported: text that does not parse, a misspelt head, several manifests in one document.
	Changes bool
}

// A FileReport holds the findings about one file by itself, and the data that Report needs.
type FileReport struct {
	lint.FileReport

	found     []*Finding     // whose trees are still there
	patchable []*Finding     // that a patch in another file may settle
	named     map[string]int // CRDs by their names so far
	directive directiveLine  // not reported yet
	editWork  int            // nodes of documents that edits were made from
	comments  []*suppress.Comment
	summaries []*Summary
	patches   []crd.Patch
}

// File lints one file. The path is used in messages and to look up the configuration.
func (l *Linter) File(path string, src []byte) *FileReport {
	return l.file(path, src, false)
}

// release lets go of the trees that findings point into, so that memory does not grow with the number of files.
func (f *FileReport) release() {
	for _, one := range f.found {
		one.At.Node, one.Fix = nil, nil
		if one.PatchedBy != nil {
			f.patchable = append(f.patchable, one)
		}
	}
	f.found = nil
}

// file implements File; toFix keeps what findings point into. Else it is released before the next document is parsed:
// trees take many times the memory of their text, and a file may have thousands of documents.
func (l *Linter) file(path string, src []byte, toFix bool) *FileReport {
	out := &FileReport{FileReport: lint.FileReport{Path: path}, named: map[string]int{}}
	if language := manifest.TemplateOf(path, src); language != manifest.NoTemplate {
		out.Template = &lint.Template{Path: path, Language: string(language), CRDs: crd.MayHold(src)}
		return out
	}
	config := l.configFor(path)
	split := manifest.Split(path, src)
	out.directive = directiveOf(split)
	for _, d := range split.Documents {
		if d.Err == nil && d.Root == nil {
			d = d.Parsed()
		}
		if d.Err != nil && !crd.MayHold(src) {
			out.Others++
			out.Broken++
			continue
		}
		before := len(out.found)
		l.document(d, config, out)
		for _, f := range out.found[before:] {
			f.complete()
			out.Findings = append(out.Findings, f.Finding)
		}
		if !toFix {
			out.release()
		}
	}
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
	slices.SortStableFunc(out.found, func(a, b *Finding) int { return a.Compare(b.Finding) })
	return out
}

func (l *Linter) config() *lint.Config {
	if l.Config == nil {
		return &lint.Config{}
	}
	return l.Config
}

// configFor is the configuration for a file.
func (l *Linter) configFor(path string) *lint.Config { return config.ForFile(l.config(), path) }

// known are the rules that the configuration and comments may name: those of the run and the engine's own.
func (l *Linter) known() lint.Rules {
	var all lint.Rules
	for _, r := range slices.Concat(l.Rules, OwnRules()) {
		if value := r.Value(); all.ByID(r.ID) == nil {
			all = append(all, &value)
		}
	}
	return all
}

func (l *Linter) document(d *manifest.Document, config *lint.Config, out *FileReport) {
	if d.Err != nil {
		out.found = append(out.found, syntaxFinding(d, config)...)
		return
	}
	if d.Root == nil {
		return
	}
	root := d.Root.YNode()
	found, _ := crd.Find(root)
	if all := append(found, crd.Meant(root)...); len(all) > 0 {
		l.readComments(d, all, config, out)
		out.found = append(out.found, surroundings(d, all[0], config, out.directive)...)
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
			out.found = append(out.found, partFinding(&s, config)...)
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
	if l.Edits {
		makeEdits(s.document, s.index, findings, out)
	}
	out.found = append(out.found, findings...)
	out.summaries = append(out.summaries, summary)
}

// old returns the earlier form of a CRD; nil for a new one, and when there is nothing to compare with.
func (l *Linter) old(d *manifest.Document, c *crd.CRD, out *FileReport) *OldCRD {
	if l.Old == nil {
		return nil
	}
	nth := out.named[c.Name()]
	out.named[c.Name()]++
	return l.Old(c.Name(), d.File.Path, nth)
}

func syntaxFinding(d *manifest.Document, config *lint.Config) []*Finding {
	severity := SyntaxRule.severity(config)
	if severity == lint.Off {
		return nil
	}
	value := SyntaxRule.Value()
	return []*Finding{{rule: SyntaxRule, Finding: &lint.Finding{
		Rule: &value, Severity: severity, Message: text.OneLine("does not parse: " + d.Err.Message), Document: d.Index,
		Source: d.File.SourceAt(lint.Point(d.File.Path, d.Err.Line, d.Err.Column)),
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

// CRD runs the rules over one CRD of a document, by itself.
func (l *Linter) CRD(d *manifest.Document, c *crd.CRD) []*lint.Finding {
	findings, _ := l.crd(&subject{linter: l, document: d, crd: c}, l.config())
	var all []*lint.Finding
	for _, f := range findings {
		f.complete()
		all = append(all, f.Finding)
	}
	return all
}

// crd runs the rules over one CRD.
func (l *Linter) crd(shared *subject, config *lint.Config) ([]*Finding, *Summary) {
	shared.memo = map[any]any{}
	shared.crd = shared.crd.Frozen()
	excessive := shared.crd.Excessive()
	c := shared.judged(excessive, config)
	if old := shared.old; old != nil {
		shared.old = &OldCRD{old.CRD.Frozen(), old.Document}
	}
	across := map[string]lint.Severity{}
	comparable := shared.old != nil && !shared.old.CRD.Excessive()
	for _, r := range l.Rules {
		severity := r.severity(config)
		if r.Across != nil {
			across[r.ID] = severity
		}
		if l.Changes && !r.NeedsOld && !r.AboutChange {
			continue
		}
		if severity > lint.Off && r.Run != nil && (!excessive || r.Excess) && (!r.NeedsOld || comparable) {
			runRule(&Pass{CRD: c, Config: config, subject: shared, rule: r, severity: severity})
		}
	}
	pass := &Pass{CRD: c, Config: config, subject: shared}
	pass.unjudged()
	summary := pass.summarize()
	summary.severities, summary.compared = across, shared.old != nil
	findings := pass.withoutPlaceholders(once(pass.withoutFollowing(shared.findings)))
	pass.pointToSource(findings)
	if l.Ratchet {
		for _, f := range findings {
			f.Stable = c.StablePaths(f.At.Path)
		}
	}
	shared.asWritten(findings)
	return findings, summary
}

// runRule runs a rule; one that panics must not take the others down with it.
func runRule(p *Pass) {
	defer func() {
		if fault := recover(); fault != nil {
			p.Reportf(crd.Place{Node: p.CRD.Node}, "crdlift's rule %s failed on this, please report it: %v", p.rule.ID, fault)
		}
	}()
	p.rule.Run(p)
}

// once drops findings that say the same about the same place: an anchor's text is looked at once for each alias.
func once(findings []*Finding) []*Finding {
	type key struct {
		rule    *Rule
		pos     lint.Position
		message string
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		k := key{f.rule, f.Pos, f.Message}
		again := seen[k]
		seen[k] = true
		return again
	})
}
