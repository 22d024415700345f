package audits

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// condition is about what a server says of a CRD in its status: in a dump that is audited, and in any manifest that has a status.
var condition = func() *engine.Rule {
	r := rule(lint.Error, "crd-condition", "CRDs whose status reports a problem", func(c *cluster, d *objects.Definition) {
		for _, w := range wrong(d.Hub) {
			f := c.reportf(d, w.path(), w.most, "%s", w.text)
			if f == nil {
				continue
			}
			if held := c.kind(d).Held; w.kind == apiextensions.Terminating && held.Count > 0 {
				f.Add(": it waits for " + named(held))
				w.todo = "remove the finalizers"
			}
			f.Advise(w.todo)
		}
	})
	r.Run = func(p *engine.Pass) {
		if hub := p.Hub(); hub != nil {
			for _, w := range wrong(hub) {
				place, _ := p.CRD.Resolve([]string{"status", "conditions", fmt.Sprint(w.index), "type"})
				p.Reportf(place, "%s", w.text).Advise(w.todo).AtMost(w.most)
			}
		}
	}
	return r
}()

// A wrongness is a condition that says something is wrong.
type wrongness struct {
	index int // among the conditions
	kind  apiextensions.CustomResourceDefinitionConditionType
	text  text.Text
	todo  string
	most  lint.Severity
}

func (w wrongness) path() string { return fmt.Sprintf("status conditions %d type", w.index) }

// saying has a condition that is of a status when something is wrong, and what that means. That of the first counts where a CRD is
// not served for both.
var saying = []struct {
	kind    apiextensions.CustomResourceDefinitionConditionType
	status  apiextensions.ConditionStatus
	meaning string
	advice  string // which follows the server's words
	most    lint.Severity
}{
	{apiextensions.NamesAccepted, apiextensions.ConditionFalse, "the CRD is not served, because not all of its names are accepted", "choose other names", lint.Error},
	{apiextensions.Established, apiextensions.ConditionFalse, "the CRD is not served, because it is not established", "correct the CRD if this lasts longer than a minute", lint.Error},
	{apiextensions.Terminating, apiextensions.ConditionTrue, "the CRD is being deleted, so no object can be created", "wait until it is gone", lint.Error},
	{apiextensions.NonStructuralSchema, apiextensions.ConditionTrue, "objects are neither pruned nor defaulted, because the schema of the CRD is not structural", "correct the schema", lint.Warning},
	{apiextensions.KubernetesAPIApprovalPolicyConformant, apiextensions.ConditionFalse, "the group of the CRD is reserved for Kubernetes, and the CRD has no approval", "use a group of your own", lint.Warning},
}

// wrong are the conditions of a CRD that say something is wrong, in the server's words as well.
func wrong(hub *apiextensions.CustomResourceDefinition) (all []wrongness) {
	unserved := false
	for _, s := range saying {
		for i, c := range hub.Status.Conditions {
			if c.Type != s.kind || c.Status != s.status || c.Type == apiextensions.Established && unserved {
				continue
			}
			unserved = unserved || c.Type == apiextensions.NamesAccepted
			said := text.Sprintf("%s", s.meaning)
			if c.Type != apiextensions.Terminating {
				said = text.Sprintf("%s (%s)", s.meaning, text.Reason(c.Message))
			}
			all = append(all, wrongness{i, c.Type, said, s.advice, s.most})
		}
	}
	return all
}
