package audits

import (
	"cmp"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// crdDiffers is about CRDs that are both in the dump and among those that it is to be like.
var crdDiffers = rule(lint.Warning, "crd-differs", "CRDs of a cluster that are not what a repository has", func(c *cluster, d *objects.Definition) {
	shipped, err := c.shipped(d)
	if shipped == nil || err != nil {
		return
	}
	all, err := compare.CRDs(d.Tree().CRD, shipped.CRD)
	if err != nil {
		c.Facts.NotRead(d.Name, "crdlift cannot compare it: "+err.Error())
		return
	}
	ahead, behind := false, false
	var first *compare.Change
	n := 0
	for _, change := range all.Changes {
		if isOfCluster(change) {
			continue
		}
		n++
		first = cmp.Or(first, change)
		more := change.Kind == compare.Added || change.Effect == compare.Loosens
		less := change.Kind == compare.Removed || change.Effect == compare.Tightens
		ahead, behind = ahead || more || !less, behind || less || !more
	}
	if n == 0 {
		return
	}
	what, todo := "was changed, or has another release than", "apply the file, or correct it"
	switch {
	case ahead && !behind:
		what, todo = "is older than", "apply the file"
	case behind && !ahead:
		what, todo = "is newer than", "pass the CRDs of the release in the cluster"
	}
	c.reportf(d, "metadata name", lint.Warning, "the CRD in the cluster %s %s (%s, the first in %s); %s",
		what, text.Value(shipped.Document.File.Path), text.Count(n, "difference"), text.Path(first.Where()), todo)
})

// shipped is the CRD that one of the dump is to be like; nil for none.
func (c *cluster) shipped(d *objects.Definition) (*older.CRD, error) {
	for _, side := range c.Shipped {
		if found := side.Find(d.Name, d.Path, 0); found != nil {
			return found, side.Err()
		}
	}
	return nil, nil
}

// isOfCluster reports whether a change is one that each cluster has of its own, or that says nothing to a server.
func isOfCluster(c *compare.Change) bool {
	return c.FromKubernetes() || c.Field == "description" || strings.HasPrefix(c.Field, "spec.conversion.webhook.clientConfig")
}
