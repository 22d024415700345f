package rules

import (
	"encoding/json"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

const changingDocs = `"Changing the API",
https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api_changes.md`

// fieldRules are about fields that go away or become something else.
var fieldRules = []*lint.Rule{
	{
		ID:       "field-removed",
		Summary:  "fields that are no longer declared, and are pruned",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `What a structural schema does not declare is pruned: the value that users stored disappears without a word when the
object is next written, by whomever. Clients that set the field get no error either.

A field that is not declared any more but kept, since its parent preserves unknown fields, is not reported. Neither are
versions that were neither served nor stored. Fields below one that is gone are not listed.

**What to do**: keep the field and describe it as deprecated. To get rid of it, make a new version without it and convert.

**When to ignore it**: the version is alpha and its users know, or the field never did anything.

**Source**: ` + changingDocs + `; pruning.PruneWithOptions of k8s.io/apiextensions-apiserver.`,
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "properties" || c.Kind != compare.Removed || !c.Loses {
				return "", lint.Off
			}
			return fieldOf(c, c.Item) + " is no longer declared{in}; what is stored there is pruned on the next write", lint.Error
		}),
	},
	{
		ID:       "field-type-changed",
		Summary:  "fields that have another type",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Stored objects with a value of the old type can be read, but are refused when they are written, and clients that
were generated from the old schema cannot decode what is new. What follows from the type (fields below, bounds) is not
reported besides.

Accepting more than before (integer to number, integer to int-or-string) does not break objects that exist, but clients
that were compiled for the old type may fail to decode new ones: that is reported as info.

**What to do**: add a field of another name and the new type, and keep the old one. A new version can have the new type
under the old name if a webhook converts.

**When to ignore it**: the version is alpha and its users know.

**Source**: ` + changingDocs + `.`,
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "type" {
				return "", lint.Off
			}
			was, is := compare.TypeName(c.Node.Old), compare.TypeName(c.Node.New)
			switch {
			case c.Effect == compare.Neutral || c.Node.Parent == nil && c.Effect == compare.Loosens:
				return "", lint.Off
			case c.Effect == compare.Loosens:
				return fieldOf(c, "") + " was " + was + " and is " + is + "{in}; clients made for the old type may not decode it", lint.Info
			}
			return fieldOf(c, "") + " was " + was + " and is " + is + "{in}; objects with the old type are refused", lint.Error
		}),
	},
	{
		ID:       "field-newly-required",
		Summary:  "fields that were optional and are required",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Objects without the field are refused when they are next written, even if the write is about something else, and so
are the manifests that users have. A required field with a default is not reported, since the server fills it in; one
that loses its default is.

**What to do**: give the field a default, or keep it optional and let the controller cope without it.

**When to ignore it**: the version is alpha and its users know, or no object can be without the field.

**Source**: ` + changingDocs + `.`,
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			switch {
			case c.Effect != compare.Tightens:
			case c.Field == "required" && c.Kind == compare.Added:
				return fieldOf(c, c.Item) + " is required now{in}; objects without it are refused; give it a default", lint.Error
			case c.Field == "default" && c.Kind == compare.Removed:
				return fieldOf(c, "") + " has no default any more and is required{in}; manifests without it are refused", lint.Error
			}
			return "", lint.Off
		}),
	},
	{
		ID:       "default-changed",
		Summary:  "other defaults of fields that existed",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `A default is filled in when an object is read or written without the field. Another default changes what the
manifests that users have mean, and what old objects mean that were stored before there was a default.

**What to do**: keep the default in this version. In a new version it may be another one, if conversion fills in the
old one for objects of the old version.

**When to ignore it**: the old default did not work, or the controller treats both alike.

**Source**: ` + changingDocs + `; "Defaulting",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting.`,
		Run: inManyFields(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "default" || c.Effect == compare.Tightens {
				return "", lint.Off
			}
			switch c.Kind {
			case compare.Added:
				return fieldOf(c, "") + " has a default now{in}: " + jsonText(c.New) + "; objects that leave it out get it", lint.Warning
			case compare.Removed:
				return fieldOf(c, "") + " has no default any more{in}; it was " + jsonText(c.Old), lint.Warning
			}
			before, now := jsonTexts(c.Old, c.New)
			return "the default of " + fieldOf(c, "") + " was " + before + " and is " + now + "{in}", lint.Warning
		}),
	},
	{
		ID:       "pruning-tightened",
		Summary:  "unknown fields that were kept and are pruned",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Where unknown fields were kept, users may have stored any. Without ` + "`x-kubernetes-preserve-unknown-fields`" + `, a schema in
additionalProperties or preserveUnknownFields: true, they are pruned when the object is next written.

**What to do**: keep it, or declare every field that may have been stored before you stop keeping unknown ones. An API
server that refuses preserveUnknownFields: true in v1 still keeps it for a CRD that has it: leave it out of the update
only when the schema is complete.

**When to ignore it**: the schema declares all that ever was there.

**Source**: "Field pruning",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning.`,
		Run: func(p *lint.Pass) {
			for _, c := range versionChanges(p, "spec.preserveUnknownFields") {
				if c.Old == true {
					f := p.Report(c.Is(), "unknown fields were kept (preserveUnknownFields: true) and are pruned now; what no schema declares is lost")
					p.Was(f, c.Was(), "was here, or the default of v1beta1")
				}
			}
			inSchemas(judgePruning)(p)
		},
	},
}

func judgePruning(_ *lint.Pass, c *compare.Change) (string, lint.Severity) {
	if !c.Loses {
		return "", lint.Off
	}
	switch c.Field {
	case "x-kubernetes-preserve-unknown-fields":
		return fieldOf(c, "") + " no longer keeps unknown fields{in}; those that are stored are pruned on the next write", lint.Error
	case "additionalProperties":
		return fieldOf(c, "") + " no longer takes fields of any name{in}; those that are stored are pruned on the next write", lint.Error
	case "items":
		return "the items of " + fieldOf(c, "") + " are no longer declared{in}; the fields in them are pruned on the next write", lint.Error
	case "x-kubernetes-embedded-resource":
		return fieldOf(c, "") + " is no embedded resource any more{in}; its apiVersion, kind or metadata are pruned", lint.Error
	}
	return "", lint.Off
}

// jsonTexts are two values that differ. Those that begin alike are shown from where they part.
func jsonTexts(before, now any) (string, string) {
	a, b := jsonText(before), jsonText(now)
	if a != b {
		return a, b
	}
	one, errOne := json.Marshal(before)
	other, errOther := json.Marshal(now)
	if errOne != nil || errOther != nil {
		return a, b
	}
	x, y := []rune(string(one)), []rune(string(other))
	alike := 0
	for alike < min(len(x), len(y)) && x[alike] == y[alike] {
		alike++
	}
	from := max(alike-8, 0) // a little of what is alike says where this is
	return "…" + wording.Cut(string(x[from:]), 24), "…" + wording.Cut(string(y[from:]), 24)
}

// jsonText is a value as JSON in a message, cut where it is long.
func jsonText(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return terse(v)
	}
	return wording.Cut(string(raw), 24)
}
