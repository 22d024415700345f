package objects

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// managedRules are about what metadata.managedFields keep from being applied server-side: each entry names the version that a manager
// wrote at, and an apply reads the object at each of them (reconcileManagedFieldsWithSchemaChanges of
// k8s.io/apimachinery/pkg/util/managedfields/internal).
var managedRules = []*engine.Rule{
	rule(lint.Error, "managed-fields-gone", "custom resources that can never be applied server-side again, as fields were written at a version that is gone",
		objectpass.Check{Both: true, Run: func(p *objectpass.Pass) {
			eachRefusedOwner(p, func(c *request.Cause) bool { return isGone(p, c) }, func(e upgrade.Effect, causes []*request.Cause) {
				f := p.Reportf(causes[0].Path, "server-side apply always fails with 500")
				f.Add(fmt.Sprintf(": %s wrote at %s, which is gone", managersAt(p, e.Cause.Detail), path.Base(e.Cause.Detail)))
				f.Relate(p.Definition().Where(), "the CRD is here")
				rewriteManaged(p, f)
			})
		}}),
	rule(lint.Error, "managed-fields-old", "custom resources that cannot be applied server-side, as fields were written at a version that they do not fit",
		objectpass.Check{Both: true, Run: func(p *objectpass.Pass) {
			eachRefusedOwner(p, func(c *request.Cause) bool { return !isGone(p, c) }, func(e upgrade.Effect, causes []*request.Cause) {
				f := p.Reportf(causes[0].Path, "server-side apply at %s fails with 500", e.Version)
				if at := e.Cause.Detail; at == "" || path.Base(at) == e.Version {
					f.Add(": the versions at which fields were written do not fit " + e.Version)
				} else {
					f.Add(fmt.Sprintf(": %s wrote at %s, which does not accept %s", managersAt(p, at), path.Base(at), causes[0].Path))
				}
				if n := len(causes) - 1; n > 0 {
					f.Add(fmt.Sprintf(" (and %d more)", n))
				}
				rewriteManaged(p, f)
				if e.Later { // who applies it goes on at another version
					f.AtMost(lint.Warning)
				}
			})
			managedUnserved(p)
		}}),
	rule(lint.Info, "apply-managed-fields-absent", "custom resources of a cluster without managedFields, so that crdlift cannot check whether server-side apply works",
		objectpass.Check{Both: true, OncePerMessage: true, Run: func(p *objectpass.Pass) {
			if _, there := request.Keys("metadata", "managedFields").In(p.Tree()); !there && len(p.VersionsApart()) > 1 {
				p.Reportf(apiVersionPath, "kubectl hides managedFields, so crdlift does not know whether server-side apply still works; add --show-managed-fields to kubectl get")
			}
		}}),
}

// eachManaged makes the function of a rule about effects of one class, in runs of either kind.
func eachManaged(class upgrade.Class, tell func(*objectpass.Pass, upgrade.Effect)) func(*objectpass.Pass) {
	return func(p *objectpass.Pass) {
		for _, e := range p.Managed() {
			if e.Class == class {
				tell(p, e)
			}
		}
	}
}

// eachRefusedOwner visits the versions of fields that an apply fails for, with the first effect and the causes of each.
func eachRefusedOwner(p *objectpass.Pass, of func(*request.Cause) bool, tell func(upgrade.Effect, []*request.Cause)) {
	var first []upgrade.Effect
	causes := map[string][]*request.Cause{}
	eachManaged(upgrade.Unappliable, func(p *objectpass.Pass, e upgrade.Effect) {
		if !of(e.Cause) {
			return
		}
		if causes[e.Cause.Detail] == nil {
			first = append(first, e)
		}
		causes[e.Cause.Detail] = append(causes[e.Cause.Detail], e.Cause)
	})(p)
	for _, e := range first {
		tell(e, causes[e.Cause.Detail])
	}
}

// isGone reports whether a cause is that of an entry whose version the CRD does not have.
func isGone(p *objectpass.Pass, c *request.Cause) bool {
	return strings.HasPrefix(c.Path.String(), "metadata.managedFields[") &&
		!slices.ContainsFunc(p.Definition().Hub.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool {
			return p.Object.Group+"/"+v.Name == c.Detail
		})
}

// managersAt names who wrote fields at a version: "flux (Apply), ctl (Update of status, 2026-01-01)". That is no value of
// the object, and who has to know it.
func managersAt(p *objectpass.Pass, apiVersion string) string {
	entries, _ := request.Keys("metadata", "managedFields").In(p.Tree())
	list, _ := entries.([]any)
	var who []string
	for _, e := range list {
		entry, _ := e.(map[string]any)
		if entry["apiVersion"] != apiVersion {
			continue
		}
		how, _ := entry["operation"].(string)
		if subresource, _ := entry["subresource"].(string); subresource != "" {
			how += " of " + subresource
		}
		if at, _ := entry["time"].(string); at != "" {
			how += ", " + at[:min(len(at), len(time.DateOnly))]
		}
		manager, _ := entry["manager"].(string)
		who = append(who, fmt.Sprintf("%s (%s)", manager, how))
	}
	return text.And(who)
}

// rewriteManaged says what helps.
func rewriteManaged(p *objectpass.Pass, f *engine.Finding) {
	f.Advise(fmt.Sprintf("rewrite managedFields to %s", p.Definition().Storage()))
}
