package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
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
	return unstableVersion().MatchString(s.storage.Name) &&
		slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return stableVersion().MatchString(v.Name) })
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

func byPriority(a, b crd.APIVersion) int {
	return version.CompareKubeAwareVersionStrings(b.Name, a.Name)
}

var (
	stableVersion   = text.Pattern(`^v[0-9]+$`)
	unstableVersion = text.Pattern(`^v[0-9]+(alpha|beta)[0-9]+$`)
)

// versionBefore is the version of a name on the old side; nil when there is no old side, or it has none of that name.
func versionBefore(p *engine.Pass, name string) *crd.APIVersion {
	if p.Old() == nil {
		return nil
	}
	return p.Old().CRD.VersionNamed(name)
}

// introduces reports whether this is the release that first serves a stable version: the old side stores what is stored
// now, and serves no stable version. What is stored may only change in the release after.
func introduces(p *engine.Pass, s *versionRoles) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && !slices.ContainsFunc(p.Old().CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Served && stableVersion().MatchString(v.Name)
	})
}

// waits reports whether what is stored cannot change in this release: it adds a version that is served, and that the
// release after it may store. The one before could not read it, and somebody may have to go back.
func waits(p *engine.Pass, s *versionRoles) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return versionBefore(p, v.Name) == nil })
}

var servingRules = []*engine.Rule{
	dependent([]string{"*.served", "*.versions[*]"}, Check(lint.Warning, "no-served-version", "CRDs without a served version",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if len(s.served) == 0 {
				p.Report(flagOfVersion(s.all[0], "served"), "no version is served, so nobody can read or write the resource; write served: true in one").
					Remedy = []lint.Change{{Path: s.all[0].At.Path, Keyword: "served", Value: true}}
			}
		}))),
	Check(lint.Warning, "storage-version-not-served", "CRDs whose storage version is not served",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if !s.storage.Served && len(s.served) > 0 && !waits(p, s) {
				p.Reportf(flagOfVersion(*s.storage, "served"),
					"storage version %s is not served, so every request needs a conversion; move storage: true to %s", s.storage.Name, s.preferred.Name).
					Remedy = s.storing(s.preferred)
			}
		})),
	// an info, since it is right in the release that adds the stable version
	Check(lint.Info, "storage-version-unstable", "CRDs that store an alpha or beta version although a stable one is served",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.storage.Served && s.unstableStorage() && !s.storage.Deprecated && !introduces(p, s) { // storage-version-deprecated says more
				p.Reportf(flagOfVersion(*s.storage, "storage"),
					"objects are stored in %s although the stable %s is served; move storage: true to %[2]s, and migrate the stored objects", s.storage.Name, s.preferred.Name).
					Remedy = s.storing(s.preferred)
			}
		})),
	convention("storage-version-not-preferred", "CRDs whose storage version is not the one that clients prefer",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.preferred == nil || !s.storage.Served || s.unstableStorage() || s.storage.Name == s.preferred.Name {
				return // rules of their own speak about the first three
			}
			if was := versionBefore(p, s.preferred.Name); p.Old() != nil && (was == nil || !was.Served) {
				return // this is the release that introduces it
			}
			p.Reportf(flagOfVersion(*s.storage, "storage"), "objects are stored in %s, but clients prefer %s, so requests need conversions; move storage: true to %[2]s in the next release",
				s.storage.Name, s.preferred.Name).
				Remedy = s.storing(s.preferred)
		})),
	Check(lint.Warning, "highest-priority-version-not-served", "versions that outrank all served ones but are not served",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			top := s.all[0]
			if was := versionBefore(p, top.Name); was != nil && was.Storage {
				return // it is on its way out
			}
			if s.staged(top) && !top.Storage {
				p.Reportf(flagOfVersion(top, "served"), "%s is not served, but outranks %s: clients switch to it as soon as it is served; nothing to do if that is meant", top.Name, s.preferred.Name)
			}
		})),
	Check(lint.Warning, "preferred-version-deprecated", "CRDs whose preferred version is deprecated",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.preferred == nil || !s.preferred.Deprecated || s.allDeprecated() {
				return
			}
			f := p.Reportf(flagOfVersion(*s.preferred, "deprecated"), "%s is deprecated, but plain kubectl uses it, because it outranks the other versions; stop serving it when clients allow", s.preferred.Name)
			if was := versionBefore(p, s.preferred.Name); was != nil && was.Served {
				f.AtMost(lint.Info)
			}
		})),
	// an info, since it is right in the release that deprecates the version
	Check(lint.Info, "storage-version-deprecated", "CRDs that store a deprecated version", onRoles(func(p *engine.Pass, s *versionRoles) {
		was := versionBefore(p, s.storage.Name)
		if s.storage.Deprecated && !s.allDeprecated() && (was == nil || was.Deprecated) {
			p.Reportf(flagOfVersion(*s.storage, "deprecated"), "storage version %s is deprecated; move storage: true to its successor before you remove it", s.storage.Name)
		}
	})),
	// most often the whole API is on its way out,
	convention("all-versions-deprecated", "CRDs whose served versions are all deprecated", onRoles(func(p *engine.Pass, s *versionRoles) {
		silent := !slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return crd.StringAt(v.At.Node, "deprecationWarning") == "" })
		if s.allDeprecated() && !silent {
			p.Report(flagOfVersion(*s.preferred, "deprecated"), "every served version is deprecated; name the replacement in each deprecationWarning").
				Remedy = saying(s.served)
		}
	})),
	convention("unserved-version-removable", "versions that are neither served nor stored", onRoles(func(p *engine.Pass, s *versionRoles) {
		for _, v := range s.all {
			if len(s.served) > 0 && !v.Served && !v.Storage && !s.staged(v) {
				p.Reportf(flagOfVersion(v, "served"), "%s is neither served nor stored; remove it once no cluster has it in status.storedVersions", v.Name).
					Remedy = []lint.Change{origin.ToRemove("spec.versions", v.Name)}
			}
		}
	})),
}

func (s *versionRoles) storing(in *crd.APIVersion) []lint.Change {
	return []lint.Change{
		{Path: in.At.Path, Keyword: "storage", Value: true},
		{Path: s.storage.At.Path, Keyword: "storage", Value: false},
	}
}

// saying is the change that gives versions a warning of their own.
func saying(versions []crd.APIVersion) (remedy []lint.Change) {
	for _, v := range versions {
		if crd.StringAt(v.At.Node, "deprecationWarning") == "" {
			remedy = append(remedy, origin.ToChoose(v.At.Path, "deprecationWarning"))
		}
	}
	return remedy
}
