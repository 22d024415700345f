package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// countObject counts an object by what becomes of it.
func (f *FileReport) countObject(o *objects.Object, m objects.Match) {
	switch m.Verdict {
	case objects.BuiltIn:
		if o.Group == crd.Group && o.Kind == crd.Kind {
			f.CRDs++
			return
		}
		f.Objects.BuiltIn++
	case objects.Partial:
		f.Objects.Partial++
	}
}

// addVerdict notes what became of an object.
func (f *FileReport) addVerdict(s *objectSubject) {
	if s.match.Verdict == objects.NoCRD && len(s.findings) == 0 { // it is somebody else's
		f.Objects.Lack(s.object.Kind, 1)
		return
	}
	verdict := s.verdict()
	line, _ := s.document.Begin(crd.FirstKey(s.object.Node))
	judged := lint.JudgedObject{Object: s.identity, File: f.Path, Line: line, Verdict: verdict, Uncompared: s.uncompared}
	f.Objects.Judged(judged)
	if s.linter.Objects.List {
		f.Objects.Listed = append(f.Objects.Listed, judged)
	}
}

// verdict is what became of the object, in one word.
func (s *objectSubject) verdict() string {
	switch {
	case s.match.Verdict == objects.KindGone:
		return lint.Unreadable
	case s.match.Verdict != objects.Judged, s.isUnforeseen():
		return lint.Unjudged
	case s.prospect != nil:
		return foreseen[s.prospect.Worst()]
	case len(s.answer.outcome.Causes) > 0 || slices.ContainsFunc(s.findings, (*Finding).isRefusal):
		return lint.Refused
	}
	return lint.Accepted
}

// isUnforeseen reports whether it is not known what becomes of the object, in a run that asks for that.
func (s *objectSubject) isUnforeseen() bool { return s.prospect != nil && s.uncompared != "" }

// isRefusal reports whether the finding is an error of strict field validation.
func (f *Finding) isRefusal() bool { return f.Strict && f.Severity == lint.Error }

// isSettled reports whether all that there is to say of the object is said: it was judged, and no mistake kept the server from
// looking at the rest.
func (s *objectSubject) isSettled() bool {
	return s.match.Verdict == objects.Judged && !s.isUnforeseen() && !slices.ContainsFunc(s.answer.outcome.Causes, func(c request.Cause) bool {
		return c.Stage == request.Decoding || c.Stage == request.RulesNotRun
	})
}
