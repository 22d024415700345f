package rules

import (
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/version"
)

// A standing is which versions of a CRD are served, stored and preferred.
type standing struct {
	all       []crd.APIVersion // by priority, the highest first
	served    []crd.APIVersion // in that order
	storage   *crd.APIVersion  // nil when there is none, or several
	preferred *crd.APIVersion  // what kubectl asks for without a version; nil when none is served
}

// standingOf is nil for CRDs without versions, and for those whose versions the API server does not take.
func standingOf(p *engine.Pass) *standing {
	s := &standing{all: slices.Clone(p.CRD.Versions())}
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

var (
	stableVersion   = regexp.MustCompile(`^v[0-9]+$`)
	unstableVersion = regexp.MustCompile(`^v[0-9]+(alpha|beta)[0-9]+$`)
)

// unstableStorage says whether objects are stored in an alpha or beta version although a stable one is served.
func (s *standing) unstableStorage() bool {
	return unstableVersion.MatchString(s.storage.Name) &&
		slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return stableVersion.MatchString(v.Name) })
}

// allDeprecated says whether every version that is served is deprecated.
func (s *standing) allDeprecated() bool {
	return len(s.served) > 0 && !slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return !v.Deprecated })
}

// staged says whether a version that is not served outranks all that are.
func (s *standing) staged(v crd.APIVersion) bool {
	return s.preferred != nil && !v.Served && !v.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, s.preferred.Name) > 0
}

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
func introduces(p *engine.Pass, s *standing) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && !slices.ContainsFunc(p.Old().CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Served && stableVersion.MatchString(v.Name)
	})
}

// waits reports whether what is stored cannot change in this release: it adds a version that is served, and that the
// release after it may store. The one before could not read it, and somebody may have to go back.
func waits(p *engine.Pass, s *standing) bool {
	was := versionBefore(p, s.storage.Name)
	return was != nil && was.Storage && slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return versionBefore(p, v.Name) == nil })
}

// flagOf is the place of a flag of a version, or of its name when the flag is not written.
func flagOf(v crd.APIVersion, name string) crd.Place {
	if k, _ := crd.Lookup(v.At.Node, name); k != nil {
		return crd.Place{Node: k, Path: crd.Join(v.At.Path, name)}
	}
	return nameOfVersion(v)
}

// onStanding is the Run of a rule that looks at versions that the API server takes.
func onStanding(look func(*engine.Pass, *standing)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		if s := standingOf(p); s != nil {
			look(p, s)
		}
	}
}

var servingRules = []*engine.Rule{
	{
		ID:        "no-served-version",
		DependsOn: []string{"*.served", "*.versions[*]"},
		Summary:   "CRDs of which no version is served",
		Severity:  lint.Warning,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			if len(s.served) == 0 {
				p.Report(flagOf(s.all[0], "served"), "no version is served, so that nobody can read or write the resource")
			}
		}),
	},
	{
		ID:       "storage-version-not-served",
		Summary:  "CRDs whose storage version is not served",
		Severity: lint.Warning,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			if !s.storage.Served && len(s.served) > 0 && !waits(p, s) {
				p.Reportf(flagOf(*s.storage, "served"),
					"storage version %s is not served, so that every request needs a conversion; store %s", s.storage.Name, s.preferred.Name)
			}
		}),
	},
	{
		ID:       "storage-version-unstable",
		Summary:  "CRDs that store an alpha or beta version beside a stable one",
		Severity: lint.Info, // it is right in the release that adds the stable version
		Run: onStanding(func(p *engine.Pass, s *standing) {
			if s.storage.Served && s.unstableStorage() && !s.storage.Deprecated && !introduces(p, s) { // storage-version-deprecated says more
				p.Reportf(flagOf(*s.storage, "storage"),
					"objects are stored in %s although the stable %s is served; store that, and migrate what is stored", s.storage.Name, s.preferred.Name)
			}
		}),
	},
	{
		ID:       "storage-version-not-preferred",
		Summary:  "CRDs whose storage version is not the one that clients prefer",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			if s.preferred == nil || !s.storage.Served || s.unstableStorage() || s.storage.Name == s.preferred.Name {
				return // rules of their own speak about the first three
			}
			if was := versionBefore(p, s.preferred.Name); p.Old() != nil && (was == nil || !was.Served) {
				return // this is the release that introduces it
			}
			p.Reportf(flagOf(*s.storage, "storage"), "objects are stored in %s, though clients prefer %s; store that in the next release", s.storage.Name, s.preferred.Name)
		}),
	},
	{
		ID:       "highest-priority-version-not-served",
		Summary:  "versions that outrank all served ones but are not served",
		Severity: lint.Warning,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			top := s.all[0]
			if was := versionBefore(p, top.Name); was != nil && was.Storage {
				return // it is on its way out
			}
			if s.staged(top) && !top.Storage {
				p.Reportf(flagOf(top, "served"), "%s is not served, but outranks %s: all clients will move to it once it is", top.Name, s.preferred.Name)
			}
		}),
	},
	{
		ID:       "preferred-version-deprecated",
		Summary:  "CRDs of which clients prefer a deprecated version",
		Severity: lint.Warning,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			if s.preferred == nil || !s.preferred.Deprecated || s.allDeprecated() {
				return
			}
			f := p.Reportf(flagOf(*s.preferred, "deprecated"), "%s is deprecated, but outranks the other served versions: plain kubectl uses it, and warns", s.preferred.Name)
			if was := versionBefore(p, s.preferred.Name); was != nil && was.Served {
				f.AtMost(lint.Info)
			}
		}),
	},
	{
		ID:       "storage-version-deprecated",
		Summary:  "CRDs that store a deprecated version",
		Severity: lint.Info, // it is right in the release that deprecates the version
		Run: onStanding(func(p *engine.Pass, s *standing) {
			was := versionBefore(p, s.storage.Name)
			if s.storage.Deprecated && !s.allDeprecated() && (was == nil || was.Deprecated) {
				p.Reportf(flagOf(*s.storage, "deprecated"), "storage version %s is deprecated; store its successor before it can go", s.storage.Name)
			}
		}),
	},
	{
		ID:       "all-versions-deprecated",
		Summary:  "CRDs of which every served version is deprecated",
		Severity: lint.Info, // most often the whole API is on its way out,
		Preset:   lint.Strict,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			silent := !slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return crd.StringAt(v.At.Node, "deprecationWarning") == "" })
			if s.allDeprecated() && !silent {
				p.Report(flagOf(*s.preferred, "deprecated"), "every served version is deprecated; let the deprecationWarning of each say what to use instead")
			}
		}),
	},
	{
		ID:       "unserved-version-removable",
		Summary:  "versions that are neither served nor stored",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Run: onStanding(func(p *engine.Pass, s *standing) {
			for _, v := range s.all {
				if len(s.served) > 0 && !v.Served && !v.Storage && !s.staged(v) {
					p.Reportf(flagOf(v, "served"), "%s is neither served nor stored; remove it once no cluster has it in status.storedVersions", v.Name)
				}
			}
		}),
	},
}
