package webhook

import (
	"iter"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
)

// The objects that a test is made with, and the values that edits take.

func (t *tester) prepare() error {
	t.out.Versions = Versions(t.crd)
	for _, name := range t.out.Versions {
		if err := t.server.Version(name).Err(); err != nil {
			return err
		}
	}
	for _, pair := range pairsOf(t.out.Versions) {
		if len(t.o.Pairs) == 0 || slices.Contains(t.o.Pairs, pair) {
			t.pairs = append(t.pairs, pair)
		}
	}
	t.out.Pairs = t.pairs
	if len(t.o.Replay) > 0 {
		return nil // cases have their objects
	}
	for _, name := range t.out.Versions {
		s := t.of(name)
		s.objects = append(t.samplesOf(name), t.makeObjects(s.generator, t.o.Count)...)
		s.gather(t.server.Version(name))
		t.out.Objects += len(s.objects)
		if len(s.objects) == 0 {
			t.remark("crdlift could not make a valid object of %s; add some with --samples", name)
		}
	}
	t.all = t.out.Objects
	return nil
}

func (t *tester) samplesOf(name string) (all []Object) {
	for _, o := range t.o.Samples {
		if o["apiVersion"] != t.crd.Spec.Group+"/"+name || o["kind"] != t.crd.Spec.Names.Kind {
			continue
		}
		its, _ := request.Keys("metadata", "name").In(o)
		if called, _ := its.(string); !t.refuses(name, "the sample "+called, o) {
			all = append(all, o)
		}
	}
	return all
}

// refuses reports whether a version rejects an object that was given, and notes why.
func (t *tester) refuses(version, what string, o Object) bool {
	outcome := t.server.Version(version).Admit(unowned(o))
	if outcome.Object != nil {
		return false
	}
	r := Refusal{What: what, Version: version}
	if i := slices.IndexFunc(outcome.Causes, func(c request.Cause) bool { return c.Stage != request.RulesNotRun }); i >= 0 {
		r.Cause = &outcome.Causes[i]
	}
	if !slices.ContainsFunc(t.out.Refused, func(told Refusal) bool { return told.What == r.What && told.Version == r.Version }) {
		t.out.Refused = append(t.out.Refused, r)
	}
	return true
}

// makeObjects has objects around each field, as long as they are not half of all, and then objects that have most fields. Fields
// near the root come first, with more values: they are the API's own, and those far below often belong to types of others.
func (t *tester) makeObjects(generator func() *sample.Generator, count int) (all []Object) {
	if count == 0 {
		return nil
	}
	g := generator()
	seen := map[string]bool{}
	for s := range byRank(g) {
		if len(all) == (count+1)/2 || t.over() != nil {
			break
		}
		t.making()
		if text := canonical(s.Object); s.Valid && !seen[text] {
			seen[text] = true
			all = append(all, s.Object)
		}
	}
	for n := range count - len(all) {
		if t.over() != nil {
			break
		}
		t.making()
		if o := g.Mended(n); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// making says that no object is tried yet. To make those of a large schema takes its time, too.
func (t *tester) making() {
	if t.o.Progress != nil {
		t.o.Progress(0, t.o.Count*len(t.out.Versions))
	}
}

// byRank are the objects around all fields, by how far the field is from the root and by how many others there are around it. Those
// around a field are made when the first is asked for, as the many of large schemas take long.
func byRank(g *sample.Generator) iter.Seq[sample.Sample] {
	return func(yield func(sample.Sample) bool) {
		nodes := g.Nodes()
		around := make([][]sample.Sample, len(nodes))
		for rank, left := 0, len(nodes); left > 0; rank++ {
			for n, at := range nodes {
				i := rank - 2*len(at)
				if i == 0 {
					around[n] = g.Around(at)
				}
				if i == len(around[n]) {
					left--
				}
				if i >= 0 && i < len(around[n]) && !yield(around[n][i]) {
					return
				}
			}
		}
	}
}

const maxPooled = 4

// gather keeps some values of each field, for edits.
func (s *versionState) gather(v *request.Version) {
	for _, o := range slices.Backward(s.objects) {
		for _, at := range paths(o) {
			value, _ := at.In(o)
			field := fieldOf(v, at).Field()
			if isHead(at[0].Key) || len(canonical(value)) > 1000 {
				continue
			}
			known := func(other placedValue) bool { return equal(value, other.value) }
			if len(s.pool[field]) < maxPooled && !slices.ContainsFunc(s.pool[field], known) {
				s.pool[field] = append(s.pool[field], placedValue{at, value})
			}
		}
	}
}
