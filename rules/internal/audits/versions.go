package audits

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/version"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var versionRules = []*engine.Rule{
	rule(lint.Warning, "storage-migration", "CRDs with objects that may be stored at a version that is no longer the storage version", func(c *cluster, d *objects.Definition) {
		old := slices.DeleteFunc(slices.Clone(d.Hub.Status.StoredVersions), func(name string) bool { return name == d.Storage() })
		if len(old) == 0 {
			return
		}
		n, at := c.kind(d).Objects, "status storedVersions"
		switch {
		case n == 0 && !c.SkipObjects && c.Namespace == "" && !c.isUnread(d.Name):
			c.reportf(d, at, lint.Info, "no object of this dump can be stored at %s; remove it from status.storedVersions", text.And(old))
		default:
			c.reportf(d, at, lint.Error, "objects may still be stored at %s; write all of them at %s, then remove %[1]s from status.storedVersions",
				text.And(old), d.Storage())
		}
	}),
	rule(lint.Warning, "migration-failed", "CRDs whose objects a StorageVersionMigration has not migrated", func(c *cluster, d *objects.Definition) {
		for _, m := range c.Facts.Migrations {
			if !m.Failed || m.Resource.Group != d.Hub.Spec.Group || m.Resource.Resource != d.Hub.Spec.Names.Plural {
				continue
			}
			f := c.reportf(d, "metadata name", lint.Error, "the StorageVersionMigration %s failed (%s)", text.Value(m.Name), text.Value(m.Reason))
			gone := audit.Tally{}
			for _, w := range c.kind(d).SortedWriters() {
				if d.Version(w.Version) == nil {
					gone = *c.kind(d).Writers[w]
				}
			}
			switch {
			case f == nil:
			case gone.Count > 0:
				f.Add(fmt.Sprintf(": managedFields of %s name a removed version", named(gone)))
				f.Advise("clear them, then run the migration again")
			default:
				f.Advise("run the migration again")
			}
		}
	}),
	rule(lint.Warning, "version-writers", "managers of fields that write objects at an old version of a CRD", func(c *cluster, d *objects.Definition) {
		for _, w := range c.kind(d).SortedWriters() {
			v := d.Version(w.Version)
			if v == nil || !v.Served || v.Name == d.Storage() || !v.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, d.Storage()) > 0 {
				continue
			}
			most, which := lint.Info, "older than "+d.Storage()
			if v.Deprecated {
				most, which = lint.Warning, "deprecated"
			}
			i := slices.IndexFunc(d.Hub.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Name == w.Version })
			f := c.reportf(d, fmt.Sprintf("spec versions %d name", i), most, "%s wrote %s at %s, which is %s; run `crdlift migrate` on the manifests of %[1]s",
				text.Value(w.Manager), named(*c.kind(d).Writers[w]), v.Name, which)
			if f != nil {
				f.Versions = []string{v.Name}
			}
		}
	}),
}
