package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// CanHoist reports whether the top level is free for a field of the versions, and each of them has it itself: an entry
// of a merge key cannot be removed.
func CanHoist(spec *yaml.Node, f Field) bool {
	versions := crd.Items(crd.Get(spec, "versions"))
	return len(versions) > 0 && !crd.HasValue(spec, f.V1beta1) && !slices.ContainsFunc(versions, func(version *yaml.Node) bool {
		k, _ := crd.Lookup(version, f.V1)
		return k == nil || !slices.Contains(crd.Deref(version).Content, k)
	})
}

// Hoist moves the first version's value of a field to the top level and removes the others'. It reports whether it did; it
// does nothing where it CanHoist nothing.
func Hoist(spec *yaml.Node, f Field) bool {
	if !CanHoist(spec, f) {
		return false
	}
	versions := crd.Items(crd.Get(spec, "versions"))
	k, v := Take(versions[0], f.V1)
	if v.Kind == yaml.AliasNode { // its anchor may be in the text that is removed now
		v = crd.Clone(crd.Deref(v))
		StripAnchors(v)
	}
	for _, other := range versions[1:] {
		Remove(other, f.V1)
	}
	Put(spec, k, v, f.V1beta1)
	return true
}

// OutOfWebhook replaces spec.conversion.webhook by its fields, under the names of v1beta1. It returns the
// nodes whose lines change; none where it does nothing: webhook is empty or comes through a merge key, or it has a field
// that v1beta1 does not have, or whose place is taken.
func OutOfWebhook(conversion *yaml.Node) (touched []*yaml.Node) {
	k, webhook := crd.Lookup(conversion, "webhook")
	at := slices.Index(conversion.Content, k)
	entries := crd.Entries(webhook)
	if k == nil || at < 0 || len(entries) == 0 {
		return nil
	}
	touched = append(Separators(conversion), k)
	touched = append(touched, Separators(crd.Deref(webhook))...)
	names := map[string]string{}
	for _, f := range OfWebhook {
		names[f.V1] = f.V1beta1
	}
	unfit := func(e crd.Entry) bool { return names[e.Name] == "" || crd.HasValue(conversion, names[e.Name]) }
	if slices.ContainsFunc(entries, unfit) {
		return nil
	}
	var moved []*yaml.Node
	for _, e := range entries {
		if name := names[e.Name]; name != e.Name {
			touched = append(touched, e.Key)
			e.Key.Value = name
		}
		moved = append(moved, e.Key, e.Value)
	}
	conversion.Content = slices.Replace(conversion.Content, at, at+2, moved...)
	return touched
}
