// Package audits has the rules about what a dump of a cluster says of its CRDs. Read this file first: how a rule is declared.
// conditions.go, versions.go, webhooks.go, names.go and differs.go have a topic each; what is said of a single object is in
// rules/internal/objects.
package audits

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Rules are all of them.
var Rules = slices.Concat([]*engine.Rule{condition}, versionRules, webhookRules, []*engine.Rule{nameAmbiguous, crdDiffers})

// rule makes a rule that looks at each CRD of a dump.
func rule(severity lint.Severity, id, summary string, look func(c *cluster, d *objects.Definition)) *engine.Rule {
	return &engine.Rule{ID: id, Summary: summary, Severity: severity, Object: &objectpass.Check{Audit: true, Samples: func(s *objectpass.SampleSet) {
		for _, d := range s.Definitions {
			look(&cluster{s}, d)
		}
	}}}
}

// A cluster is what the rules look at.
type cluster struct{ *objectpass.SampleSet }

// kind has the facts of the objects of a CRD.
func (c *cluster) kind(d *objects.Definition) *audit.Kind {
	return c.Facts.Of(d.Hub)
}

// reportf reports something at a path of a CRD, or at what is there of it, of at most a severity.
func (c *cluster) reportf(d *objects.Definition, at string, most lint.Severity, format string, args ...any) *engine.Finding {
	place, _ := d.Tree().Resolve(strings.Split(at, " "))
	if steps := crd.Steps(place.Path); len(steps) > 0 {
		above, _ := d.Tree().Resolve(steps[:len(steps)-1])
		if key, value := crd.Lookup(above.Node, steps[len(steps)-1]); key != nil && len(crd.Deref(value).Content) > 0 {
			place.Node = key
		}
	}
	f := c.ReportAtf(d, place, format, args...)
	if f != nil {
		f.AtMost(most)
	}
	return f
}

// named are the first objects of a tally, in words.
func named(t audit.Tally) string {
	var all []string
	for _, one := range t.First {
		name := one.ID()
		if len(one.Finalizers) > 0 {
			name += " (" + text.Verb(len(one.Finalizers), "finalizer ", "finalizers ") + text.And(one.Finalizers) + ")"
		}
		all = append(all, name)
	}
	if n := t.Count - len(t.First); n > 0 {
		all = append(all, text.Count(n, "other"))
	}
	return text.And(all)
}

// isUnread reports whether the dump says that something was not read.
func (c *cluster) isUnread(what string) bool {
	return slices.ContainsFunc(c.Facts.Missing(), func(u audit.Unread) bool { return u.What == what })
}
