package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// upgradeRules are about what becomes of custom resources when their CRD is replaced.
var upgradeRules = []*engine.Rule{
	foretelling("object-refused-always", "custom resources that can never be written again under a new CRD, not even to remove a finalizer",
		lint.Error, upgrade.RefusedAlways, func(p *objectpass.Pass, e upgrade.Effect) {
			switch {
			case e.Status:
				explainRefusal(p, e, "no write is accepted any more, not even of the status or to remove a finalizer: ", beforeUpgrade)
			case e.StatusOpen:
				explainRefusal(p, e, "only writes of the status are accepted, not even one that removes a finalizer: ", beforeUpgrade)
			default:
				explainRefusal(p, e, "no write is accepted any more, not even to remove a finalizer: ", beforeUpgrade)
			}
		}),
	foretelling("object-refused-status", "custom resources whose status can no longer be written under a new CRD",
		lint.Error, upgrade.RefusedStatus, func(p *objectpass.Pass, e upgrade.Effect) {
			if len(e.Scope) == 0 {
				explainRefusal(p, e, "no write of the status is accepted any more: ", beforeUpgrade)
				return
			}
			explainRefusal(p, e, text.Sprintf("the status is rejected %s: ", whenChanged(p, e)).String(), beforeUpgrade)
		}),
	foretelling("object-version-gone", "custom resources that cannot be read under a new CRD, nor any list of their kind",
		lint.Error, upgrade.Unreadable, func(p *objectpass.Pass, e upgrade.Effect) {
			if p.Definition().Version(e.Version) != nil {
				p.Reportf(kindPath, "at %s, neither the object nor any list of %s can be read any more; serve the version until nobody reads it", e.Version, p.Object.Kind).Relate(p.Definition().Where(), "the CRD is here")
				return
			}
			f := p.Reportf(kindPath, "objects may be stored in %s, which the CRD no longer has: they and every list of %s cannot be read; migrate them first", e.Version, p.Object.Kind)
			f.Relate(p.Definition().Where(), "the CRD is here")
		}),
	foretelling("object-field-lost", "fields of custom resources that a new CRD drops",
		lint.Warning, upgrade.FieldLost, func(p *objectpass.Pass, e upgrade.Effect) {
			f := p.Reportf(e.Path, "%s is lost: %s", words.PathName(e.Path), lostWhen(e))
			f.Field = e.Path.Field() // which has no place in the CRD
			version, message := e.Version, "the schema here does not declare it"
			if e.Unstored {
				version, message = p.Definition().Storage(), "the schema of the storage version, here, does not declare it"
			}
			if s, _ := p.Definition().Schema(version, e.Path[:len(e.Path)-1]); s != nil {
				if pos, ok := p.Definition().Position(crd.FirstKey(s.Node)); ok {
					f.Relate(pos, message)
				}
			}
		}),
	foretelling("object-undecodable", "custom resources that clients of a new CRD cannot decode, nor any list with one",
		lint.Error, upgrade.RefusedWhenChanged, func(p *objectpass.Pass, e upgrade.Effect) {
			if undecodable(e) {
				explainRefusal(p, e, "clients of the new CRD can decode neither the object nor a list with it: ", beforeUpgrade)
			}
		}),
	foretelling("object-refused-when-changed", "custom resources that a new CRD rejects as soon as a part of them changes",
		lint.Warning, upgrade.RefusedWhenChanged, func(p *objectpass.Pass, e upgrade.Effect) {
			if !undecodable(e) {
				explainRefusal(p, e, text.Sprintf("the object is rejected %s: ", whenChanged(p, e)).String(), beforeUpgrade)
			}
		}),
	foretelling("object-refused-on-create", "custom resources that survive under a new CRD, but could not be created again",
		lint.Info, upgrade.RefusedOnCreate, func(p *objectpass.Pass, e upgrade.Effect) {
			if e.Cause == nil {
				f := p.Reportf(apiVersionPath, "the object cannot be created again, such as from a backup: the CRD no longer serves %s; write a served version", e.Version)
				f.Relate(p.Definition().Where(), "the CRD is here")
				return
			}
			explainRefusal(p, e, "the object cannot be created again, such as from a backup: ", "before you create it")
		}),
	foretelling("object-default-changed", "fields that custom resources get by a default of a new CRD",
		lint.Info, upgrade.DefaultChanged, func(p *objectpass.Pass, e upgrade.Effect) {
			f := p.Reportf(e.Path, "the object gets the default of %s: reads show it at once, the next write stores it; check that the controller expects it", words.PathName(e.Path))
			if s, rest := p.Definition().Schema(e.Version, e.Path); s != nil && len(rest) == 0 {
				if pos, ok := p.Definition().Position(s.Get("default")); ok {
					f.Relate(pos, "the default is here")
				}
			}
		}),
	rule(lint.Info, "object-conversion-unknown", "custom resources that a webhook converts, so that crdlift cannot check everything",
		objectpass.Check{OncePerCRD: true, Both: true, Run: eachManaged(upgrade.Converted, func(p *objectpass.Pass, e upgrade.Effect) {
			if len(e.Path) > 0 {
				p.Reportf(apiVersionPath, "a webhook converts to the versions at which fields were written, so crdlift does not know whether %s can be applied server-side at %s; test the webhook", p.Object.Kind, e.Version)
				return
			}
			p.Reportf(apiVersionPath, "a webhook converts %s to %s, so crdlift checks objects at %[1]s only; get them at %[2]s (kubectl get %[3]s.%[2]s.%[4]s) and validate these, too",
				e.Version, p.Definition().Storage(), p.Definition().Hub.Spec.Names.Plural, p.Object.Group)
		})}),
}

// kindGone is about objects whose kind the new CRDs do not have.
var kindGone = mismatched("object-crd-gone", "custom resources whose CRD is gone among the new ones of its group", objects.KindGone,
	func(p *objectpass.Pass) {
		f := p.Reportf(kindPath, "the new CRDs of %s do not have %s: deleting its CRD deletes all its objects; keep the CRD, or migrate them first", p.Object.Group, p.Object.Kind)
		f.Relate(p.Definition().Where(), "the old CRD is here")
	})

func foretelling(id, summary string, severity lint.Severity, class upgrade.Class, tell func(*objectpass.Pass, upgrade.Effect)) *engine.Rule {
	return rule(severity, id, summary, objectpass.Check{Upgrade: true, Run: effects(class, tell)})
}

// effects makes the function of a rule about effects of one class. Those that only follow from others are left out.
func effects(class upgrade.Class, tell func(*objectpass.Pass, upgrade.Effect)) func(*objectpass.Pass) {
	return func(p *objectpass.Pass) {
		all := p.Prospect().Effects
		type key struct{}
		reasons := engine.Memo(p, key{}, func() reasons {
			return reasonsIn(func(yield func(request.Cause) bool) {
				for _, e := range all {
					if e.Cause != nil && !yield(*e.Cause) {
						return
					}
				}
			})
		})
		for _, e := range all {
			if e.Class == class && (e.Cause == nil || !reasons.explain(*e.Cause)) {
				tell(p, e)
			}
		}
	}
}

// beforeUpgrade is when to correct what a new CRD rejects.
const beforeUpgrade = "before the upgrade"

// explainRefusal has the rule about the cause of an effect explain it, and says when to do what helps.
func explainRefusal(p *objectpass.Pass, e upgrade.Effect, before, when string) {
	var told []*engine.Finding
	id, correct := tells(*e.Cause), "correct it "
	if e.Cause.Missing || e.Cause.Keyword == "required" {
		correct = "set it "
	}
	for _, r := range slices.Concat(objectValues, objectMetadata) {
		if r.ID == id {
			told = p.Explain(r, e.Cause, e.Version, before)
		}
	}
	for _, f := range told {
		if f.Scope = e.Scope.String(); f.Advice != "" {
			f.Add(", " + when)
		} else {
			f.Advise(correct + when)
		}
	}
}

// undecodable reports whether a value has a type that a program with the type of the schema does not read: encoding/json fails,
// and with it the list that an informer begins with. A null is read as nothing.
func undecodable(e upgrade.Effect) bool { return e.Cause.Keyword == "type" && e.Cause.Found != "null" }

// whenChanged says which change a server rejects. A value that is wrong by itself can be corrected, and nothing else is in it.
func whenChanged(p *objectpass.Pass, e upgrade.Effect) text.Text {
	value, _ := e.Scope.In(p.Tree())
	switch value.(type) {
	case map[string]any, []any:
		return text.Sprintf("as soon as anything in %s changes", words.PathName(e.Scope))
	}
	return text.Sprintf("if %s changes and is not corrected", words.PathName(e.Scope))
}

func lostWhen(e upgrade.Effect) text.Text {
	switch {
	case e.Hidden:
		return text.Sprintf("reads no longer show it, and the next write drops it; move its value first")
	case e.Unstored:
		return text.Sprintf("reads still show it, but the next write drops it; move its value first")
	}
	return text.Sprintf("a write at %s drops it; move its value first", e.Version)
}
