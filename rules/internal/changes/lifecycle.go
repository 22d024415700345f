package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// versionRules are about the identity of a CRD, and about versions that come and go.
var versionRules = []*engine.Rule{
	crds.Check(lint.Error, "immutable-field-changed", "changes of immutable fields", func(p *engine.Pass) {
		p.EachUpdateRefusal(func(p *engine.Pass, r engine.Refusal) {
			from := text.Sprintf("")
			for _, c := range comparison(p).Changes {
				if c.Field == r.Field && c.Item == "" {
					from = text.Sprintf(" from %s", words.ValueOf(c.Old))
				}
			}
			f := p.Reportf(r.At, "%s changed%s to %s; the API server rejects this for an existing CRD; change it back",
				strings.TrimPrefix(r.Field, "spec."), from, words.ValueOf(r.BadValue))
			if at := p.Old().CRD.Locate(r.Field); at.Node != nil {
				p.Was(f, at, "was here")
			}
		})
	}),
	crds.Check(lint.Error, "stored-version-removed", "versions that are removed while objects are stored in them", func(p *engine.Pass) {
		p.EachUpdateRefusal(func(p *engine.Pass, r engine.Refusal) {
			f := p.Reportf(r.At, "%s was removed while objects are stored in it", r.BadValue).
				Advise("restore it with served: false until they are migrated")
			f.At.Path = crd.Under("spec.versions", fmt.Sprint(r.BadValue)) // each of its own, though no node is left
			if v := p.Old().CRD.VersionNamed(fmt.Sprint(r.BadValue)); v != nil {
				p.Was(f, v.At, "was here")
			}
		})
	}),
	judging("version-removed", "versions that are removed though they were served", lint.Error, otherChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "versions" || c.Kind != compare.Removed || !oldVersion(p, c.Item).Served || storedAndGone(p, c.Item) {
				return nil
			}
			return newRemark(lint.Error, "%s was removed while served; clients get 404", c.Item).advise("first release it with served: false and rewrite managedFields (`crdlift explain managed-fields-gone`)")
		}),
	judging("version-unserved", "versions that are no longer served", lint.Warning, otherChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			switch {
			case c.Field != "served" || c.Old != true || newVersion(p, c.Version) == nil:
				return nil
			case oldVersion(p, c.Version).Deprecated:
				return newRemark(lint.Info, "%s is no longer served; clients that use it get 404; nothing to do if they have heeded its deprecation", c.Version)
			}
			return newRemark(lint.Warning, "%s is no longer served and was never deprecated; clients that use it get 404; deprecate it for a release first", c.Version)
		}),
	crds.Check(lint.Warning, "new-version-is-storage", "versions that are new and the storage version in one step", func(p *engine.Pass) {
		eachNewStorage(p, true, func(at crd.Place, was, is string) *engine.Finding {
			f := p.Reportf(at, "%s is new and already the storage version; a rollback to a release without it fails; make it the storage version one release later", is)
			p.Was(f, versionPlace(p.Old().CRD, was, "storage"), "the storage version was "+was)
			return f
		})
	}),
	crds.Check(lint.Info, "storage-version-changed", "another storage version", func(p *engine.Pass) {
		eachNewStorage(p, false, func(at crd.Place, was, is string) *engine.Finding {
			f := p.Reportf(at, "the storage version changed from %s to %s", was, is).
				Advise("migrate stored objects, then remove " + was + " from status.storedVersions")
			p.Was(f, versionPlace(p.Old().CRD, was, "storage"), "was here")
			return f
		})
	}),
}

func storageOf(p *engine.Pass) string {
	for _, v := range comparison(p).Old.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// storedAndGone reports whether the API server rejects an update because a version is still stored: then that is what
// there is to say.
func storedAndGone(p *engine.Pass, version string) bool {
	return slices.ContainsFunc(p.UpdateRefusalsOf("stored-version-removed"), func(r engine.Refusal) bool { return r.BadValue == version })
}

// eachNewStorage reports the storage version where it was another one: one that was added since, or one that was there.
func eachNewStorage(p *engine.Pass, added bool, report func(at crd.Place, was, is string) *engine.Finding) {
	was := storageOf(p)
	for _, v := range comparison(p).New.Spec.Versions {
		limit := limitOf(p, v.Name, false)
		if !v.Storage || v.Name == was || was == "" || limit == lint.Off || added != (oldVersion(p, v.Name) == nil) {
			continue
		}
		f := report(versionPlace(p.CRD, v.Name, "storage"), was, v.Name).AtMost(limit)
		f.Old, f.New = was, v.Name
	}
}

func versionPlace(c *crd.CRD, version, field string) crd.Place {
	if v := c.VersionNamed(version); v != nil {
		return v.At.At(field)
	}
	return crd.Place{Node: c.Node}
}

// converterRules are about what converts between versions. A webhook that is new, or another one, is no change of the API.
var converterRules = []*engine.Rule{
	crds.Check(lint.Error, "conversion-webhook-removed", "conversion webhooks that are gone while versions differ", func(p *engine.Pass) {
		for _, c := range comparison(p).Changes {
			if c.Field == "spec.conversion.strategy" && c.Old == "Webhook" && !stays(p, c.Field) {
				webhookRemoved(p, c)
			}
		}
	}),
	crds.Check(lint.Error, "apply-version-field-new", "new fields and defaults that another version does not take, since nothing converts them", misfitsAdded),
}

// misfitsAdded reports fields, and defaults of fields, that are new and keep objects written at another version from being applied
// server-side. Those that were there as long as the versions are told of by apply-version-field.
func misfitsAdded(p *engine.Pass) {
	limit := func(m crds.Misfit) lint.Severity {
		return limitOf(p, m.Version, isStatus(m.Field.FieldPath()))
	}
	added := slices.DeleteFunc(crds.Misfits(p), func(m crds.Misfit) bool {
		was := fieldBefore(p, m)
		known := was != nil && (!m.Filled || was.Get("default") != nil && storageOf(p) == m.Version)
		return known || limit(m) == lint.Off
	})
	crds.ReportMisfits(p, added, func(f *engine.Finding, m crds.Misfit) {
		if f.AtMost(limit(m)); !m.Filled {
			f.AtMost(lint.Warning) // nothing fails unless somebody writes it
		}
		f.Field, f.Versions = m.Field.FieldPath(), []string{m.Version} // where the change is
		if was := fieldBefore(p, m); was != nil {
			p.Was(f, was.Place, "was here")
		}
	})
}

// fieldBefore is the field of a misfit on the old side; nil where it is new.
func fieldBefore(p *engine.Pass, m crds.Misfit) *crd.Schema {
	v := p.Old().CRD.VersionNamed(m.Version)
	if v == nil || v.Root() == nil {
		return nil
	}
	was, rest := p.Old().CRD.SchemaAt(v.Root().Path + strings.TrimPrefix(m.Field.Path, m.Field.Root().Path))
	if len(rest) > 0 {
		return nil
	}
	return was
}

// webhookRemoved reports a webhook that is gone, of every two versions that lose fields to each other without it.
func webhookRemoved(p *engine.Pass, c *compare.Change) {
	limit := limitOf(p, "", false)
	if limit == lint.Off {
		return
	}
	for _, pair := range crds.Unconverted(p) {
		has, lacks := pair[0], pair[1]
		lost := crds.FieldsLost(has.Root(), lacks.Root())
		if len(lost) == 0 && lacks.Served {
			has, lacks = lacks, has
			lost = crds.FieldsLost(has.Root(), lacks.Root())
		}
		if len(lost) == 0 {
			continue
		}
		f := p.Reportf(crd.Place{Node: c.Is().Node, Path: c.IsPath()},
			"without the conversion webhook, fields that %s has and %s lacks are pruned: %s; restore the webhook",
			text.Value(has.Name), text.Value(lacks.Name), text.Names(crds.Mapped(lost, (*crd.Schema).FieldPath))).AtMost(limit)
		f.Versions = []string{lacks.Name, has.Name}
		f.Old, f.New = c.Old, c.New
		f.PatchedBy = &crds.NoWebhook
		p.Was(f, c.Was(), "was here")
	}
}
