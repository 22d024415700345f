package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var _ = topic("lifecycle", "Lifecycle: what changed",
	slices.Concat(versionRules, fieldRules, constraintRules, clientRules, converterRules)...)

const versioningDocs = `"Versions in CustomResourceDefinitions",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/`

// versionRules are about the identity of a CRD, and about versions that come and go.
var versionRules = []*engine.Rule{
	{
		ID:       "immutable-field-changed",
		Summary:  "changes of what can never change",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `The API server refuses to update a CustomResourceDefinition whose group, plural name, kind or scope is another one:
the objects that exist are stored under them. Whoever applies the manifest to a cluster that has the CRD gets an error;
only a new cluster takes it.

**What to do**: put the old value back. For another kind or scope, make a CRD of another name (another plural or group),
and move the objects over.

**When to ignore it**: the CRD was never released.

**Source**: validateCustomResourceDefinitionSpecUpdate and ValidateObjectMetaUpdate of k8s.io/apiextensions-apiserver
v0.37.2; kind and scope are immutable once the CRD is Established.`,
		Run: func(p *engine.Pass) {
			p.EachUpdateRefusal(func(p *engine.Pass, r engine.Refusal) {
				from := text.Sprintf("")
				for _, c := range comparison(p).Changes {
					if c.Field == r.Field {
						from = text.Sprintf(" from %s", valueOf(c.Old))
					}
				}
				f := p.Reportf(r.At, "%s changed%s to %s; the API server rejects that for a CRD that exists",
					strings.TrimPrefix(r.Field, "spec."), from, quoted(r.BadValue))
				if at := p.Old().CRD.Locate(r.Field); at.Node != nil {
					p.Was(f, at, "was here")
				}
			})
		},
	},
	{
		ID:       "stored-version-removed",
		Summary:  "versions that are removed while objects are stored in them",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Objects stay stored in the version they were written in. The API server refuses to drop a version that is still in
status.storedVersions, since nobody could read those objects any more. Where the old CRD comes from a file and has no
status, its storage version counts as stored.

**What to do**: keep the version with ` + "`served: false`" + `. Rewrite all objects in the new storage version (the storage version
migrator does, and so does reading and writing each), remove the old version from status.storedVersions, and only then
from the manifest.

**When to ignore it**: the CRD was never released, or every cluster that has it was migrated.

**Source**: ValidateCustomResourceDefinitionStoredVersions of k8s.io/apiextensions-apiserver; ` + versioningDocs + `.`,
		Run: func(p *engine.Pass) {
			p.EachUpdateRefusal(func(p *engine.Pass, r engine.Refusal) {
				f := p.Reportf(r.At, "%s was removed while objects are stored in it", r.BadValue).
					Advise("keep it with served: false until they are migrated")
				f.At.Path = crd.Under("spec.versions", fmt.Sprint(r.BadValue)) // each of its own, though no node is left
				for _, v := range p.Old().CRD.Versions() {
					if v.Name == fmt.Sprint(r.BadValue) {
						p.Was(f, v.At, "was here")
					}
				}
			})
		},
	},
	{
		ID:       "version-removed",
		Summary:  "versions that are removed though they were served",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Clients and manifests that use the version get 404 at once, and have had no release in which to notice. The API
server lets it happen as long as no objects are stored in the version.

**What to do**: deprecate the version (` + "`deprecated: true`" + ` makes kubectl warn), then stop serving it (` + "`served: false`" + `) in one
release, and remove it in a later one. A version that is not served can be served again if somebody still needs it.

**When to ignore it**: the CRD was never released, or the version is known to be unused.

**Source**: ` + versioningDocs + `, "Upgrade existing objects to a new stored version"; the Kubernetes deprecation policy,
https://kubernetes.io/docs/reference/using-api/deprecation-policy/.`,
		Run: func(p *engine.Pass) {
			var all []*remark
			for _, c := range versionChanges(p, "versions") {
				if c.Kind == compare.Removed && oldVersion(p, c.Item).Served && !storedAndGone(p, c.Item) {
					all = append(all, say(lint.Error, "%s was removed while it was served", c.Item).advise("set served: false for a release first").about(c))
				}
			}
			remarks(p, all)
		},
	},
	{
		ID:       "version-unserved",
		Summary:  "versions that are no longer served",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `Clients and manifests that use the version get 404. This is the right step before a version is removed, and it
breaks whoever still uses it.

**What to do**: deprecate the version first and give users a release or more. Say in the release notes which version
replaces it. Of a version that the older manifest already deprecates, it is reported as info: that is what the release notes
need.

**When to ignore it**: when the time has come.

**Source**: ` + versioningDocs + `.`,
		Run: func(p *engine.Pass) {
			var all []*remark
			for _, c := range versionChanges(p, "served") {
				switch {
				case c.Old != true || newVersion(p, c.Version) == nil:
				case oldVersion(p, c.Version).Deprecated:
					all = append(all, say(lint.Info, "%s is no longer served; clients that use it get 404", c.Version).about(c))
				default:
					all = append(all, say(lint.Warning, "%s is no longer served; clients that use it get 404; it was never deprecated", c.Version).about(c))
				}
			}
			remarks(p, all)
		},
	},
	{
		ID:       "new-version-is-storage",
		Summary:  "versions that are new and the storage version in one step",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `Once the first object is stored in a version, the CRD cannot go back to a manifest without that version: the API
server refuses to drop it, and servers and controllers of the release before do not know it. A rollback is then not
possible any more.

**What to do**: add the version with ` + "`storage: false`" + ` in one release, and make it the storage version in a later one, when
nobody rolls back behind the first.

**When to ignore it**: the CRD was never released, or releases are never rolled back.

**Source**: "Changing the API", https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api_changes.md;
` + versioningDocs + `.`,
		Run: func(p *engine.Pass) {
			for _, v := range comparison(p).New.Spec.Versions {
				limit := limitOf(p, v.Name, false)
				if old := oldVersion(p, v.Name); !v.Storage || old != nil || storageOf(p) == "" || limit == lint.Off {
					continue
				}
				f := p.Reportf(newPlace(p, v.Name, "storage"), "%s is new and already the storage version; a rollback to a release without it fails", v.Name).AtMost(limit)
				f.Old, f.New = storageOf(p), v.Name
				p.Was(f, oldPlace(p, storageOf(p), "storage"), "the storage version was "+storageOf(p))
			}
		},
	},
	{
		ID:       "storage-version-changed",
		Summary:  "another storage version",
		Severity: lint.Info,
		NeedsOld: true,
		Doc: `Objects that exist stay stored in the old version until they are written again. Nothing does that by itself, and as
long as status.storedVersions has the old version, it cannot be removed.

**What to do**: after the rollout rewrite all objects, for instance with the storage version migrator, and remove the old
version from status.storedVersions. ` + "`crdlift plan`" + ` prints the steps.

**When to ignore it**: when the migration is planned.

**Source**: ` + versioningDocs + `, "Upgrade existing objects to a new stored version".`,
		Run: func(p *engine.Pass) {
			was := storageOf(p)
			for _, v := range comparison(p).New.Spec.Versions {
				limit := limitOf(p, v.Name, false)
				if !v.Storage || v.Name == was || was == "" || oldVersion(p, v.Name) == nil || limit == lint.Off {
					continue
				}
				f := p.Reportf(newPlace(p, v.Name, "storage"), "the storage version changed from %s to %s", was, v.Name).AtMost(limit).
					Advise("migrate stored objects, then remove " + was + " from status.storedVersions")
				f.Old, f.New = was, v.Name
				p.Was(f, oldPlace(p, was, "storage"), "was here")
			}
		},
	},
}
