package objects

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
)

// Audit are the rules about custom resources of a cluster.
var Audit = []*engine.Rule{
	rule(lint.Error, objectStuck, "custom resources that are being deleted, and rejected when their finalizers are removed",
		objectpass.Check{Audit: true, Run: func(p *objectpass.Pass) {
			for _, c := range p.Holding() {
				explainRefusal(p, upgrade.Effect{Cause: &c, Version: p.Object.Version}, "the finalizers of this object cannot be removed: ",
					"and remove the finalizers in one patch")
			}
		}}),
	rule(lint.Warning, "owner-version", "references to owners at a version that is not served, which garbage collectors cannot follow",
		objectpass.Check{Audit: true, Run: func(p *objectpass.Pass) {
			all, _ := request.Keys("metadata", "ownerReferences").In(p.Tree())
			list, _ := all.([]any)
			for i, one := range list {
				reference, _ := one.(map[string]any)
				apiVersion, _ := reference["apiVersion"].(string)
				kind, _ := reference["kind"].(string)
				gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
				d := p.DefinitionOf(gvk.GroupKind())
				if d == nil {
					continue
				}
				if v := d.Version(gvk.Version); v == nil || !v.Served {
					p.Reportf(request.Path{request.Key("metadata"), request.Key("ownerReferences"), request.Index(i), request.Key("apiVersion")},
						"the owner reference names %s, which is not served, so the object outlives its %s; name a served version", gvk.Version, kind)
				}
			}
		}}),
}

// objectStuck tells what the rules about rejections would tell of an object that cannot go.
const objectStuck = "object-stuck"

// behindStuck makes rules silent where that rule tells the same.
func behindStuck(all []*engine.Rule) []*engine.Rule {
	for _, r := range all {
		r.Follows = append(r.Follows, objectStuck)
	}
	return all
}

// managedUnserved reports the managers that wrote at versions which the CRD still has and does not serve.
func managedUnserved(p *objectpass.Pass) {
	if p.Audit() == nil {
		return
	}
	entries, _ := request.Keys("metadata", "managedFields").In(p.Tree())
	list, _ := entries.([]any)
	var told []string
	for i, e := range list {
		entry, _ := e.(map[string]any)
		apiVersion, _ := entry["apiVersion"].(string)
		gv, _ := schema.ParseGroupVersion(apiVersion)
		if v := p.Definition().Version(gv.Version); v == nil || v.Served || slices.Contains(told, gv.Version) {
			continue
		}
		told = append(told, gv.Version)
		f := p.Reportf(request.Path{request.Key("metadata"), request.Key("managedFields"), request.Index(i), request.Key("apiVersion")},
			"server-side apply fails once %s is removed; rewrite managedFields first", gv.Version)
		f.Add(fmt.Sprintf(": %s wrote at it", managersAt(p, apiVersion)))
		rewriteManaged(p, f)
		f.AtMost(lint.Warning)
	}
}
