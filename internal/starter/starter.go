// Package starter writes the first suite of tests of a CRD, or what a suite lacks: objects that nothing but one constraint rejects,
// each beside one that is accepted and differs from it in little. All that it writes is run first.
//
// Read starter.go first: which constraints, and in what order. find.go looks for an object that a constraint rejects, rule.go for one that a
// rule does, and near.go for one beside it that is accepted; difference.go says how one is made from another one. cases.go, table.go and
// defaults.go make cases of what is found, and append.go adds them to a suite.
package starter

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/suite"
)

// Which says which constraints get cases.
type Which int

const (
	// Usual are those that a person would test: rules, defaults, enums and patterns. Of the others a case says no more than the schema.
	Usual Which = iota
	RulesOnly
	All
)

// order is that of the kinds in a suite.
var order = []coverage.Kind{
	coverage.Default, coverage.Rule, coverage.Transition, coverage.Enum, coverage.Pattern, coverage.Format, coverage.Required, coverage.Bound,
	coverage.ListType, coverage.Junctor,
}

// maxLines is how long a suite becomes that is to be read by a person.
const maxLines = 300

// headLines are those that are not of cases.
const headLines = 20

// Options say what a suite is to have.
type Options struct {
	Which Which
	Known []*suite.Result // of what tests the CRD already
	Base  request.Object  // that the cases change; nil for the smallest object
	Lines int             // that the file has already
}

// A Start is a suite that is new, or what is new for one.
type Start struct {
	Suite   *suite.Suite
	Skipped int // rules that no object was found for
	Left    int // constraints that have no case, as the suite would be too long
}

// New starts a suite for a version of a CRD. Why says why nothing can be written.
func New(d *objects.Definition, version string, o Options) (s *Start, why string) {
	server, why := d.Server()
	if why != "" {
		return nil, why + "; run 'crdlift lint' to see why"
	}
	v := server.Version(version)
	if v == nil {
		return nil, fmt.Sprintf("the CRD has no version %s; correct the version", version)
	}
	if err := v.Err(); err != nil {
		return nil, err.Error()
	}
	f := &finder{g: sample.New(server, version, 1), v: v, left: allTries, known: map[string][]request.Object{}}
	if !f.startFrom(o.Base) {
		return nil, "crdlift found no object that the CRD accepts; write the suite by hand"
	}
	w := newWriter(f, o.Known)
	if !w.isNew {
		w.first(o.Which)
	}
	all := wanted(d, version, o.Which, o.Known)
	w.search(all)
	s = &Start{Suite: &suite.Suite{}}
	for i, c := range all {
		before := len(w.items)
		if w.add(c); o.Which == Usual && o.Lines+bytes.Count(suite.CasesYAML(w.cases()), []byte("\n")) > maxLines-headLines {
			w.items, s.Left = w.items[:before], len(all)-i
			break
		}
	}
	s.Suite.Cases = w.cases()
	s.finish(d)
	for _, c := range s.Suite.Cases {
		if c.Skip != "" {
			s.Skipped++
		}
	}
	return s, ""
}

// wanted are the constraints that are to have a case and have none.
func wanted(d *objects.Definition, version string, which Which, known []*suite.Result) (all []*coverage.Constraint) {
	report := coverage.Of(append(slices.Clone(known), &suite.Result{Definition: d, Case: &suite.Case{}}), coverage.Options{})[0]
	for _, c := range report.Constraints {
		usual := c.Kind == coverage.Default || c.Kind == coverage.Enum || c.Kind == coverage.Pattern
		if c.State < coverage.Tested && slices.Contains(c.Versions, version) && (which == All || c.Rule >= 0 || which == Usual && usual && !boring(c)) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *coverage.Constraint) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	return all
}

// boring reports whether a constraint is of what every CRD has alike: conditions, and the metadata of embedded objects.
func boring(c *coverage.Constraint) bool {
	for i, step := range c.Path {
		if i > 0 && (step.Key == "metadata" || step.Key == "conditions" && c.Path[0].Key == "status") {
			return true
		}
	}
	return false
}

// finish leaves only cases that pass, as they are read from the text that they are written as.
func (s *Start) finish(d *objects.Definition) {
	for range 3 {
		passed := map[string]bool{}
		for _, r := range Run(d, s.Suite.YAML()) {
			passed[r.Case.Name] = r.Passed() || r.Case.Skip != ""
		}
		before := len(s.Suite.Cases)
		s.Suite.Cases = slices.DeleteFunc(s.Suite.Cases, func(c *suite.Case) bool { return !passed[c.Name] })
		if len(s.Suite.Cases) == before {
			return
		}
	}
}

// Run runs the text of a suite with a CRD.
func Run(d *objects.Definition, text []byte) []*suite.Result {
	s := suite.Read(manifest.Parse("start.crdtest.yaml", text).Documents[0])
	if s == nil || len(s.Wrong) > 0 {
		return nil
	}
	return run(d, s)
}

func run(d *objects.Definition, s *suite.Suite) []*suite.Result {
	find := func(_ *suite.Suite, apiVersion, kind string) (*objects.Definition, string) {
		if kind != d.Hub.Spec.Names.Kind || objects.GroupOf(apiVersion) != d.Hub.Spec.Group {
			return nil, "it tests another CRD; write the cases into another file"
		}
		return d, ""
	}
	earlier := func(*suite.Suite, string, string) (*objects.Definition, string) { return nil, "it is not looked for" }
	return (&suite.Runner{Find: find, Earlier: earlier}).Run(s, nil)
}

// startFrom has cases change an object or, where that is not accepted, the smallest that is, with a spec where there can be one.
func (f *finder) startFrom(given request.Object) bool {
	if given != nil {
		base := clone(given)
		if metadata, is := base["metadata"].(map[string]any); !is {
			base["metadata"] = map[string]any{"name": "test"}
		} else if metadata["name"] == nil {
			metadata["name"] = "test"
		}
		if f.base, f.named = base, base["metadata"]; f.accepts(base) {
			f.written = given
			return true
		}
	}
	o, ok := f.g.At(sample.Path{{Kind: sample.Property, Name: "spec"}})
	if !ok || !f.accepts(o) {
		if o, ok = f.g.At(nil); !ok {
			return false
		}
	}
	f.named = map[string]any{"name": "test"}
	named := clone(o)
	if named["metadata"] = f.named; f.accepts(named) {
		o = named
	}
	f.named = o["metadata"]
	for again := true; again; {
		again = false
		for _, at := range leaves(o, nil) {
			less := clone(o)
			if at.String() != "spec" && at.Remove(less) && f.accepts(less) {
				o, again = less, true
			}
		}
	}
	f.base, f.written = o, clone(o)
	if suite.Equal(o["metadata"], map[string]any{"name": "test"}) { // which cases have where they say nothing
		delete(f.written, "metadata")
	}
	return true
}
