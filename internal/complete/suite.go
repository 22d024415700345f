package complete

import (
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/suite"
)

// base is the place of the object that the cases of a suite of tests change; nil for a node that is in no suite.
func (t *Text) base(n *skeleton.Node) *Place {
	for n.Parent != nil {
		n = n.Parent
	}
	if base := n.Child("base"); base != nil && n.Child(suite.Key) != nil {
		return t.object(base)
	}
	return nil
}

// setsFields reports whether the keys of a mapping in a suite are fields of the object, as in set: {spec.size: 1Gi}.
func setsFields(n *skeleton.Node) bool { return n.Key == "set" || n.Key == "stored" }

// fieldOfCase is the place that a key in a case of a suite names; nil elsewhere.
func (t *Text) fieldOfCase(n *skeleton.Node) *Place {
	if n.Parent == nil || !setsFields(n.Parent) {
		return nil
	}
	return t.base(n).at(n.Key)
}

// at is the place of a path below an object, as suites write it; nil for nothing that is a path.
func (p *Place) at(path string) *Place {
	steps := suite.ParsePath(path)
	if p == nil || len(steps) == 0 {
		return nil
	}
	for _, step := range steps {
		p = p.below(step)
	}
	return p
}

// completeCase offers the paths of fields where a case of a suite names one, and reports whether that is so.
func (w *writer) completeCase(offset int) bool {
	isKey := w.Key && setsFields(w.In)
	if !isKey && !(w.Value && (w.In.Key == "at" || w.In.Parent != nil && w.In.Parent.Key == "unset")) {
		return false
	}
	in := w.text.base(w.In)
	typed := string(w.text.Source[w.Start:max(w.Start, offset)])
	above := typed[:strings.LastIndexByte(typed, '.')+1]
	if above != "" {
		in = in.at(strings.TrimSuffix(above, "."))
	}
	if in == nil {
		return false
	}
	for _, k := range in.keys() {
		p := in.below(request.Key(k.name))
		item := Item{Label: above + k.name, Kind: Field, Rank: k.rank, Detail: p.Line(), Doc: p.description(), Deprecated: k.rank == rankDeprecated}
		if item.Insert = item.Label; isKey && (w.Written == nil || !w.Written.Colon) {
			item.Insert += ": "
		}
		if there := w.In.Child(item.Label); there == nil || there == w.Written || !isKey {
			w.add(item)
		}
	}
	return true
}
