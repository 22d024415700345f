package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/lint"
)

var servingRules = []*engine.Rule{
	{
		ID:        "no-served-version",
		DependsOn: []string{"*.served", "*.versions[*]"},
		Summary:   "CRDs without a served version",
		Severity:  lint.Warning,
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			if len(s.served) == 0 {
				p.Report(flagOfVersion(s.all[0], "served"), "no version is served, so that nobody can read or write the resource").
					Remedy = []lint.Change{{Path: s.all[0].At.Path, Keyword: "served", Value: true}}
			}
		}),
	},
	{
		ID:       "storage-version-not-served",
		Summary:  "CRDs whose storage version is not served",
		Severity: lint.Warning,
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			if !s.storage.Served && len(s.served) > 0 && !waits(p, s) {
				p.Reportf(flagOfVersion(*s.storage, "served"),
					"storage version %s is not served, so that every request needs a conversion; store %s", s.storage.Name, s.preferred.Name).
					Remedy = s.storing(s.preferred)
			}
		}),
	},
	{
		ID:       "storage-version-unstable",
		Summary:  "CRDs that store an alpha or beta version beside a stable one",
		Severity: lint.Info, // it is right in the release that adds the stable version
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.storage.Served && s.unstableStorage() && !s.storage.Deprecated && !introduces(p, s) { // storage-version-deprecated says more
				p.Reportf(flagOfVersion(*s.storage, "storage"),
					"objects are stored in %s although the stable %s is served; store that, and migrate what is stored", s.storage.Name, s.preferred.Name).
					Remedy = s.storing(s.preferred)
			}
		}),
	},
	convention("storage-version-not-preferred", "CRDs whose storage version is not the one that clients prefer",
		onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.preferred == nil || !s.storage.Served || s.unstableStorage() || s.storage.Name == s.preferred.Name {
				return // rules of their own speak about the first three
			}
			if was := versionBefore(p, s.preferred.Name); p.Old() != nil && (was == nil || !was.Served) {
				return // this is the release that introduces it
			}
			p.Reportf(flagOfVersion(*s.storage, "storage"), "objects are stored in %s, though clients prefer %s; store that in the next release", s.storage.Name, s.preferred.Name).
				Remedy = s.storing(s.preferred)
		})),
	{
		ID:       "highest-priority-version-not-served",
		Summary:  "versions that outrank all served ones but are not served",
		Severity: lint.Warning,
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			top := s.all[0]
			if was := versionBefore(p, top.Name); was != nil && was.Storage {
				return // it is on its way out
			}
			if s.staged(top) && !top.Storage {
				p.Reportf(flagOfVersion(top, "served"), "%s is not served, but outranks %s: all clients will move to it once it is", top.Name, s.preferred.Name)
			}
		}),
	},
	{
		ID:       "preferred-version-deprecated",
		Summary:  "CRDs whose preferred version is deprecated",
		Severity: lint.Warning,
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			if s.preferred == nil || !s.preferred.Deprecated || s.allDeprecated() {
				return
			}
			f := p.Reportf(flagOfVersion(*s.preferred, "deprecated"), "%s is deprecated, but outranks the other served versions: plain kubectl uses it, and warns", s.preferred.Name)
			if was := versionBefore(p, s.preferred.Name); was != nil && was.Served {
				f.AtMost(lint.Info)
			}
		}),
	},
	{
		ID:       "storage-version-deprecated",
		Summary:  "CRDs that store a deprecated version",
		Severity: lint.Info, // it is right in the release that deprecates the version
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			was := versionBefore(p, s.storage.Name)
			if s.storage.Deprecated && !s.allDeprecated() && (was == nil || was.Deprecated) {
				p.Reportf(flagOfVersion(*s.storage, "deprecated"), "storage version %s is deprecated; store its successor before it can go", s.storage.Name)
			}
		}),
	},
	{
		ID:       "all-versions-deprecated",
		Summary:  "CRDs whose served versions are all deprecated",
		Severity: lint.Info, // most often the whole API is on its way out,
		Preset:   lint.All,
		Run: onRoles(func(p *engine.Pass, s *versionRoles) {
			silent := !slices.ContainsFunc(s.served, func(v crd.APIVersion) bool { return crd.StringAt(v.At.Node, "deprecationWarning") == "" })
			if s.allDeprecated() && !silent {
				p.Report(flagOfVersion(*s.preferred, "deprecated"), "every served version is deprecated; let the deprecationWarning of each say what to use instead").
					Remedy = saying(s.served)
			}
		}),
	},
	convention("unserved-version-removable", "versions that are neither served nor stored", onRoles(func(p *engine.Pass, s *versionRoles) {
		for _, v := range s.all {
			if len(s.served) > 0 && !v.Served && !v.Storage && !s.staged(v) {
				p.Reportf(flagOfVersion(v, "served"), "%s is neither served nor stored; remove it once no cluster has it in status.storedVersions", v.Name).
					Remedy = []lint.Change{origin.ToRemove("spec.versions", v.Name)}
			}
		}
	})),
}

// storing is the change that stores objects in another version.
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
