// Package vicinity is what a report may depend on beside its file: what the file is to its repository, the Go types there,
// and the older side of a comparison. It notes each question and its answer, so that a report that is kept can be checked.
package vicinity

import (
	"crypto/sha256"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/repository"
)

// A Vicinity is what the report on a file may depend on besides the file, its path and the options of a run. Only
// this package reads it, and a Record notes each question with its result: a report that is kept holds while all of its
// questions have the same results, about any file.
type Vicinity struct {
	Sources
	Path   string  // of the file
	Record *Record // of the questions; nil where nobody wants to know
}

// Sources are what the files of a run may depend on.
type Sources struct {
	// Go are the Go types that the manifests are generated from; nil if they are not to be looked for.
	Go *GoTypes
	// Old finds the CRD of a name as it was before the change; it returns nil for a new one. Of several it takes the
	// one whose path is nearest to that of the file; nth counts the CRDs of that name above it in the file. Nil when
	// there is nothing to compare with: then the rules that need an old CRD do not run.
	Old func(name, path string, nth int) *older.CRD
	// Unknown reports whether the earlier form of the CRD of a name in a file cannot be determined, so that those Old
	// does not find are not called new. Nil for never.
	Unknown func(name, path string) bool
	// Roles says what the CRD of a name in a file is to its repository; nil where nobody knows.
	Roles func(file, crd string) repository.Decision
	// Outdated says as of when a copy has the CRD of its source; "" for now. Nil where nobody is to look at the history.
	Outdated func(file, source, crd string) string
}

// ask answers a question, and notes the answer.
func (s Vicinity) ask(q Question) any {
	value, said := s.answer(q)
	s.Record.answer(q, said)
	return value
}

// answer is the answer to a question and a text that is another one for every other answer; nil where there is nobody to ask,
// which has a text of its own.
func (s Vicinity) answer(q Question) (value any, said func() string) {
	switch {
	case q.About == roleOfCRD && s.Roles != nil:
		d := s.Roles(s.Path, q.Of)
		return d, func() string { return fmt.Sprintf("%s %s", d.Role, d.Source) }
	case q.About == goSources && s.Go != nil:
		return nil, func() string { return s.Go.fingerprint(s.Path) }
	case q.About == olderCRD && s.Old != nil:
		old := s.Old(q.Of, s.Path, q.Nth)
		return old, func() string { return hashOf(old) }
	case q.About == unknownBefore && s.Unknown != nil:
		unknown := s.Unknown(q.Of, s.Path)
		return unknown, func() string { return fmt.Sprint(unknown) }
	case q.About == outdatedCopy && s.Outdated != nil && s.Roles != nil:
		if d := s.Roles(s.Path, q.Of); d.Source != "" && d.Role.Told() {
			as := s.Outdated(s.Path, d.Source, q.Of)
			return as, func() string { return as }
		}
	}
	return nil, func() string { return "nobody" }
}

// Holds asks questions again, and reports whether all answers are what they were.
func (s Vicinity) Holds(answers map[Question]string) bool {
	for q, was := range answers {
		if _, said := s.answer(q); said() != was {
			return false
		}
	}
	return true
}

// Role is what the CRD of a name in the file is to its repository; the zero Decision where that is not known.
func (s Vicinity) Role(name string) repository.Decision {
	d, _ := s.ask(Question{About: roleOfCRD, Of: name}).(repository.Decision)
	return d
}

// Older is the earlier form of a CRD; nil for a new one.
func (s Vicinity) Older(name string, nth int) *older.CRD {
	old, _ := s.ask(Question{About: olderCRD, Of: name, Nth: nth}).(*older.CRD)
	return old
}

// IsUnknown reports whether it cannot be determined what a CRD was.
func (s Vicinity) IsUnknown(name string) bool {
	unknown, _ := s.ask(Question{About: unknownBefore, Of: name}).(bool)
	return unknown
}

// AsOf says as of when the file has the CRD of a name, if it is an outdated copy that is reported; else "".
func (s Vicinity) AsOf(name string) string {
	as, _ := s.ask(Question{About: outdatedCopy, Of: name}).(string)
	return as
}

// Find returns where the type of a kind is.
func (s Vicinity) Find(id schema.GroupVersionKind) gotypes.Answer {
	s.ask(Question{About: goSources})
	return s.Go.Find(s.Path, id)
}

// Glance returns where the type of a kind seems to be.
func (s Vicinity) Glance(id schema.GroupVersionKind) *gotypes.Kind {
	s.ask(Question{About: goSources})
	return s.Go.Index.Glance(s.Path, id)
}

// Required returns the type of a kind that was not found in the repository. Modules of others may change unseen.
func (s Vicinity) Required(id schema.GroupVersionKind, found gotypes.Answer) (*gotypes.Kind, gotypes.Module) {
	if s.Go.mayRequire(s.Path, id, found) {
		s.Record.DependsOnUnseen()
	}
	return s.Go.FindRequired(s.Path, id, found)
}

// NoteFound notes why findings have no place in Go types, of what was found of the versions of a kind.
func (s Vicinity) NoteFound(versions map[schema.GroupVersionKind]gotypes.Answer) {
	n := s.Go.noteOf(versions)
	s.Go.Note(n)
	s.Record.note(n)
}

// hashOf tells an older CRD from others by all that there is in its file, and by its place.
func hashOf(old *older.CRD) string {
	if old == nil {
		return ""
	}
	f := old.Document.File
	h := sha256.New()
	fmt.Fprintf(h, "%v %d %d %d\n", f.Mask != nil, old.Document.Index, old.Node.Line, old.Node.Column)
	h.Write(f.Source)
	return string(h.Sum(nil))
}
