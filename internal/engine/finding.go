package engine

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Finding is what a rule says about one place.
type Finding struct {
	Rule      *Rule
	Severity  lint.Severity
	At        crd.Place      // node, path as the user wrote it; the node is gone once its file is done
	Message   string         // what is wrong, then what follows or what to do; one line, with all that it quotes
	Brief     string         // Message for people, with what it quotes cut; "" when that is the same
	RefusedBy string         // "v1" or "v1beta1" when that API server refuses to create the CRD for this
	Advice    string         // what Message ends in, behind "; ", for the author of the change only; "" for none
	Fix       *Fix           // nil when there is none
	Related   []lint.Related // other places that belong to it: the old side, the other duplicate
	// PatchedBy reports whether a patch of the same CRD, in any file of the run, gives it what the finding misses. It is
	// nil where no patch does.
	PatchedBy func(crd.Patch) bool
	Ignored   string // the reason, when it is ignored; "" when it is not
	InSource  bool   // it is a comment in the manifest that ignores it, not the configuration or the baseline

	// What the message tells people, for programs. A rule fills in what it knows.
	Field    string   // the field of custom resources, as their authors know it: "spec.configs[*].url"
	Versions []string // names of the versions it is about, in the order of the CRD
	Old, New any      // of a change: the value on either side, as encoding/json knows it; nil for none
	Witness  any      // a value that shows it: one that is refused though it should not be, say

	Pos      lint.Position // where At stands
	Document int           // index of the document in the file, from 0
	Resource string        // metadata.name of the CRD
	Excerpt  string        // the source line at Pos, without its line end, or of a long one the part that matters
	From     int           // the column of Excerpt's first character; 0 stands for 1

	// Item is which of several items of a field it is about, as About takes it; "" for a finding that is not about one.
	Item string
	// About is the message about several versions and items, for outputs that tell of all of them together; about none it
	// is what those messages have in common. Nil for a message that is not about versions.
	About func(versions, items []string) text.Text

	known  bool     // to the baseline
	index  int      // of the CRD among those of its document
	stable []string // the path with names for indexes; see stablePaths
	first  *Finding // of those that say the same; see Together
}

// A Fix changes the tree; the zero Fix is not safe.
type Fix struct {
	Title string // a verb phrase: "remove metadata.namespace"
	// Safe is true when the result means to the API server what the manifest meant, or the manifest was refused and
	// there is only one way to read it.
	Safe bool
	// Reveals is true when what is fixed hid a part of the manifest from the API server, so that errors in that part
	// come to light.
	Reveals bool
	// Apply changes a CRD, which is a copy of the one the finding is about: it finds its node by path. It says whether
	// it did anything.
	Apply func(*crd.CRD) bool
	// Writes are the keywords that the fix writes, with their values: "x-kubernetes-list-type: map". It is nil where the
	// place of the finding tells. "optional" stands for a field that is no longer required.
	Writes []string
	// Source says where the fix has to be made to last, of a manifest that is generated: "by a change in the Go
	// types, and run controller-gen again". It is "" where the manifest is the source.
	Source string
	// Edits are the fix as text, against the file as it is. They are made when Linter.Edits asks for them.
	Edits []lint.TextEdit
}

// show sets where a finding is, and the line it begins on.
func (f *Finding) show(file *manifest.File, pos lint.Position) {
	shown := file.SourceAt(pos)
	f.Pos, f.Excerpt, f.From = shown.Pos, shown.Excerpt, shown.From
}

// say sets the message.
func (f *Finding) say(message text.Text) {
	f.Message, f.Brief = text.OneLine(message.String()), text.OneLine(message.Brief())
	if f.Brief == f.Message {
		f.Brief = ""
	}
}

// Advise adds to the message what the author of the change is to do.
func (f *Finding) Advise(advice string) *Finding {
	advice = text.OneLine(advice)
	f.Advice = advice
	f.Message += "; " + advice
	if f.Brief != "" {
		f.Brief += "; " + advice
	}
	return f
}

// namedPath is the path with the name of the version for its index; "" for what is in no version.
func (f *Finding) namedPath() string {
	rest, inside := strings.CutPrefix(f.At.Path, "spec.versions[")
	_, rest, closed := strings.Cut(rest, "]")
	if !inside || !closed || len(f.Versions) == 0 {
		return ""
	}
	return crd.Under("spec.versions", f.Versions[0]) + rest
}
