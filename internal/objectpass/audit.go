package objectpass

import (
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
)

// An Audit is what a run over a dump of a cluster asks besides what becomes of requests.
type Audit struct {
	Now         time.Time     // by which certificates expire
	Shipped     []*older.Side // CRDs that those of the cluster are to be like, where they have one of the name
	Groups      []string      // of the CRDs that are looked at; none for all
	Namespace   string        // whose objects are looked at; "" for all
	SkipObjects bool          // look at CRDs alone

	Facts *audit.Facts          // of the dump; nil before Report
	CRDs  []*objects.Definition // that were looked at, in the order of the dump; nil before Report
}

// A HeldAudit is an Audit behind the exported type of a public package, whose users cannot name this one.
type HeldAudit struct{ audit *Audit }

// Hold holds it.
func (a *Audit) Hold() *HeldAudit { return &HeldAudit{a} }

// Audit is the one that is held.
func (h *HeldAudit) Audit() *Audit { return h.audit }

// sees reports whether the run looks at CRDs of a group, and at their objects.
func (a *Audit) sees(group string) bool {
	return len(a.Groups) == 0 || slices.Contains(a.Groups, group)
}

// note notes the facts of an object, and reports whether there is nothing else to look at.
func (j *judge) note(o *objects.Object) (done bool) {
	a := j.objects.Audit
	if a == nil {
		return false
	}
	if j.facts == nil {
		j.facts = &audit.Facts{}
	}
	tree := func() request.Object {
		tree, _, _ := o.Tree() // what cannot be read states nothing
		return tree
	}
	shown := func(name string) string {
		if j.discretion.anonymous {
			return mask.Hash(name)
		}
		return name
	}
	if j.facts.Other(o.APIVersion(), o.Kind, tree, shown) {
		return true
	}
	if len(j.objects.Catalogue.Of(o.Group, o.Kind, j.out.Path)) == 0 {
		return false
	}
	if a.SkipObjects || !a.sees(o.Group) || a.Namespace != "" && o.Namespace != a.Namespace {
		return true
	}
	j.facts.Custom(schema.GroupKind{Group: o.Group, Kind: o.Kind}, tree(), j.discretion.identity(o))
	return false
}

// Audit is what the run asks of a dump; nil in any other run.
func (p *Pass) Audit() *Audit { return p.objects.Audit }

// DefinitionOf is the CRD of a kind; nil where the run has none.
func (p *Pass) DefinitionOf(of schema.GroupKind) *objects.Definition {
	if all := p.objects.Catalogue.Of(of.Group, of.Kind, p.out.Path); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Holding are the causes why a server rejects a write that takes the finalizers of an object that is being deleted away and changes
// nothing else; none for any other object. What must not be shown is hidden in them.
func (p *Pass) Holding() []request.Cause {
	metadata, _ := p.tree["metadata"].(map[string]any)
	if metadata["deletionTimestamp"] == nil || len(audit.Finalizers(p.tree)) == 0 {
		return nil
	}
	server, _ := p.Definition().Server() // there is one: the object is judged
	v := server.Version(p.version)
	was, err := v.Serve(p.tree)
	if err != nil {
		return nil
	}
	free := maps.Clone(was)
	metadata = maps.Clone(metadata)
	delete(metadata, "finalizers")
	free["metadata"] = metadata
	outcome := v.Update(free, was, request.ToRelease(p.linter.Configuration().KubernetesVersion.Minor))
	p.mask.Outcome(outcome)
	return outcome.Causes
}
