package kustomize

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// follow adds where the patches of a kustomization lead. kustomize reads a kustomization before the files that it lists
// (accumulateTarget of sigs.k8s.io/kustomize/api/internal/target), but for those of components.
func (c *cutter) follow(dir string, k *types.Kustomization, limit int64) {
	//lint:ignore SA1019 kustomize still reads patchesStrategicMerge and patchesJson6902
	patches := slices.Concat(k.Patches, k.PatchesJson6902)
	//lint:ignore SA1019 likewise
	for _, patch := range k.PatchesStrategicMerge {
		patches = append(patches, types.Patch{Path: string(patch), Patch: string(patch)})
	}
	for _, patch := range patches {
		src, path := []byte(patch.Patch), filepath.Join(dir, filepath.FromSlash(patch.Path))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= limit { // kustomize refuses others later
			src, _ = os.ReadFile(path)
		}
		for _, t := range textsOf(manifest.Parse("", withoutTabs(src)), nil, nil) {
			c.read(t.Root.YNode())
		}
	}
}

// read adds where a patch leads. What an operation tests stays whole, and so does what is in the place of something else in a
// strategic merge patch.
func (c *cutter) read(patch *yaml.Node) {
	if patch.Kind != yaml.SequenceNode {
		c.merge(patch, nil)
		return
	}
	for _, item := range patch.Content {
		o := newOperation(nil, item)
		c.keep(o.steps, o.verb == "test")
		c.keep(o.from, false)
	}
}

// merge adds the mappings of a strategic merge patch. A list, of which the versions of a CRD are one, replaces the other. An alias is
// not followed: there may be too many.
func (c *cutter) merge(part *yaml.Node, steps []string) {
	if part.Kind != yaml.MappingNode || crd.Get(part, "$patch") != nil {
		c.keep(steps, true)
		return
	}
	for _, e := range crd.Entries(part) {
		c.merge(e.Value, append(slices.Clip(steps), e.Name))
	}
}

// keep adds a path, whose end may have to stay whole. All schemas of all CRDs are alike in this: a patch may select several.
func (c *cutter) keep(steps []string, whole bool) {
	i := slices.Index(steps, "openAPIV3Schema")
	if i < 0 || i+1 == len(steps) {
		return
	}
	if c.kept == nil {
		c.kept = way{}
	}
	at := c.kept
	for n, step := range steps[i+1:] {
		below, known := at[step]
		switch last := i+1+n == len(steps)-1; {
		case known && below == nil:
			return
		case last && whole:
			below = nil
		case !known:
			below = way{}
		}
		at[step] = below
		if below == nil {
			return
		}
		at = below
	}
}
