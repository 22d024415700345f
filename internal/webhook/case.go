package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// ids are the rules about the properties, by which cases name them.
var ids = [...]string{
	PairMissing: "webhook-pair-missing", Contract: "webhook-contract", Failed: "webhook-failed", Undeclared: "webhook-undeclared",
	MetadataLost: "webhook-metadata-lost", DataLost: "webhook-data-lost", StatusLost: "webhook-status-lost", Preserved: "webhook-preserved",
	WriteLost: "webhook-write-lost", EditLost: "webhook-edit-lost", NotWritable: "webhook-not-writable", Invalid: "webhook-invalid",
	NotDefaulted: "webhook-not-defaulted", NotStable: "webhook-not-stable", NoopWrites: "webhook-noop-writes",
	NotIdempotent: "webhook-not-idempotent", Order: "webhook-order", PathsDiffer: "webhook-paths-differ", Scale: "webhook-scale",
	Partial: "webhook-partial", Unvalidated: "webhook-unvalidated", ReviewVersion: "webhook-review-version",
	SameVersion: "webhook-same-version", Garbage: "webhook-garbage", Concurrent: "webhook-concurrent",
	AnnotationSize: "webhook-annotation-size", Slow: "webhook-slow",
}

// ID is the rule about the property: "webhook-data-lost".
func (p Property) ID() string { return ids[p] }

// The lines of a case that say what it is a case of.
const (
	idLine   = "# id: "
	pairLine = "# pair: "
	editLine = "# edit: "
)

// A writtenEdit is an Edit in a case: keys are texts, and indexes are numbers.
type writtenEdit struct {
	Path    []any `json:"path"`
	Value   any   `json:"value"`
	Removed bool  `json:"removed,omitempty"`
	Stored  bool  `json:"stored,omitempty"`
}

func (e *Edit) write() ([]byte, error) {
	written := writtenEdit{Value: e.Value, Removed: e.Removed, Stored: e.Stored}
	for _, step := range e.Path {
		if step.IsIndex() {
			written.Path = append(written.Path, step.Index)
		} else {
			written.Path = append(written.Path, step.Key)
		}
	}
	return json.Marshal(written)
}

func readEdit(text string) (*Edit, error) {
	var written writtenEdit
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &written); err != nil {
		return nil, err
	}
	e := &Edit{Value: written.Value, Removed: written.Removed, Stored: written.Stored}
	for _, step := range written.Path {
		switch step := step.(type) {
		case string:
			e.Path = append(e.Path, request.Key(step))
		case int64:
			e.Path = append(e.Path, request.Index(int(step)))
		default:
			return nil, fmt.Errorf("%v is no step of a path", step)
		}
	}
	return e, nil
}

// YAML is the case as a file: the object, and above it in comments what it shows, in lines of the reader's own. It is a sample as
// well.
func (c Case) YAML(about ...string) ([]byte, error) {
	object, err := yaml.Marshal(c.Object)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s%s\n%s%s %s\n", idLine, c.Property.ID(), pairLine, c.Pair.From, c.Pair.To)
	if c.Edit != nil {
		edit, err := c.Edit.write()
		if err != nil {
			return nil, err
		}
		out.WriteString(editLine + text.Harmless(string(edit)) + "\n")
	}
	for _, line := range about {
		out.WriteString("# " + text.Harmless(text.OneLine(line)) + "\n")
	}
	out.Write(object)
	return []byte(out.String()), nil
}

// ReadCase reads such a file.
func ReadCase(name string, src []byte) (c Case, err error) {
	c = Case{Name: name, Property: -1}
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		if id, is := strings.CutPrefix(line, idLine); is && c.Property < 0 {
			c.Property = Property(slices.Index(ids[:], strings.TrimSpace(id)))
		}
		if pair, is := strings.CutPrefix(line, pairLine); is && c.Pair.From == "" {
			c.Pair.From, c.Pair.To, _ = strings.Cut(strings.TrimSpace(pair), " ")
		}
		if edit, is := strings.CutPrefix(line, editLine); is && c.Edit == nil && err == nil {
			c.Edit, err = readEdit(edit)
		}
	}
	if err != nil {
		return c, err
	}
	if c.Property < 0 || c.Pair.From == "" || c.Pair.To == "" {
		return c, errors.New("it does not say which case it is; save it with crdlift webhook test --save")
	}
	raw, err := yaml.YAMLToJSONStrict(src)
	if err != nil {
		return c, err
	}
	return c, kjson.UnmarshalCaseSensitivePreserveInts(raw, &c.Object)
}

// replay runs the trials of cases, and keeps what is about the property of each.
func (t *tester) replay() {
	t.all = len(t.o.Replay)
	for t.done = range t.o.Replay {
		c := t.o.Replay[t.done]
		tr := t.trialFor(c)
		if tr == nil {
			t.remark("crdlift cannot replay the case %s by itself; run the test without --replay", c.Name)
			continue
		}
		if takesValid(c.Property) && t.refuses(c.Pair.From, "the case "+c.Name, c.Object) {
			continue
		}
		t.out.Objects++
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

// takesValid reports whether what shows a property is an object that its version accepts.
func takesValid(p Property) bool { return p != Partial && p != Unvalidated }

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
