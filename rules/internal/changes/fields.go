package changes

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// fieldRules are about fields that go away or become something else.
var fieldRules = []*engine.Rule{
	judging("field-removed", "fields that are no longer declared, and are pruned", lint.Error, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "properties" || c.Kind != compare.Removed || !c.Loses {
				return nil
			}
			return newRemark(lint.Error, "%s was removed{in}; stored values are dropped on the next write; restore it until no object has it", fieldOf(c, c.Item))
		}),
	judging("field-type-changed", "fields that have another type", lint.Error, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "type" {
				return nil
			}
			was, is := compare.TypeName(c.Node.Old), compare.TypeName(c.Node.New)
			switch {
			case c.Node.New.Type != "" && !crds.IsType(c.Node.New.Type):
				return nil // schema-type-invalid tells of it: no server takes the change
			case c.Effect == compare.Neutral || c.Node.Parent == nil && c.Effect == compare.Loosens:
				return nil
			case c.Effect == compare.Loosens:
				return newRemark(lint.Info, "%s: type changed from %s to %s{in}; clients built for the old type may fail to decode it; update them first", fieldOf(c, ""), was, is)
			}
			r := newRemark(lint.Error, "%s: type changed from %s to %s{in}; values of the old type are rejected", fieldOf(c, ""), was, is)
			if isStatus(c.Node.Path) {
				r.format, r.read = "%s: type changed from %s to %s{in}; clients of the new type cannot decode stored objects or lists of them; add a field instead", true
				return r
			}
			stored, _ := p.Old().CRD.SchemaAt(c.Was().Path)
			if is, _ := p.CRD.SchemaAt(c.Is().Path); stored != nil && is != nil && !crds.Fits(stored, is) {
				r.format += ", and server-side apply fails until rewritten"
			}
			return r.advise("add a field instead")
		}),
	judging("field-newly-required", "fields that were optional and are required", lint.Error, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			switch {
			case c.Effect != compare.Tightens:
			case c.Field == "required" && c.Kind == compare.Added:
				return newRemark(lint.Error, "%s is now required{in}; objects without it are rejected", fieldOf(c, c.Item)).
					lasting(c, adviceInstead(c))
			case c.Field == "default" && c.Kind == compare.Removed:
				return newRemark(lint.Error, "%s is required and its default was removed{in}; manifests without it are now rejected; restore the default", fieldOf(c, ""))
			}
			return nil
		}),
	judging("default-changed", "other defaults of fields that existed", lint.Warning, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "default" || c.Effect == compare.Tightens || c.FromKubernetes() {
				return nil
			}
			switch c.Kind {
			case compare.Added:
				return newRemark(lint.Warning, "%s: default %s added{in}; objects that leave it out now get it; check that controllers expect it", fieldOf(c, ""), text.Value(words.JSONOf(c.New)))
			case compare.Removed:
				return newRemark(lint.Warning, "%s: default %s removed{in}; objects that leave it out no longer get it; write the default in objects that rely on it", fieldOf(c, ""), text.Value(words.JSONOf(c.Old)))
			}
			before, now := text.Apart(words.JSONOf(c.Old), words.JSONOf(c.New))
			return newRemark(lint.Warning, "%s: default changed from %s to %s{in}; keep the old default", fieldOf(c, ""), before, now)
		}),
	judging("pruning-tightened", "unknown fields that were kept and are pruned", lint.Error, causes, judgePruning),
}

func judgePruning(p *engine.Pass, c *compare.Change) *remark {
	if !c.Loses || stays(p, c.Field) {
		return nil
	}
	if c.Field == "spec.preserveUnknownFields" {
		return newRemark(lint.Error, "unknown fields are no longer kept (preserveUnknownFields was true); stored ones are dropped on the next write; declare those in use")
	}
	if format := map[string]string{
		"x-kubernetes-preserve-unknown-fields": "%s no longer keeps unknown fields{in}; stored ones are dropped on the next write; declare those in use",
		"additionalProperties":                 "%s no longer accepts fields of any name{in}; stored ones are dropped on the next write; declare those in use",
		"items":                                "the items of %s no longer have a schema{in}; stored fields in them are dropped on the next write; describe them",
		"x-kubernetes-embedded-resource":       "%s is no longer an embedded resource{in}; its apiVersion, kind and metadata are dropped on the next write; declare them",
	}[c.Field]; format != "" {
		return newRemark(lint.Error, format, fieldOf(c, ""))
	}
	return nil
}

// adviceInstead is what to do rather than require a field. Only some fields can have a default that makes sense: nobody can
// make up a name or an address.
func adviceInstead(c *compare.Change) string {
	s := c.Node.New.Properties[c.Item]
	switch {
	case s.Type == "boolean", s.Type == "integer", s.Type == "number", len(s.Enum) > 0:
		return "give it a default or keep it optional"
	}
	return "keep it optional"
}

// Most of what a stored object breaks is excused as long as an update leaves it as it was. What is not excused is worse: no
// write of the object succeeds, so that it cannot even be deleted if it has a finalizer.

// A blame is why no write is excused, and where that is declared.
type blame struct {
	at  crd.Place
	why string
}

// forever ends the text about what is rejected where no write is excused, findThem is what to do about it.
const (
	forever  = ", even to remove finalizers"
	findThem = "run crdlift validate --against REV"
)

// lasting adds to a remark about what is rejected that every write is, if that is so, and advice. Such a remark is an error,
// unless it is about values that hardly occur.
func (r *remark) lasting(c *compare.Change, advice string) *remark {
	at, excused := c.Excused()
	switch {
	case !excused:
		r.format += forever
		r.blame = blameOf(c, at)
		if r.severity == lint.Warning {
			r.severity = lint.Error
		}
		if advice == "" {
			return r.advise(findThem)
		}
		return r.advise(advice + ", or " + findThem)
	case advice == "" && r.severity == lint.Info:
		return r.advise("nothing to do")
	}
	return r.advise(cmp.Or(advice, findThem))
}

// blameOf says why the server excuses nothing for what is below a schema. Of the root it needs no saying, and of an embedded
// resource that is new the remark says it.
func blameOf(c *compare.Change, at crd.Place) blame {
	if c.Field == crds.EmbeddedKey || crd.Get(at.Node, crds.EmbeddedKey) == nil && crd.Get(at.Node, crds.PreserveKey) == nil && crd.Get(at.Node, "additionalProperties") == nil {
		return blame{}
	}
	return blame{at, "undeclared fields are kept here, so that the API server treats every write as a change"}
}

// lastingRule is what to say of a rule that was added or changed and that rejects every write of some objects; nil for others.
func lastingRule(p *engine.Pass, c *compare.Change, verb string, rule text.Text) *remark {
	if at, excused := c.Excused(); !excused {
		r := newRemark(lint.Error, "%s: rule %s{in}; objects breaking it are rejected"+forever+": %s", fieldOf(c, ""), verb, rule).advise(findThem)
		r.blame = blameOf(c, at)
		return r
	}
	if objects := failingFor(p, c); objects != (text.Text{}) {
		return newRemark(lint.Error, "%s: new rule{in} rejects %s"+forever+": %s", fieldOf(c, ""), objects, rule).advise(findThem)
	}
	return nil
}

// celRules are the validation rules of a CRD, and where each is among them by its path.
type celRules struct {
	all []crd.CELRule
	at  map[string]int
}

// failingFor says for which objects a new rule ends in an error, which is never excused; nothing where there are none.
func failingFor(p *engine.Pass, c *compare.Change) (objects text.Text) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return objects
	}
	type byPath struct{}
	rules := engine.Memo(p, byPath{}, func() (all celRules) {
		all.all, all.at = crd.CELRules(p.CRD.Schemas()), map[string]int{}
		for i, r := range all.all {
			all.at[r.At.Path] = i
		}
		return all
	})
	if at, known := rules.at[c.Is().Path]; known {
		objects, _ = crds.FailsFor(p, rules.all[at], rules.all)
	}
	return objects
}
