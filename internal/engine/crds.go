package engine

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// crds is the Kind of runs that judge CRDs.
type crds struct{ tested bool } // for their conversions alone

func (crds) Split(path string, text []byte, mask *template.MaskedTemplate, keep bool) *manifest.File {
	if keep {
		return manifest.SplitMasked(path, text, mask)
	}
	return manifest.Scan(path, text)
}

func (crds) MayHold(text []byte) bool { return xrd.MayHold(text) }

func (c crds) Runs(l *Linter, rule *lint.Rule) bool {
	return !rule.Object && !rule.Suite && !rule.Migration && rule.Conversion == c.tested && l.compares(rule)
}

func (c crds) Discreet(string, []byte) Kind { return c }

func (crds) Show(_ string, before, after []byte) lint.ShownChange {
	return lint.ShownChange{Before: before, After: after, Changed: !bytes.Equal(before, after)}
}

func (crds) Report(_ *Linter, files []*FileReport, combine func([]*FileReport) *lint.Report) *lint.Report {
	return combine(files)
}

func (crds) Judge(l *Linter, _ *manifest.File, out *FileReport) Judge {
	return &crdJudge{Linter: l, out: out, named: map[string]int{}}
}

// A crdJudge judges the CRDs of a file.
type crdJudge struct {
	*Linter
	out         *FileReport
	named       map[string]int // CRDs by their names so far
	directive   string         // of the first document, not reported yet: kubectl's parser sees none after a ... line
	directiveAt int            // in the file
}

func (j *crdJudge) Conceals() bool { return false }

// End lets go of the run: the judge stays in the report on the file.
func (j *crdJudge) End(*manifest.File) { j.Linter = nil }

// Document judges the CRDs of a document.
func (j *crdJudge) Document(d *manifest.Document, config *lint.Config) {
	if d.Index == 0 {
		j.directive, j.directiveAt = d.Directive()
	}
	switch {
	case d.Err != nil && d.File.Mask != nil:
		j.out.unmasked = d.File.Unmasked(d.Err)
		return
	case d.Err != nil:
		j.out.Found = append(j.out.Found, Unparsed(d, config)...)
		return
	case d.Root == nil:
		return
	}
	root := d.Root.YNode()
	if d.File.Mask == nil {
		j.out.beside = append(j.out.beside, companionsOf(root)...)
	}
	found, _ := xrd.Find(root)
	if all := append(found, crd.Meant(root)...); len(all) > 0 {
		j.readComments(d, all, config)
		if j.Conversions == nil {
			j.out.Found = append(j.out.Found, surroundings(d, all[0], config, j.directive, j.directiveAt)...)
		}
		j.directive = ""
	}
	parts := crd.Apart(root)
	if parts == nil || SeparatorRule.SeverityIn(config) == lint.Off {
		j.objects(&subject{linter: j.Linter, document: d}, root, config)
		return
	}
	for _, part := range parts {
		j.objects(&subject{linter: j.Linter, document: d, unwritten: true}, part, config)
	}
}

// readComments notes the ignores in the comments of a document that has CRDs.
func (j *crdJudge) readComments(d *manifest.Document, found []*crd.CRD, c *lint.Config) {
	resource := ""
	if len(found) == 1 {
		resource = found[0].Name()
	}
	j.ReadIgnores(d, resource, c, j.out)
}

// objects looks at the objects of a manifest: it is one, or a list of them.
func (j *crdJudge) objects(manifest *subject, root *yaml.Node, config *lint.Config) {
	found, others := xrd.Find(root)
	above := j.out.CRDs
	j.out.CRDs += written(found)
	j.out.Others += others
	compositions, graphs := xrd.Unread(root)
	j.out.Compositions, j.out.Graphs = j.out.Compositions+compositions, j.out.Graphs+graphs
	for i, c := range append(found, crd.Meant(root)...) {
		s := *manifest
		s.crd, s.index, s.above = c, i, above+i
		part := c.IsPart()
		switch slips := c.Slips(); {
		case i >= len(found) || part && len(slips) > 0:
			j.misspelt(&s, slips, config)
		case part:
			j.out.patches = append(j.out.patches, c.Patch())
			if j.Conversions == nil && !s.printed() {
				j.out.Found = append(j.out.Found, partFinding(&s, config)...)
			}
		default:
			j.judge(&s, config)
		}
	}
}

// misspelt reports the slips of an object that was meant to be a CRD, and judges it as the intended CRD.
func (j *crdJudge) misspelt(s *subject, slips []crd.Slip, config *lint.Config) {
	heads := headFindings(s, slips, config)
	if len(heads) == 0 {
		return
	}
	j.out.Found = append(j.out.Found, heads...)
	switch righted := s.crd.Righted(); {
	case righted == nil:
		p := &Pass{CRD: s.crd, Config: config, subject: s}
		p.unjudgedAsWhole()
		j.out.Found = append(j.out.Found, p.findings[len(heads):]...)
	case !righted.IsPart():
		if s.crd.Version == "" { // it was counted as another object
			j.out.CRDs++
			j.out.Others--
		}
		s.righted, s.crd, s.unwritten = righted, righted.CRD, true
		j.judge(s, config)
		return
	}
	j.older(s.document, s.crd) // which is misspelt now, and not deleted too
}

// judge runs the rules over a CRD.
func (j *crdJudge) judge(s *subject, config *lint.Config) {
	s.old, s.findings = j.older(s.document, s.crd), nil
	findings, summary := j.crd(s, config)
	if s.crd.From != nil {
		findings = j.withProblems(s, findings, config)
	}
	line, column := s.document.Begin(s.crd.Node)
	here := lint.Source{Pos: lint.Point(j.out.Path, line, column)}
	if s.swollen {
		j.Exceed(&j.out.FileReport, "older-alias-bytes", here,
			"this CRD is not compared, because the aliases of its earlier version expand to more than any server reads; compare with another revision")
	}
	if s.old != nil && s.old.Document != nil {
		j.exceedOlder(s.old.Document.File, s.document.File, here, j.out)
	}
	if n := s.unremedied; n > 0 {
		j.Exceed(&j.out.FileReport, "remedy-nodes", here,
			"crdlift does not know the Go markers for %s, because the CRD is too large; fix the other findings, and lint again", text.Count(n, "finding"))
	}
	j.Edit(s.document, findings, j.out)
	j.out.Found = append(j.out.Found, findings...)
	j.out.summaries = append(j.out.summaries, summary)
}

// older returns the earlier form of a CRD; nil for a new one, and when there is nothing to compare with.
func (j *crdJudge) older(d *manifest.Document, c *crd.CRD) *older.CRD {
	if j.Old == nil || d.File.Mask.Mentions(c.Name()) {
		return nil // a name that a template makes is of no CRD that is known
	}
	nth := j.named[c.Name()]
	j.named[c.Name()]++
	return j.around(d.File.Path).Older(c.Name(), nth)
}

// partFinding reports that a part of a CRD is not judged: its errors would be about the parts it lacks.
func partFinding(s *subject, config *lint.Config) []*Finding {
	p := &Pass{CRD: s.crd, Config: config, subject: s}
	if p.judgedBy(PartRule) {
		what := "a CRD"
		if s.crd.From != nil {
			what = "an XRD"
		}
		p.Refusef(crd.Place{Node: s.crd.Node}, "this is a part of %s, such as a kustomize patch, and is not checked; run lint --kustomize to check what is built", what)
	}
	return p.findings
}

func (l *Linter) kind() Kind {
	if l.Kind == nil {
		return crds{l.Conversions != nil}
	}
	return l.Kind
}

// judgesCRDs reports whether the run judges CRDs, and does not only test their conversions.
func (l *Linter) judgesCRDs() bool { return l.kind() == Kind(crds{}) }
