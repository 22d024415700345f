package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

// An Asked is what the report on a file depends on beside the file, its path and the options of the Linter: answers about its
// vicinity. What notes something does nothing on a nil Asked.
type Asked struct {
	answers map[question]string
	// isElsewhere says that the report depends on what may change unseen: on modules of others, or on the time.
	isElsewhere bool

	notes  []goNote
	labels []string // of the files of the old side that something was found in
}

// answer notes the answer to a question.
func (a *Asked) answer(q question, said func() string) {
	if a == nil {
		return
	}
	if _, known := a.answers[q]; known {
		return
	}
	if a.answers == nil {
		a.answers = map[question]string{}
	}
	a.answers[q] = said()
	a.isElsewhere = a.isElsewhere || q.About == goSources && a.answers[q] == ""
}

// Sources is the fingerprint that Go types had before they were looked for; "" where they were not.
func (a *Asked) Sources() string { return a.answers[question{About: goSources}] }

// Changed reports whether Go types have changed since they were looked for.
func (a *Asked) Changed(path string, now *GoTypes) bool {
	return a.Sources() != "" && a.Sources() != now.fingerprint(path)
}

// label notes where something was found on the old side.
func (a *Asked) label(old *older.CRD) {
	if a != nil && old != nil {
		a.labels = append(a.labels, old.Document.File.Path)
	}
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

func (a *Asked) elsewhere() {
	if a != nil {
		a.isElsewhere = true
	}
}

func (a *Asked) note(n goNote) {
	if a != nil {
		a.notes = append(a.notes, n)
	}
}

// AsksTime says that what the rule reports depends on when it runs.
func (p *Pass) AsksTime() { p.linter.Asked.elsewhere() }

// isNamedIn reports whether findings name a file of the old side, which is called otherwise in the next revision.
func (a *Asked) isNamedIn(findings []*lint.Finding) bool {
	return slices.ContainsFunc(findings, func(f *lint.Finding) bool {
		return slices.ContainsFunc(a.labels, func(label string) bool {
			return strings.Contains(f.Message, label) || slices.ContainsFunc(f.Related, func(at lint.Related) bool {
				return at.Pos.File == label || strings.Contains(at.Message, label)
			})
		})
	})
}
