package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/text"
)

// A Finding is a rule's report about one place.
type Finding struct {
	Rule      *Rule
	Severity  Severity
	Path      string        // as the user wrote it: "spec.versions[0].name"; "" for a finding outside of a CRD
	Message   string        // the error, then its consequence or remedy; one line, with quotations in full
	Brief     string        // Message for people, with quotations cut; "" when that is the same
	RefusedBy string        // "v1" or "v1beta1" when that API server refuses to create the CRD for this
	Foreseen  string        // why the result of converting a v1beta1 manifest would be rejected, which Message says of the manifest; "" for other findings
	Advice    string        // what Message ends in, after "; ", for the author of the change only; "" for none
	Advised   policy.Choice // what Message advises about a conversion, if it is a setting
	Source
	Document  int         // index of the document in the file, from 0
	Resource  string      // metadata.name of the CRD
	Object    *Object     // the custom resource that it is about, one for all its findings; nil for a finding about a CRD
	Operation string      // of a client on that object, which was judged: "create", "update", "status" or "scale"; "" for none
	Fix       *Fix        // nil when there is none
	Related   []Related   // other places that belong to it: the old side, the other duplicate
	Remedy    []Change    // the changes of the manifest after which it is gone; none where they are not known
	Origin    *Origin     // where Go types declare it; nil where no Go types were found
	Ignored   string      // the reason, when it is ignored; "" when it is not
	IgnoredBy Suppression // what ignores it

	// The message's data for programs. A rule sets the fields that it knows.
	Field    string   // the field of custom resources, as their authors know it: "spec.configs[*].url"
	Versions []string // names of the versions it is about, in the order of the CRD
	Old, New any      // of a change: the value on either side, as encoding/json knows it; nil for none
	Witness  any      // a value that shows it: one that is rejected though it should not be, say, or an object whose conversion is wrong
	Replay   string   // the command that shows it again with its Witness alone; "" for none

	// Suite and Case are the names of the suite of tests and of the case in it that fails; "" for other findings.
	Suite, Case string

	// First is the first of the findings that say the same of several places of a CRD; nil for one that is alone. Outputs
	// for people make one entry of them.
	First *Finding
	// More is the number of findings like it that are only counted: of a list too large to be read as a whole, where they are
	// alike. See Likeness.
	More int
	// Item is which of several items of a field it is about, as About takes it; "" for a finding that is not about one.
	Item string
	// Scope is the part of a custom resource that has to stay as it is, lest a server reject the object for the finding; "" for
	// none.
	Scope string
	// About returns the message and its brief form for several versions and items, for outputs that report of all of
	// them together; about none, what those messages have in common. Nil for a message that is not about versions.
	About func(versions, items []string) (message, brief string) `json:"-"`
	// Stable are the paths with names in the place of indexes, by which a finding is found again in an earlier manifest, and in a
	// copy of the CRD.
	Stable []string
	// Role is that of the CRD in the file of the finding, and RoleBecause why; "" in a run without roles.
	Role        Role
	RoleBecause string
	// Copies are the places of the same mistake in copies of the CRD, which are made anew from where the finding is.
	Copies []Position
	// CopyOf is the source of the CRD, where that was looked at and a copy has the finding alone.
	CopyOf string
}

// A Suppression is the reason why a finding is ignored.
type Suppression int8

const (
	NotIgnored      Suppression = iota
	ByComment                   // in the manifest
	ByConfiguration             // of the repository
	ByBaseline                  // of the repository
)

// Markers are those from which controller-gen makes the remedy, each once. It is empty where that is not known, the
// manifest is not generated from Go types, or a part of the remedy has no marker.
func (f *Finding) Markers() (all []string) {
	for _, c := range f.Remedy {
		if len(c.Markers) == 0 {
			return nil
		}
		for _, m := range c.Markers {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// Compare orders findings of one file as a person reads it.
func (f *Finding) Compare(other *Finding) int {
	return cmp.Or(f.Pos.Line-other.Pos.Line, f.Pos.Column-other.Pos.Column, int(other.Severity-f.Severity),
		cmp.Compare(f.Rule.ID, other.Rule.ID), cmp.Compare(f.Message, other.Message))
}

// InGo reports whether it has to be fixed in Go types, since the manifest is known to be generated from them.
func (f *Finding) InGo() bool { return f.Origin != nil && f.Origin.Confidence == ExactOrigin }

// A Fix is a change of the manifest after which a finding is gone.
type Fix struct {
	Title string // a verb phrase: "remove metadata.namespace"
	// Safe is true when the result means the same to the API server as the manifest, or the manifest was rejected and
	// its intention is unambiguous.
	Safe bool
	// Reveals is true when the error hid a part of the manifest from the API server, so that the fix may reveal errors
	// in that part.
	Reveals bool
	// Source names the place where a generated manifest has to be corrected for the correction to last: "by a change in
	// the Go types, and run controller-gen again". It is "" where the manifest is the source.
	Source string
	// Edits are the fix as text, against the file as it is. They are made for a linter that is asked for them; there are none
	// where the finding has to be fixed in Go types.
	Edits []TextEdit
}

// A WithheldFix is a fix that was tried and not made.
type WithheldFix struct {
	Finding *Finding
	Reveals *Finding // an error that would come to light, as the fixed file would have it; nil where Why says the reason
	Why     string   // what keeps the fix from being written
}

// A Likeness is what findings about several objects have in common that say the same of each. Findings about CRDs are unlike any
// other.
type Likeness struct {
	Severity                       Severity
	Rule, APIVersion, Kind, Ground string
	Field                          string // that it is about, where the CRD has no place of its own for it
	Operation                      string
	Ignored                        string
	IgnoredBy                      Suppression
}

// Likeness is that of a finding about an object.
func (f *Finding) Likeness() Likeness {
	k := Likeness{Severity: f.Severity, Rule: f.Rule.ID, Operation: f.Operation, Ignored: f.Ignored, IgnoredBy: f.IgnoredBy, Ground: f.ground(), Field: f.Field}
	if f.Object != nil {
		k.APIVersion, k.Kind = f.Object.APIVersion, f.Object.Kind
	}
	return k
}

var numbers = text.Pattern(`[0-9]+`)

// ground is what a finding about an object has in common with others of its rule: the place in the CRD or, where there is none,
// the message without the numbers of items.
func (f *Finding) ground() string {
	for _, other := range f.Related {
		if at := other.Pos; at.File != f.Pos.File {
			return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column)
		}
	}
	return numbers().ReplaceAllString(f.Message, "0")
}

// Count is how many findings it stands for: itself, and those like it that are only counted.
func (f *Finding) Count() int { return 1 + f.More }
