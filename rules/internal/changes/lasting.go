package changes

import (
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// Most of what a stored object breaks is excused as long as an update leaves it as it was. What is not excused is worse: no
// write of the object succeeds, so that it cannot even be deleted if it has a finalizer.

// A blame is why no write is excused, and where that is declared.
type blame struct {
	at  crd.Place
	why string
}

// forever ends the text about what is refused where no write is excused, findThem is what to do about it.
const (
	forever  = ", even to remove a finalizer"
	findThem = "see crdlift validate --against"
)

// lasting adds to a remark about what is refused that every write is, if that is so, and advice. Such a remark is an error,
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
	case advice == "":
		return r
	}
	return r.advise(advice)
}

// blameOf says why the server excuses nothing for what is below a schema. Of the root it needs no saying, and of an embedded
// resource that is new the remark says it.
func blameOf(c *compare.Change, at crd.Place) blame {
	if c.Field == crds.EmbeddedKey || crd.Get(at.Node, crds.EmbeddedKey) == nil && crd.Get(at.Node, crds.PreserveKey) == nil && crd.Get(at.Node, "additionalProperties") == nil {
		return blame{}
	}
	return blame{at, "with fields that are kept here though not declared, the server never takes an object for unchanged"}
}

// lastingRule is what to say of a new rule that refuses every write of some objects; nil for others.
func lastingRule(p *engine.Pass, c *compare.Change, rule text.Text) *remark {
	if at, excused := c.Excused(); !excused {
		r := newRemark(lint.Error, "%s: rule added{in}; objects that break it are rejected"+forever+": %s", fieldOf(c, ""), rule).advise(findThem)
		r.blame = blameOf(c, at)
		return r
	}
	if without := lackingFor(p, c); without != "" {
		return newRemark(lint.Error, "%s: new rule{in} rejects objects without %s"+forever+": %s", fieldOf(c, ""), text.Path(without), rule).advise(findThem)
	}
	return nil
}

// celRules are the validation rules of a CRD, and where each is among them by its path.
type celRules struct {
	all []crd.CELRule
	at  map[string]int
}

// lackingFor names the fields without which a new rule ends in an error, which is never excused; "" where there are none.
func lackingFor(p *engine.Pass, c *compare.Change) string {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return ""
	}
	type byPath struct{}
	rules := engine.Memo(p, byPath{}, func() (all celRules) {
		all.all, all.at = crd.CELRules(p.CRD.Schemas()), map[string]int{}
		for i, r := range all.all {
			all.at[r.At.Path] = i
		}
		return all
	})
	at, known := rules.at[c.Is().Path]
	if !known {
		return ""
	}
	fields, list := crds.FailsWithout(p, rules.all[at], rules.all)
	if len(fields) == 0 {
		return ""
	}
	var names []string
	for _, s := range fields {
		names = append(names, s.FieldPath())
	}
	return list(names)
}
