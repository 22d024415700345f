package objects

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// objectApply are about what only server-side apply makes of an object. What other rules say of the request is not told again.
var objectApply = []*engine.Rule{
	check(lint.Error, "object-apply-refused", "what only server-side apply rejects of custom resources", applyRefused),
	check(lint.Error, "apply-emptied", "objects that server-side apply rejects when they become empty", func(p *objectpass.Pass) {
		for _, c := range appliedCauses(p) {
			if isEmptied(p, c) {
				forApply(p, p.Reportf(c.Path, "%s had fields and is now empty, which server-side apply rejects; leave it out, or keep a field in it", words.PathName(c.Path)))
			}
		}
	}),
	check(lint.Error, "apply-live-type", "custom resources that cannot be applied server-side, as the cluster has values of other types", func(p *objectpass.Pass) {
		for _, c := range appliedCauses(p) {
			if c.Stage == request.Typing && c.Live {
				forApply(p, p.Reportf(c.Path, "%s of the existing object %s: server-side apply fails; write it again by a merge patch", words.PathName(c.Path), typeFault(c)))
			}
		}
	}),
	check(lint.Error, "apply-conflict", "fields of another field manager, for which server-side apply is rejected", func(p *objectpass.Pass) {
		for _, c := range appliedCauses(p) {
			if c.Stage == request.Conflict {
				p.Reportf(c.Path, "%s is owned by %s, so server-side apply as %s fails; write the same value, force yours, or remove the field",
					words.PathName(c.Path), strings.TrimPrefix(c.Detail, "conflict with "), text.Quoted(p.Applier().Manager))
			}
		}
	}),
	check(lint.Warning, "apply-keeps", "fields that stay although the manifest no longer has them", func(p *objectpass.Pass) {
		for _, at := range p.Stays() {
			if p.IsLiveKnown() {
				p.ReportKeyf(at, "%s stays, though %s no longer applies it, because another field manager has it; set it to null once by a merge patch",
					words.PathName(at), text.Quoted(p.Applier().Manager))
			} else {
				p.ReportKeyf(at, "server-side apply keeps what the manifest no longer has in %s, as it was atomic before; delete it once by hand", words.PathName(at))
			}
		}
	}),
	check(lint.Info, "apply-order", "lists that two field managers put in different orders", func(p *objectpass.Pass) {
		for _, at := range p.Reordered() {
			p.ReportKeyf(at, "%s has another order than another field manager applies, so each apply of one of them changes it; use the same order", words.PathName(at))
		}
	}),
	check(lint.Warning, "apply-too-large", "objects that are too large with their managedFields", func(p *objectpass.Pass) {
		if p.Applied() == nil || !p.Applied().Accepted() || p.Size() > crds.EtcdLimit {
			return
		}
		if text, err := json.Marshal(p.Applied().Object); err == nil && len(text) > crds.EtcdLimit {
			p.Reportf(nil, "the object has %d bytes with its managedFields, and etcd accepts 1.5 MiB, so server-side apply fails; make lists atomic, or split it", len(text))
		}
	}),
	crds.InAll(check(lint.Info, "apply-removed-default", "fields that go back to their defaults", func(p *objectpass.Pass) {
		for _, at := range changesOf(p, request.Defaulted) {
			was, there := at.In(p.Old())
			if is, _ := at.In(p.Outcome().Object); there && p.Outcome().Accepted() && !reflect.DeepEqual(was, is) {
				p.ReportKeyf(at, "%s is no longer set and goes back to its default; set it to keep the value", words.PathName(at))
			}
		}
	})),
}

// appliedCauses are the causes why server-side apply rejects the object.
func appliedCauses(p *objectpass.Pass) []request.Cause {
	if p.Applied() == nil {
		return nil
	}
	return p.Applied().Causes
}

// forApply gives a finding about server-side apply the severity that its way has.
func forApply(p *objectpass.Pass, f *engine.Finding) *engine.Finding {
	f.AtMost(p.AppliedSeverity())
	return f
}

// isEmptied reports whether a cause is that upstream makes null of what the manifest empties (RemoveItems of structured-merge-diff).
func isEmptied(p *objectpass.Pass, c request.Cause) bool {
	value, _ := c.Path.In(p.Tree())
	switch value := value.(type) {
	case map[string]any:
		return c.Keyword == "type" && c.Found == "null" && len(value) == 0
	case []any:
		return c.Keyword == "type" && c.Found == "null" && len(value) == 0
	}
	return false
}

// applyRefused reports the causes that no other rule tells, neither of apply nor of the request that was judged.
func applyRefused(p *objectpass.Pass) {
	told, sets := map[string]bool{}, map[string]bool{}
	for _, c := range p.Outcome().Causes {
		told[c.Path.String()] = true
	}
	for _, c := range p.Outcome().Changes { // object-unknown-field, object-null-dropped and object-server-fields tell them
		told[c.Path.String()] = told[c.Path.String()] || c.Kind != request.Defaulted
	}
	for _, c := range appliedCauses(p) {
		switch at := c.Path.String(); {
		case told[at], c.Stage == request.Conflict, c.Stage == request.Typing && c.Live, isEmptied(p, c), p.IsInDropped(c.Path):
		case c.Stage == request.RulesNotRun, c.Missing && p.Way() == lint.AnyApply: // a name, without which people create objects, and do not apply them
		case isOfComposites(c) && (p.Way() == lint.AnyApply || sets[c.Path[:len(c.Path)-1].String()]): // only who writes the CRD can act, whom schema-set-of-objects tells
		case c.Stage == request.Typing:
			sets[c.Path[:max(0, len(c.Path)-1)].String()] = isOfComposites(c)
			forApply(p, p.Reportf(c.Path, "server-side apply rejects %s, which %s; %s", words.PathName(c.Path), typeFault(c), typeAdvice(c)))
		case c.Stage == request.Owners:
			forApply(p, p.Reportf(request.Keys("apiVersion"), "server-side apply fails: %s", ownersFault(p, c)))
		case tells(c) != "":
			explainApplied(p, c)
		default: // only servers write it
			forApply(p, p.Reportf(c.Path, "server-side apply rejects %s, which the existing object does not have; remove it", words.PathName(c.Path)))
		}
	}
}

// isOfComposites reports whether a cause is an object or a list in a set, which server-side apply never takes.
func isOfComposites(c request.Cause) bool {
	return c.Stage == request.Typing && c.Keyword == "x-kubernetes-list-type" && (c.Found == "object" || c.Found == "array") && len(c.Path) > 0
}

// explainApplied has the rule about a cause say what it is about.
func explainApplied(p *objectpass.Pass, c request.Cause) {
	for _, r := range slices.Concat(objectValues, objectMetadata) {
		if r.ID == tells(c) {
			for _, f := range p.Explain(r, &c, p.Object.Version, "under server-side apply, ") {
				forApply(p, f)
			}
		}
	}
}

// typeFault says what server-side apply has against a value.
func typeFault(c request.Cause) text.Text {
	switch {
	case c.Keyword == "properties":
		return text.Sprintf("is not declared")
	case strings.HasSuffix(c.Keyword, "map-keys"):
		return text.Sprintf("lacks a key of its list")
	case c.Keyword != "type" && c.Found == "":
		return text.Sprintf("is already in its list")
	case c.Keyword != "type":
		return text.Sprintf("is %s instead of an item of its list", words.TypeNamed(c.Found))
	}
	return text.Sprintf("is %s, which is not its type", words.TypeNamed(c.Found))
}

// typeAdvice is what to do about that.
func typeAdvice(c request.Cause) string {
	switch {
	case isOfComposites(c):
		return "make the list atomic in the CRD"
	case strings.HasSuffix(c.Keyword, "map-keys"):
		return "add the key"
	case c.Keyword == "type":
		return "write a value of the declared type"
	case c.Keyword != "properties" && c.Found != "":
		return "remove it or write an item"
	}
	return "remove it"
}

// ownersFault says why no object can be made of what is there at a version that managedFields name.
func ownersFault(p *objectpass.Pass, c request.Cause) string {
	if c.Keyword == "" {
		return fmt.Sprintf("managedFields name %s, which the CRD no longer has; rewrite managedFields", c.Detail)
	}
	return fmt.Sprintf("managedFields name %s, in which %s %s; apply the new apiVersion first, and the field in a second step", c.Detail, words.PathName(c.Path), typeFault(c))
}
