package crds

import (
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"k8s.io/apimachinery/pkg/version"
)

// A versionRoles is which versions of a CRD are served, stored and preferred.
type versionRoles struct {
	all       []crd.APIVersion // by priority, the highest first
	served    []crd.APIVersion // in that order
	storage   *crd.APIVersion  // nil when there is none, or several
	preferred *crd.APIVersion  // what kubectl asks for without a version; nil when none is served
}

// unstableStorage reports whether objects are stored in an alpha or beta version although a stable one is served.
func (s *versionRoles) unstableStorage() bool {
	return unstableVersion.MatchString(s.storage.Name) &&
		slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return stableVersion.MatchString(v.Name) })
}

// allDeprecated reports whether every version that is served is deprecated.
func (s *versionRoles) allDeprecated() bool {
	return len(s.served) > 0 && !slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return !v.Deprecated })
}

// staged reports whether a version that is not served outranks all that are.
func (s *versionRoles) staged(v crd.APIVersion) bool {
	return s.preferred != nil && !v.Served && !v.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, s.preferred.Name) > 0
}

// rolesOf is nil for CRDs without versions, and for those whose versions the API server does not take.
func rolesOf(p *engine.Pass) *versionRoles {
	s := &versionRoles{all: slices.Clone(p.CRD.Versions())}
	slices.SortStableFunc(s.all, byPriority)
	stored := 0
	for i, v := range s.all {
		if v.Served {
			s.served = append(s.served, v)
		}
		if v.Storage {
			stored++
			s.storage = &s.all[i]
		}
		if v.Name == "" {
			return nil
		}
	}
	if stored != 1 {
		return nil
	}
	if len(s.served) > 0 {
		s.preferred = &s.served[0]
	}
	return s
}

// onRoles is the Run of a rule that looks at versions that the API server takes.
func onRoles(look func(*engine.Pass, *versionRoles)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		if s := rolesOf(p); s != nil {
			look(p, s)
		}
	}
}

// byPriority compares versions, the one of the highest priority first.
func byPriority(a, b crd.APIVersion) int {
	return version.CompareKubeAwareVersionStrings(b.Name, a.Name)
}

var (
	stableVersion   = regexp.MustCompile(`^v[0-9]+$`)
	unstableVersion = regexp.MustCompile(`^v[0-9]+(alpha|beta)[0-9]+$`)
)

// versionBefore is the version of a name on the old side; nil when there is no old side, or it has none of that name.
func versionBefore(p *engine.Pass, name string) *crd.APIVersion {
	if p.Old() == nil {
		return nil
	}
	versions := p.Old().CRD.Versions()
	if i := slices.IndexFunc(versions, func(v crd.APIVersion) bool { return v.Name == name }); i >= 0 {
		return &versions[i]
	}
	return nil
}

// introduces reports whether this is the release that first serves a stable version: the old side stores what is stored
// now, and serves no stable version. What is stored may only change in the release after.
func introduces(p *engine.Pass, s *versionRoles) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && !slices.ContainsFunc(p.Old().CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Served && stableVersion.MatchString(v.Name)
	})
}

// waits reports whether what is stored cannot change in this release: it adds a version that is served, and that the
// release after it may store. The one before could not read it, and somebody may have to go back.
func waits(p *engine.Pass, s *versionRoles) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return versionBefore(p, v.Name) == nil })
}
