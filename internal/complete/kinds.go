package complete

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// completeType offers the apiVersions and kinds of the workspace where one is written, and reports whether that is so.
func (w *writer) completeType() bool {
	key, in := w.In.Key, w.In.Parent
	if !w.Value || in == nil || in.Kind != skeleton.Mapping || key != "apiVersion" && key != "kind" {
		return false
	}
	if p := w.text.PlaceOf(in); p != nil && p.Object != in && !p.isObject() {
		return false
	}
	apiVersion, kind := in.Child("apiVersion"), in.Child("kind")
	seen := map[string]bool{}
	for _, d := range w.text.CRDs.Kinds() {
		spec := &d.Hub.Spec
		for i := range spec.Versions {
			v := &spec.Versions[i]
			as := schema.GroupVersion{Group: spec.Group, Version: v.Name}.String()
			label, detail := as, spec.Names.Kind
			if key == "kind" {
				label, detail = spec.Names.Kind, as
			}
			other := key == "apiVersion" && kind != nil && kind.Text != "" && kind.Text != spec.Names.Kind ||
				key == "kind" && apiVersion != nil && apiVersion.Text != "" && apiVersion.Text != as
			if !v.Served || other || seen[label] {
				continue
			}
			seen[label] = true
			item := Item{Label: label, Kind: Type, Insert: write(label, w.json), Detail: detail, Deprecated: v.Deprecated}
			if v.Deprecated {
				item.Rank = rankDeprecated
			}
			w.add(item)
		}
	}
	w.crdType(key, in)
	return true
}

// maxWhole is how many kinds there may be for each to be offered with all that it has to have: their schemas have to be read for that.
const maxWhole = 100

// newObjects offers a whole object of each kind.
func (w *writer) newObjects() {
	if w.json || w.inFlow() || w.others() > 0 || w.In.Kind == skeleton.Mapping {
		return
	}
	kinds, newline := w.text.CRDs.Kinds(), "\n"+strings.Repeat(" ", w.Column+w.dashes())
	for _, d := range kinds {
		for i := range d.Hub.Spec.Versions {
			v := &d.Hub.Spec.Versions[i]
			if !v.Served {
				continue
			}
			item := Item{Label: d.Hub.Spec.Names.Kind, Kind: Type, Detail: schema.GroupVersion{Group: d.Hub.Spec.Group, Version: v.Name}.String(), Deprecated: v.Deprecated}
			item.Insert = "apiVersion: " + item.Detail + newline + "kind: " + item.Label + newline + "metadata:" + newline + strings.Repeat(" ", w.width) + "name: "
			if v.Deprecated {
				item.Rank = rankDeprecated
			}
			if len(kinds) <= maxWhole {
				if p := w.text.placeBy(d, v.Name); p != nil {
					draft := &draft{}
					w.members(draft, p, p.required(), w.relative(), 0)
					item.Doc, item.Snippet = p.description(), draft.String()
				}
			}
			w.add(item)
		}
	}
	w.newCRD()
}

// typeKeys offers what says which kind an object is of.
func (w *writer) typeKeys() {
	for _, name := range []string{"apiVersion", "kind"} {
		if there := w.In.Child(name); there == nil || there == w.Written {
			insert := w.name(name)
			if w.Written == nil || !w.Written.Colon {
				insert += ": "
			}
			w.add(Item{Label: name, Kind: Field, Insert: insert, Detail: "string, required"})
		}
	}
}
