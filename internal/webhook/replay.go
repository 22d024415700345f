package webhook

// replay runs the trials of cases, and keeps what is about the property of each.
func (t *tester) replay() {
	for _, c := range t.o.Replay {
		tr := t.trialFor(c)
		if tr == nil {
			t.remark("the case %s cannot be replayed by itself; run the test without --replay", c.Name)
			continue
		}
		for _, h := range tr(t, c.Object) {
			if h.Property != c.Property {
				continue
			}
			if h.Object == nil {
				h.Object = c.Object
			}
			t.note(h)
		}
	}
}

// trialFor is the trial of a case; nil for one that takes no object.
func (t *tester) trialFor(c Case) trial {
	if c.Object == nil || t.server.Version(c.Pair.From) == nil || t.server.Version(c.Pair.To) == nil {
		return nil
	}
	switch c.Property {
	case PairMissing:
		return hopeless(c.Pair)
	case Failed, Contract, Slow:
		return plain(c.Pair)
	case EditLost:
		if c.Edit == nil {
			return nil
		}
		return editing(c.Pair, *c.Edit)
	case Partial, Unvalidated:
		return partial(c.Pair, c.Property)
	case NotStable:
		return judged(c.Pair, (*tester).stable)
	case Order:
		return inOrder(c.Pair)
	case Concurrent:
		return concurrent(c.Pair)
	case ReviewVersion, SameVersion, Garbage, AnnotationSize:
		return nil
	}
	return t.trialOf(c.Pair)
}
