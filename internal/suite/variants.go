package suite

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

// Variants finds the CRDs that suites of openshift/api are about: there is one for each set of features and kind of cluster where
// these make a difference. See perTestRuntimeInfo in their tests/crd_filter.go.
type Variants struct {
	// One takes one of them for each suite, that with all features if it can be.
	One bool

	folders, gates sync.Map // what was read of them, by their paths
}

// The folders of their layout.
const (
	manifestsFolder = "zz_generated.crd-manifests"
	gatesFolder     = "payload-manifests/featuregates"
)

// Their annotations, and the set of all features.
const (
	featureSet   = "release.openshift.io/feature-set"
	majorVersion = "release.openshift.io/major-version"
	profile      = "include.release.openshift.io/"
	allFeatures  = "CustomNoUpgrade"
)

// A generated is the head of a CRD, or of the feature gates of a release.
type generated struct {
	file     string
	Metadata struct {
		Name        string
		Annotations map[string]string
	}
	Status struct {
		FeatureGates []struct{ Enabled, Disabled []struct{ Name string } }
	}
}

// Of are the suites that a suite stands for, one for each CRD that it is about; or why it finds no CRD. Outside of their layout, it is
// the suite itself.
func (v *Variants) Of(s *Suite) (all []*Suite, why string) {
	from := filepath.Dir(filepath.FromSlash(s.Document.File.Path))
	folder := filepath.Join(from, "..", "..", manifestsFolder)
	crds := load(&v.folders, folder, ".crd.yaml", readHead)
	if crds == nil {
		return []*Suite{s}, ""
	}
	crds = slices.DeleteFunc(slices.Clone(crds), func(c *generated) bool { return c.Metadata.Name != s.OpenShift.CRDName })
	kept, why := v.fitting(crds, folder, s.OpenShift.Gates)
	if s.OpenShift.Meant && kept == nil {
		kept, why = crds, ""
	}
	if why != "" {
		return nil, why
	}
	if len(kept) == 0 {
		return nil, "no CRD in " + manifestsFolder + " has the name " + s.OpenShift.CRDName + " and fits the feature gates; correct one of them"
	}
	if i := slices.IndexFunc(kept, func(c *generated) bool { return slices.Contains(c.sets(), allFeatures) }); v.One {
		kept = kept[max(i, 0):][:1]
	}
	for _, c := range kept {
		one := *s
		one.CRD = path.Join("../..", manifestsFolder, c.file)
		if len(kept) > 1 {
			one.base = s.Name
			one.Name += "/" + strings.TrimSuffix(c.file, ".crd.yaml")
		}
		all = append(all, &one)
	}
	return all, ""
}

// fitting are the CRDs that have the feature gates.
func (v *Variants) fitting(crds []*generated, folder string, gates []string) (kept []*generated, why string) {
	for _, c := range crds {
		fits, why := v.fits(c, folder, gates)
		if why != "" {
			return nil, why
		}
		if fits {
			kept = append(kept, c)
		}
	}
	return kept, ""
}

// sets are the sets of features that a CRD is for.
func (c *generated) sets() []string {
	if sets := c.Metadata.Annotations[featureSet]; sets != "" {
		return strings.Split(sets, ",")
	}
	return nil
}

// releases are the major versions that it is for.
func (c *generated) releases() (all []string) {
	for one := range strings.SplitSeq(c.Metadata.Annotations[majorVersion], ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// fits reports whether a CRD has the feature gates that a suite demands.
func (v *Variants) fits(c *generated, folder string, gates []string) (fits bool, why string) {
	if len(gates) == 0 {
		return true, ""
	}
	if slices.Contains(c.sets(), allFeatures) { // has all fields
		return !slices.ContainsFunc(gates, func(gate string) bool { return strings.HasPrefix(gate, "-") }), ""
	}
	profiles := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Metadata.Annotations)), func(key string) bool {
		return !strings.HasPrefix(key, profile) || c.Metadata.Annotations[key] != "true"
	})
	if len(profiles) == 0 {
		return true, ""
	}
	enabled := v.enabled(c, folder, profiles[0])
	for _, gate := range gates {
		name, off := strings.CutPrefix(gate, "-")
		on, known := enabled[name]
		if !known {
			return false, gatesFolder + " does not have the feature gate " + name + " for " + c.file + "; correct the name"
		}
		fits := on != off
		if !fits {
			return false, ""
		}
	}
	return true, ""
}

// enabled are the feature gates of a CRD, and whether each is on.
func (v *Variants) enabled(c *generated, folder, profile string) map[string]bool {
	sets, releases := c.sets(), c.releases()
	if sets == nil {
		sets = []string{"Default"} // for which the CRD is the same as for the others
	}
	for _, g := range load(&v.gates, gatesAbove(folder), ".yaml", os.ReadFile) {
		_, has := g.Metadata.Annotations[profile]
		shared := func(one string) bool { return slices.Contains(g.releases(), one) }
		if !has || !slices.Contains(sets, g.Metadata.Annotations[featureSet]) || releases != nil && !slices.ContainsFunc(releases, shared) {
			continue
		}
		all := map[string]bool{}
		for _, of := range g.Status.FeatureGates[:min(1, len(g.Status.FeatureGates))] {
			for _, one := range of.Enabled {
				all[one.Name] = true
			}
			for _, one := range of.Disabled {
				all[one.Name] = false
			}
		}
		return all
	}
	return nil
}

// gatesAbove is the folder with the feature gates, some levels above another one.
func gatesAbove(folder string) string {
	at := folder
	for range 4 {
		at = filepath.Join(at, "..")
		if found := filepath.Join(at, filepath.FromSlash(gatesFolder)); isFolder(found) {
			return found
		}
	}
	return folder
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// load reads the files of a folder, once; nil where there is none.
func load(known *sync.Map, folder, ending string, read func(string) ([]byte, error)) []*generated {
	once, _ := known.LoadOrStore(folder, sync.OnceValue(func() (all []*generated) {
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ending) || !e.Type().IsRegular() {
				continue
			}
			src, err := read(filepath.Join(folder, e.Name()))
			one := &generated{file: e.Name()}
			if err == nil && yaml.Unmarshal(src, one) == nil {
				all = append(all, one)
			}
		}
		return all
	}))
	return once.(func() []*generated)()
}

// headSize is more than what comes before the spec of a CRD.
const headSize = 1 << 14

// readHead reads a CRD without its spec, which may be large.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, headSize))
	head, _, _ := bytes.Cut(src, []byte("\nspec:"))
	return head, err
}
