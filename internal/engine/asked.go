package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// An Asked is what the report on a file depends on beside the file, its path and the options of the Linter. Its methods do
// nothing on a nil Asked.
type Asked struct {
	// Sources is the fingerprint that Go types had before they were looked for; "" where they were not.
	Sources string
	// Named are the files that generators write with a name in the repository, by that name.
	Named map[string][]string
	// Before are the CRDs of the old side that were asked for, and Unknown those that it was asked whether they are unknown.
	Before  []askedBefore
	Unknown map[string]bool
	// Elsewhere says that the report depends on what may change unseen: on modules of others, or on the time.
	Elsewhere bool

	notes  []goNote
	labels []string // of the files of the old side that something was found in
}

// An askedBefore is what became of a question to the old side. What was found is told by a hash of its file, whatever messages
// call that; it is "" for nothing.
type askedBefore struct {
	Name  string
	Nth   int
	Found string
}

func (a *Asked) sources(p *Pass) {
	if a != nil && a.Sources == "" {
		a.Sources = p.linter.Go.Fingerprint(p.document.File.Path)
		a.Elsewhere = a.Elsewhere || a.Sources == ""
	}
}

func (a *Asked) named(name string, files []string) {
	if a == nil {
		return
	}
	if a.Named == nil {
		a.Named = map[string][]string{}
	}
	a.Named[name] = files
}

func (a *Asked) old(name string, nth int, found *OldCRD) {
	if a == nil {
		return
	}
	a.Before = append(a.Before, askedBefore{name, nth, found.hash()})
	if found != nil {
		a.labels = append(a.labels, found.Document.File.Path)
	}
}

func (a *Asked) unknown(name string, unknown bool) {
	if a == nil {
		return
	}
	if a.Unknown == nil {
		a.Unknown = map[string]bool{}
	}
	a.Unknown[name] = unknown
}

// hash tells an older CRD from others by all that there is in its file, and by its place.
func (o *OldCRD) hash() string {
	if o == nil {
		return ""
	}
	f := o.Document.File
	h := sha256.New()
	fmt.Fprintf(h, "%v %d %d %d\n", f.Mask != nil, o.Document.Index, o.CRD.Node.Line, o.CRD.Node.Column)
	h.Write(f.Source)
	return string(h.Sum(nil))
}

func (a *Asked) elsewhere() {
	if a != nil {
		a.Elsewhere = true
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
