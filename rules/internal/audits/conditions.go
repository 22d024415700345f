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
			if held := c.kind(d).Held; f != nil && w.kind == apiextensions.Terminating && held.Count > 0 {
				f.Add(": it waits for " + named(held))
			}
		}
	})
	r.Run = func(p *engine.Pass) {
		if hub := p.Hub(); hub != nil {
			for _, w := range wrong(hub) {
				place, _ := p.CRD.Resolve([]string{"status", "conditions", fmt.Sprint(w.index), "type"})
				p.Reportf(place, "%s", w.text).AtMost(w.most)
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
	most  lint.Severity
}

func (w wrongness) path() string { return fmt.Sprintf("status conditions %d type", w.index) }

// saying has a condition that is of a status when something is wrong, and what that means. That of the first counts where a CRD is
// not served for both.
var saying = []struct {
	kind    apiextensions.CustomResourceDefinitionConditionType
	status  apiextensions.ConditionStatus
	meaning string
	most    lint.Severity
}{
	{apiextensions.NamesAccepted, apiextensions.ConditionFalse, "not served, as not all of its names are accepted", lint.Error},
	{apiextensions.Established, apiextensions.ConditionFalse, "not served, as it is not established", lint.Error},
	{apiextensions.Terminating, apiextensions.ConditionTrue, "being deleted, so that no object can be created", lint.Error},
	{apiextensions.NonStructuralSchema, apiextensions.ConditionTrue, "not pruned and not defaulted, as its schema is not structural", lint.Warning},
	{apiextensions.KubernetesAPIApprovalPolicyConformant, apiextensions.ConditionFalse, "in a group of Kubernetes without an approval", lint.Warning},
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
			said := text.Sprintf("the CRD is %s", s.meaning)
			if c.Type != apiextensions.Terminating {
				said = text.Sprintf("%s: %s", said, text.Reason(c.Message))
			}
			all = append(all, wrongness{i, c.Type, said, s.most})
		}
	}
	return all
}
