package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// judged returns the CRD that rules examine: a corrected copy where fields are misspelt, where the API version does not
// exist, and where values of a wrong type keep the CRD from being decoded, so that everything else is judged
// nevertheless.
func (s *subject) judged(excessive bool, config *lint.Config) *crd.CRD {
	s.version = s.crd.Version
	c := s.crd.Frozen()
	if !excessive {
		s.crd = s.crd.Supposed()
		s.unwritten = s.unwritten || s.crd.Version != s.version
		c = s.respelled(s.crd.Frozen(), config)
	}
	if _, err := c.Decode(); err != nil && !excessive {
		s.unreadable = err
		if s.mended = s.crd.Mend(); s.mended != nil {
			c = s.mended.Frozen()
		}
	}
	s.crd = c
	return c
}

// respelled returns the CRD with the fields that a rule reports as misspelt under their right names. Where that is not
// an error, the manifest may be sent regardless, and is judged without those fields, as the server reads it. The old
// side is respelled, too: fields misspelt there in the same way did not change.
func (s *subject) respelled(c *crd.CRD, config *lint.Config) *crd.CRD {
	i := slices.IndexFunc(s.linter.Rules, func(r *Rule) bool { return r.Meant != nil && r.SeverityIn(config) == lint.Error })
	if d, err := c.Decode(); i < 0 || s.linter.Changes || err == nil && d.Known {
		return c
	}
	meant := s.linter.Rules[i].Meant
	spelt := map[string]bool{}
	s.corrected = c.Respell(func(u crd.UnknownField) string {
		spelt[c.StablePaths(u.Place.Path)[0]] = true
		return meant(c, u)
	})
	if s.corrected == nil {
		return c
	}
	if s.old != nil {
		was := s.old.CRD.Frozen()
		old := was.Respell(func(u crd.UnknownField) string {
			if !spelt[was.StablePaths(u.Place.Path)[0]] {
				return ""
			}
			return meant(was, u)
		})
		if old != nil {
			s.old = &older.CRD{CRD: old.CRD, Document: s.old.Document}
		}
	}
	s.crd = s.corrected.Frozen()
	return s.crd
}

// asWritten replaces the paths of findings by those that the user wrote. A fix below a misspelt or misplaced field has
// to wait until that field is corrected, and a fix of an object that is not yet a CRD in the file until its head is
// corrected.
func (s *subject) asWritten(findings []*Finding) {
	for _, f := range findings {
		if path := s.written(f.At.Path); path != f.At.Path {
			f.At.Path, f.Fix = path, nil
		}
		if s.unwritten {
			f.Fix = nil
		}
	}
}

// written returns the path that the user wrote for one in the CRD that is judged.
func (s *subject) written(path string) string {
	if s.mended != nil {
		path = s.mended.AsWritten(path)
	}
	for _, copied := range []*crd.RespelledCopy{s.corrected, s.righted} {
		if copied != nil {
			path = copied.AsWritten(path)
		}
	}
	return path
}

// DropFollowing drops the findings that only follow from others.
func DropFollowing(findings []*Finding) []*Finding {
	if i := slices.IndexFunc(findings, func(f *Finding) bool { return f.Alone }); i >= 0 {
		return findings[i : i+1]
	}
	type place struct {
		rule, at string
	}
	told := map[place]bool{}
	start := func(f *Finding) string {
		if f.Object != nil { // fields that defaults add are all told of at the object around them
			return f.At.Path
		}
		return fmt.Sprintf("%d:%d", f.Pos.Line, f.Pos.Column)
	}
	for _, f := range findings {
		told[place{f.Rule.ID, f.At.Path}] = true
		told[place{f.Rule.ID, start(f)}] = true
	}
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		return slices.ContainsFunc(f.By.Follows, func(cause string) bool {
			return told[place{cause, f.At.Path}] || told[place{cause, start(f)}]
		})
	})
}

// withoutLost drops the findings that only follow from values of a wrong type.
func (p *Pass) withoutLost(findings []*Finding) []*Finding {
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		return p.mended != nil && !f.By.Reading && (p.lost(f.At.Path) || slices.ContainsFunc(f.By.DependsOn, p.lostLike))
	})
}

// lostLike is lost for a path of Rule.DependsOn.
func (s *subject) lostLike(path string) bool {
	end, isEnd := strings.CutPrefix(path, "*")
	return s.lost(path) || isEnd && slices.ContainsFunc(s.mended.Lost, func(lost string) bool {
		return strings.HasSuffix(anyIndex().ReplaceAllString(lost, "[*]"), end)
	})
}

var anyIndex = text.Pattern(`\[\d+\]`)

// unjudged reports the checks that did not run.
func (p *Pass) unjudged() {
	if !p.judgedBy(UnjudgedRule) {
		return
	}
	at := crd.Place{Node: p.CRD.Node}
	if p.linter.Conversions != nil && p.Hub() != nil {
		return
	}
	switch left := p.verdict().unjudged; {
	case p.Hub() == nil:
		p.Report(at, "crdlift checked nothing that the API server validates, because it cannot read the manifest; fix the errors and lint again")
	case len(left) > 0:
		p.Reportf(at, "not all %s were checked, because that depends on how you fix the errors; fix them, and lint again", strings.Join(left, ", "))
	}
}

// unjudgedAsWhole says that no check ran.
func (p *Pass) unjudgedAsWhole() {
	if p.judgedBy(UnjudgedRule) {
		p.Report(crd.Place{Node: p.CRD.Node}, "crdlift checked nothing else of this manifest, because its intent is unclear; correct it and lint again")
	}
}
