package kustomize

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/worktree"
)

// A Replaced is a list of an object that a strategic merge patch puts in the place of the base's, for the lack of a merge key.
type Replaced struct {
	Spot                           // of the list in the patch
	In          *manifest.Document // the patch
	Group, Kind string             // of the object
	Path        string             // of the list in it
	Lost        int                // how many items of the base are not built as they would be with the key: they are lost, or fields of them
}

// Replaces finds such lists in the build of the kustomization of a folder, given the definitions with the keys, which
// count for the kinds of which the kustomization has none. It builds with them and without, and compares. Files above a size in bytes are
// rejected, and in a repository those outside of it alone: some build with --load-restrictor, and nothing that was built is shown.
func Replaces(dir string, limit int64, keys []byte) (all []Replaced, err error) {
	return replaces(dir, limit, keys, false)
}

func replaces(dir string, limit int64, keys []byte, schemas bool) (all []Replaced, err error) {
	defer survive(dir, &err)
	disk, err := newDisk(dir, limit, schemas)
	if err != nil {
		return nil, err
	}
	disk.top = worktree.TopOf(disk.root)
	replaced, err := disk.build(nil)
	if err != nil && !schemas {
		return replaces(dir, limit, keys, true)
	}
	if err != nil {
		return nil, err
	}
	merged, err := disk.build(keys)
	if err != nil {
		return nil, err
	}
	from := newSources(disk)
	for i, r := range replaced.Resources() {
		for _, one := range lostItems(merged.Resources()[i].YNode(), r.YNode(), nil) {
			if at, in, ok := from.lister(r, one.steps); ok {
				place, _ := (&crd.CRD{Node: r.YNode()}).Resolve(one.steps)
				all = append(all, Replaced{at, in, r.CurId().Group, r.CurId().Kind, place.Path, one.items})
			}
		}
	}
	return all, nil
}

// A lossyList is a list, and how many items of it differ.
type lossyList struct {
	steps []string
	items int
}

// lostItems finds the lists of an object of which a merge has items that a build without keys has not.
func lostItems(merged, replaced *yaml.Node, steps []string) (all []lossyList) {
	if replaced == nil {
		return nil
	}
	for _, e := range crd.Entries(merged) {
		all = append(all, lostItems(crd.Deref(e.Value), crd.Deref(crd.Get(replaced, e.Name)), append(slices.Clip(steps), e.Name))...)
	}
	lost := 0
	if merged.Kind == yaml.SequenceNode {
		for _, item := range merged.Content {
			if !slices.ContainsFunc(replaced.Content, func(other *yaml.Node) bool { return equal(item, other) }) {
				lost++
			}
		}
	}
	if lost > 0 {
		all = append(all, lossyList{steps, lost})
	}
	return all
}

// lister is the list of the last patch of an object that has one at a path. An empty one is meant to take all away.
func (s *sources) lister(r *resource.Resource, steps []string) (at Spot, in *manifest.Document, ok bool) {
	for _, p := range slices.Backward(s.others) {
		key, list := entry(p.text.Root.YNode(), steps)
		if list != nil && p.isOf(r) {
			at, ok = p.text.spot(head(key, list, true))
			return at, p.text.Document, ok && len(list.Content) > 0
		}
	}
	return Spot{}, nil, false
}

// isOf reports whether a patch of another object than a CRD is one of a resource that was built: its name may have got more around it.
func (p *source) isOf(r *resource.Resource) bool {
	id, root := r.CurId(), p.text.Root.YNode()
	if p.target != nil {
		named, err := regexp.Compile(p.named)
		return err == nil && named.MatchString(id.Name) && p.target.MatchGvk(id.Gvk)
	}
	group, _, _ := strings.Cut(crd.StringAt(root, "apiVersion"), "/")
	return crd.StringAt(root, "kind") == id.Kind && group == id.Group && strings.Contains(id.Name, crd.StringAt(root, "metadata", "name"))
}
