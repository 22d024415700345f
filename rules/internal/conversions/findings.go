package conversions

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

func (of property) report(p *engine.Pass) {
	alike := map[likeness][]*engine.Finding{}
	for _, one := range p.Broken(of.Property) {
		found := &one
		f := p.Reportf(placeOf(p, found), "%s", of.message(p, found))
		switch found.Grade {
		case webhook.Minor:
			f.AtMost(lint.Warning)
		case webhook.Remark:
			f.AtMost(lint.Info)
		}
		f.Versions = versionsOf(found)
		f.Field, f.Old, f.New, f.Replay = found.Path.Field(), found.Was, found.Is, found.Replay
		if found.Object != nil {
			f.Witness = found.Object
		}
		if e := found.Edit; e != nil {
			p.Also(f, schemaPlace(p, editedAt(found), e.Path), clientEdits(found).Brief())
		}
		if l, ok := likenessOf(found); ok {
			alike[l] = append(alike[l], f)
		}
	}
	for _, same := range alike {
		engine.Together(same)
	}
}

// A likeness is what findings of a property have in common that one mistake makes of a type that a CRD has in many places.
type likeness struct {
	pair    webhook.Pair
	version string
	change  webhook.Change
	keyword string // that is broken
	field   string // the last one of the path: "key" of "spec.tokenSecret.key"
}

// likenessOf is that of a finding; false for one without it.
func likenessOf(f *webhook.Finding) (likeness, bool) {
	if len(f.Path) == 0 || f.Detail != "" {
		return likeness{}, false
	}
	l := likeness{pair: f.Pair, version: f.Version, change: f.Change, field: f.Path[len(f.Path)-1:].Field()}
	if f.Cause != nil {
		l.keyword = f.Cause.Keyword
	}
	return l, true
}

// versionsOf are the versions of a pair, each once, and first the one that the finding stands at; none for what is about no pair.
func versionsOf(f *webhook.Finding) []string {
	all := slices.Compact([]string{f.Pair.From, f.Pair.To})
	if len(all) == 2 && versionAt(f) == f.Pair.To {
		slices.Reverse(all)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

func versionAt(f *webhook.Finding) string {
	if f.Version == "" || len(f.Path) == 0 {
		return f.Pair.To
	}
	return f.Version
}

// placeOf is where the CRD declares what a finding is about: the schema of the value or, where there is none, of the nearest one
// above; else the version, or what it says of conversions.
func placeOf(p *engine.Pass, f *webhook.Finding) crd.Place {
	if at := schemaPlace(p, versionAt(f), f.Path); at.Node != nil {
		return at
	}
	c := crds.ConversionOf(p.CRD)
	if f.Property == webhook.ReviewVersion && c.Reviews.Node != nil {
		return c.Reviews
	}
	if c.At.Node != nil {
		return c.At.At("strategy")
	}
	return crd.Place{Node: p.CRD.Node}
}

// schemaPlace is where a version declares the value at a path, or the nearest one above; its name for the object as a whole. It has no
// node where there is no such version.
func schemaPlace(p *engine.Pass, version string, at request.Path) crd.Place {
	v := p.CRD.VersionNamed(version)
	switch {
	case v == nil:
		return crd.Place{}
	case v.Root() == nil || len(at) == 0:
		return v.At.At("name")
	}
	s, _ := objects.SchemaBelow(v.Root(), at)
	return s.Place
}

// ofPair says something of every conversion, or of the one that a finding is about.
func ofPair(f *webhook.Finding, every, one string) text.Text {
	if f.Pair == (webhook.Pair{}) {
		return text.Sprintf("%s", every)
	}
	return text.Sprintf(one, text.Value(f.Pair.From), text.Value(f.Pair.To))
}

// between names the versions that nothing is converted between.
func between(f *webhook.Finding) text.Text {
	many := len(f.Versions) > 0
	switch {
	case many && f.Pair == (webhook.Pair{}) && len(f.Versions) == 2:
		return text.Sprintf("between %s and %s", text.Value(f.Versions[0]), text.Value(f.Versions[1]))
	case many && f.Pair == (webhook.Pair{}):
		return text.Sprintf("between any two of %s", text.Names(f.Versions))
	case many:
		return text.Sprintf("to or from %s (neither served nor stored)", text.Names(f.Versions))
	}
	return text.Sprintf("from %s to %s", text.Value(f.Pair.From), text.Value(f.Pair.To))
}

// unnamed asks whether there is a webhook at all, where the manifest does not say so.
func unnamed(p *engine.Pass) text.Text {
	return when(crds.ConversionOf(p.CRD).At.Node == nil, "pass --kustomize (the manifest names no webhook), ")
}

// way names the conversion that a finding is about: "v1 → v2". It may be about each.
func way(f *webhook.Finding) text.Text { return ofPair(f, "every conversion", "%s → %s") }

// when is a text where something holds, and nothing otherwise.
func when(holds bool, format string, args ...any) text.Text {
	if !holds {
		return text.Text{}
	}
	return text.Sprintf(format, args...)
}

// FieldAt names the value that a finding is about.
func FieldAt(f *webhook.Finding) text.Text {
	if len(f.Path) == 0 {
		return text.Sprintf("the object")
	}
	return text.Path(f.Path.Field())
}

// how says in what a value differs that means the same.
func how(f *webhook.Finding) text.Text {
	switch {
	case len(f.Path) == 0:
		return text.Text{}
	case f.Change == webhook.Reordered:
		return text.Sprintf(" in another order")
	case f.Path[0].Key == "metadata":
		return text.Sprintf(" (an annotation of the webhook)")
	case f.Was != nil && f.Is != nil && webhook.IsScalar(f.Was) && webhook.IsScalar(f.Is):
		return fromTo(f)
	}
	return text.Sprintf(" (null, empty or left out)")
}

// answer names what an answer differs in.
func answer(f *webhook.Finding) text.Text {
	if len(f.Path) == 0 {
		return text.Sprintf("result")
	}
	return FieldAt(f)
}

// objectsWith says which objects show a finding: those of a size, or with a value.
func objectsWith(f *webhook.Finding) text.Text {
	said := with(f)
	if f.Size > 0 {
		said = text.Sprintf(" of %d KiB and more", f.Size)
	}
	return when(said != text.Text{}, " for objects%s", said)
}

// with says which value is in the objects that show a finding, or is missing there.
func with(f *webhook.Finding) text.Text {
	switch {
	case len(f.Path) == 0:
		return text.Text{}
	case f.Missing:
		return text.Sprintf(" without %s", FieldAt(f))
	}
	value, there := f.Path.In(f.Object)
	if !there || !webhook.IsScalar(value) {
		return text.Sprintf(" with %s set%s", FieldAt(f), also(f))
	}
	return text.Sprintf(" with %s: %s%s", FieldAt(f), text.Value(words.JSONOf(value)), also(f))
}

// maxAlso is how many other fields with the same error are named.
const maxAlso = 3

// also names other fields with the same error.
func also(f *webhook.Finding) text.Text {
	if len(f.Also) == 0 {
		return text.Text{}
	}
	var names []any
	for _, at := range f.Also[:min(maxAlso, len(f.Also))] {
		names = append(names, text.Path(at.Field()))
	}
	format := " (likewise %s" + strings.Repeat(", %s", len(names)-1)
	if more := len(f.Also) - len(names); more > 0 {
		return text.Sprintf(format+" and %d more)", append(names, more)...)
	}
	return text.Sprintf(format+")", names...)
}

func whyRefused(f *webhook.Finding) text.Text {
	switch {
	case f.Cause != nil:
		return causeWords(f.Cause)
	case f.Detail == "":
		return FieldAt(f)
	}
	return text.Sprintf("%s%s", when(len(f.Path) > 0 && !strings.HasPrefix(f.Detail, f.Path.Field()), "%s ", FieldAt(f)), text.Reason(f.Detail))
}

// remedy says what the conversion has to do with a value, so that it is the same after the way back.
func remedy(f *webhook.Finding) text.Text {
	switch f.Change {
	case webhook.Lost:
		return text.Sprintf("keep the value in a field or an annotation of %s", text.Value(f.Pair.To))
	case webhook.Added:
		return text.Sprintf("do not add the value")
	case webhook.Reordered:
		return text.Sprintf("keep the order")
	}
	return text.Sprintf("return the same value")
}

var isPrefix = text.Pattern(`^conversion webhook for \S+, Kind=\S+ (failed: )?`)

// reason is the API server's error about a conversion, without the kind that the finding is about anyway.
func reason(f *webhook.Finding) text.Text {
	return text.Reason(isPrefix().ReplaceAllString(f.Detail, ""))
}

// LeftOut says of an object that was given why it is not tried.
func LeftOut(r webhook.Refusal) text.Text {
	if r.Cause == nil {
		return text.Sprintf("%s is skipped, as %s rejects it; correct the object", text.Foreign(r.What), text.Value(r.Version))
	}
	return text.Sprintf("%s is skipped, as %s rejects it: %s; correct the object", text.Foreign(r.What), text.Value(r.Version), causeWords(r.Cause))
}

// causeWords are the words of the rules about custom resources for a cause of a rejection.
func causeWords(c *request.Cause) text.Text {
	at := words.PathName(c.Path)
	switch {
	case c.Missing || c.Keyword == "required":
		return text.Sprintf("%s is required", at)
	case c.Rule >= 0:
		return text.Sprintf("%s: %s", at, text.Reason(c.Detail))
	case c.Keyword == "enum":
		return text.Sprintf("%s is not in the enum", at)
	case c.Keyword == "format":
		return text.Sprintf("%s must be of format %s", at, words.FormatOf(c.Schema))
	case c.Keyword == "type":
		return text.Sprintf("%s has another type", at)
	case c.Keyword != "":
		return text.Sprintf("%s %s", at, words.ConstraintFault(c))
	case c.Detail != "":
		return text.Sprintf("%s: %s", at, text.Reason(c.Detail))
	}
	return at
}

// Became says what became of a value: "loses spec.size".
func Became(f *webhook.Finding) text.Text {
	switch f.Change {
	case webhook.Lost:
		if f.Edit != nil && f.Edit.Value != nil && f.Was != nil && webhook.IsScalar(f.Was) {
			return text.Sprintf("loses %s, written as %s", FieldAt(f), text.Value(words.JSONOf(f.Was)))
		}
		return text.Sprintf("loses %s", FieldAt(f))
	case webhook.Added:
		if f.Is != nil && webhook.IsScalar(f.Is) {
			return text.Sprintf("adds %s: %s", FieldAt(f), text.Value(words.JSONOf(f.Is)))
		}
		return text.Sprintf("adds %s", FieldAt(f))
	case webhook.Reordered:
		return text.Sprintf("puts %s in another order", FieldAt(f))
	case webhook.Changed:
		if webhook.IsScalar(f.Was) && webhook.IsScalar(f.Is) {
			return text.Sprintf("changes %s%s", FieldAt(f), fromTo(f))
		}
	}
	return text.Sprintf("changes %s", FieldAt(f))
}

// consequence says what fails with a conversion.
func consequence(p *engine.Pass, f *webhook.Finding) text.Text {
	storage := crds.StorageVersion(p.CRD)
	switch {
	case storage == nil:
		return text.Text{}
	case storage.Name == f.Pair.From:
		return text.Sprintf(", so lists at %s fail", text.Value(f.Pair.To))
	case storage.Name == f.Pair.To:
		return text.Sprintf(", so writes at %s fail", text.Value(f.Pair.From))
	}
	return text.Text{}
}
