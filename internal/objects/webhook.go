package objects

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// mutatingKind is what registers webhooks that change objects.
const mutatingKind = "MutatingWebhookConfiguration"

// A Webhook may change objects before they are validated: the handler of a create calls mutating admission, and only then
// registry.Store.Create, which validates (createHandler of k8s.io/apiserver/pkg/endpoints/handlers). Decoding comes before: what is
// not declared is pruned or, by strict decoding, rejected whatever a webhook does.
type Webhook struct {
	Name string // "" where a template makes it
	At   lint.Position

	rules []webhookRule
	exact bool // it does not see a request that is made in another version of the resource
}

type webhookRule struct{ groups, versions, operations, resources []string }

// Webhooks are the mutating webhooks that a file registers. One without rules would never be called: its program writes them when
// it starts, for the kinds that it has (reconcileMutatingWebhook of knative.dev/pkg/webhook/resourcesemantics/defaulting), and may
// see all.
func Webhooks(path, label string, src []byte) (all []*Webhook) {
	if !bytes.Contains(text.WithoutNULs(src), []byte(mutatingKind)) {
		return nil
	}
	for _, d := range manifest.Open(path, label, src).Documents() {
		if d = d.Parsed(); d.Err != nil {
			continue
		}
		found, _ := Find(d.Root.YNode())
		for _, o := range found {
			if o.Kind == mutatingKind && o.Group == "admissionregistration.k8s.io" {
				for _, n := range crd.Items(crd.Get(o.Node, "webhooks")) {
					all = append(all, webhookOf(d, crd.Deref(n)))
				}
			}
		}
	}
	return all
}

func webhookOf(d *manifest.Document, n *yaml.Node) *Webhook {
	start, end, _ := d.Span(crd.FirstKey(n))
	w := &Webhook{Name: crd.StringAt(n, "name"), At: d.File.Range(start, end), exact: crd.StringAt(n, "matchPolicy") == "Exact"}
	if d.File.Mask.Mentions(w.Name) {
		w.Name = ""
	}
	for _, rule := range crd.Items(crd.Get(n, "rules")) {
		all := func(key string) []string { return crd.Strings(crd.Get(rule, key)) }
		w.rules = append(w.rules, webhookRule{all("apiGroups"), all("apiVersions"), all("operations"), all("resources")})
	}
	if crd.Get(n, "rules") == nil && crd.Get(n, "sideEffects") != nil { // which is required: it is a whole one, and not a patch
		any := []string{"*"}
		w.rules = []webhookRule{{any, any, any, any}}
	}
	return w
}

// Sees reports whether the webhook is called for an operation on objects of a version of a CRD, as Matcher of
// k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules and ShouldCallHook of webhook/generic have it. Its selectors and
// conditions are not asked: they may let it be called.
func (w *Webhook) Sees(d *Definition, version, operation string) bool {
	versions := []string{version}
	if !w.exact {
		versions = d.served()
	}
	has := func(all []string, one ...string) bool {
		return slices.Contains(all, "*") || slices.ContainsFunc(one, func(s string) bool { return slices.Contains(all, s) })
	}
	return slices.ContainsFunc(w.rules, func(r webhookRule) bool {
		return has(r.groups, d.Hub.Spec.Group) && has(r.versions, versions...) && has(r.operations, strings.ToUpper(operation)) &&
			has(r.resources, d.Hub.Spec.Names.Plural, "*/*")
	})
}
