package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var Generated = []*engine.Rule{
	{
		ID:       "manifest-stale",
		AtSource: true,
		Summary:  "generated manifests that differ from the Go types in fields, descriptions or markers",
		Severity: lint.Warning,
		Idle:     withoutTypes,
		Run: func(p *engine.Pass) {
			if !isFreshOutput(p) {
				return
			}
			seen := map[string]bool{} // schemas: in v1beta1, versions may share one
			for _, v := range p.CRD.Versions() {
				if v.Root() == nil || seen[v.Schema.Path] {
					continue
				}
				seen[v.Schema.Path] = true
				stale, _ := differences(p, v)
				reportStale(p, stale)
			}
		},
	},

	{
		ID:       "marker-ignored",
		AtSource: true,
		FixesGo:  true,
		Summary:  "markers in Go types that controller-gen ignores because of their form or their place",
		Severity: lint.Warning,
		Idle:     withoutTypes,
		Run: func(p *engine.Pass) {
			if !isOutput(p) {
				return
			}
			seen := map[lint.Position]bool{} // versions may share types
			for _, v := range p.CRD.Versions() {
				if v.Root() == nil {
					continue
				}
				_, ignored := differences(p, v)
				for _, d := range ignored {
					lasts := v.Served || d.Why.Fault == marker.Refused // types that nobody uses any more stop controller-gen as well
					if lasts && !seen[d.Marker.Pos] && p.IsSource() {
						seen[d.Marker.Pos] = true
						reportIgnored(p, d)
					}
				}
			}
		},
	},

	{
		ID:        "copy-outdated",
		AboutFile: true,
		Summary:   "copies of CRDs that are older than their source",
		Severity:  lint.Info,
		Preset:    lint.All,
		Run: func(p *engine.Pass) {
			if as := p.AsOf(); as != "" {
				p.Reportf(crd.Place{Node: p.CRD.Node}, "this copy of the CRD is from commit %s; copy it again", as)
			}
		},
	},
}

func withoutTypes(_ *lint.Config, types bool) (why, todo string) {
	if !types {
		return "needs Go types, which are switched off", "set --go auto, which looks for them around each CRD"
	}
	return "", ""
}

// A compared is a version whose differences from its Go type are known.
type compared string

// differences are how a version differs from its Go type, and the markers that controller-gen ignores there. Most manifests
// are known to have none by reading little.
func differences(p *engine.Pass, v crd.APIVersion) (stale, ignored []drift.Difference) {
	all := engine.Memo(p, compared(v.Name), func() []drift.Difference {
		if p.GlanceAt(v.Name, func(kind *gotypes.Kind) bool { return len(drift.Find(p.CRD, v, kind)) == 0 }) {
			return nil
		}
		kind := p.GoType(v.Name)
		if kind == nil {
			return nil
		}
		return drift.Find(p.CRD, v, kind)
	})
	i := slices.IndexFunc(all, func(d drift.Difference) bool { return d.Reason == drift.Ignored })
	if i < 0 {
		return all, nil
	}
	return all[:i], all[i:]
}

// isFreshOutput reports whether a manifest is what controller-gen writes, as it writes it.
func isFreshOutput(p *engine.Pass) bool { return isOutput(p) && !isReprinted(p) }

// isOutput reports whether a manifest is what controller-gen writes, or a copy that is named like it.
// The generator gives each CRD a file and names it after group and plural; files with other names are put together by
// scripts.
func isOutput(p *engine.Pass) bool {
	if crd.StringAt(p.CRD.Node, "metadata", "annotations", "controller-gen.kubebuilder.io/version") == "" || !p.Unfinished() || p.Above() > 0 {
		return false
	}
	return p.FileName() == p.OutputName() && crd.StringAt(p.CRD.Node, "spec", "group") != ""
}

// isReprinted reports whether another program than the generator printed a manifest. The generator does not indent lists; yq
// does, and a script that runs it does so to take away what markers say.
func isReprinted(p *engine.Pass) bool {
	key, versions := crd.Lookup(crd.Get(p.CRD.Node, "spec"), "versions")
	return versions != nil && versions.Column > key.Column
}

// maxDifferences is how many differences a finding names; it counts the others.
const maxDifferences = 10

// reportStale reports the differences of a version, by the first. A copy is released at its own pace; whether a manifest is one is
// asked last, since that may take to look at the whole repository.
func reportStale(p *engine.Pass, all []drift.Difference) {
	if len(all) == 0 || !p.IsSource() {
		return
	}
	first := all[0]
	at := first.At
	if first.Reason == drift.Text {
		at = at.At("description")
	}
	more := text.Text{}
	if n := len(all) - 1; n > 0 {
		more = text.Sprintf(" (and %s)", text.Count(n, "more difference"))
	}
	f := p.Reportf(at, "%s%s; run controller-gen again", describe(first), more) // its origin has the place, and what to do
	if first.Reason == drift.Text {
		f.AtMost(lint.Info) // the fields are all there
	}
	f.Origin = p.OriginAt(first.Go, lint.StaleOrigin)
	for _, d := range all[1:min(len(all), maxDifferences)] {
		f.Related = append(f.Related, lint.Related{Pos: d.Go.Pos, Message: text.OneLine(describe(d).String())})
	}
}

// reportIgnored reports a marker of which controller-gen makes nothing. What was meant is known for one that is misspelt.
func reportIgnored(p *engine.Pass, d drift.Difference) {
	f := p.Reportf(d.At, "%s", d.Why.Sentence(d.Marker.Text, d.Go.Symbol))
	mark := origin.Corrected(d.Go, lint.Marker{Text: d.Marker.Text, Pos: d.Marker.Pos}, d.Why)
	f.Origin, f.Remedy = p.OriginAt(mark, lint.ExactOrigin), []lint.Change{} // the manifest is as it is to be
}

func describe(d drift.Difference) text.Text {
	path, symbol := text.Path(d.Path), text.Foreign(d.Go.Symbol)
	switch {
	case d.Reason == drift.Missing:
		return text.Sprintf("%s is missing: Go has %s", path, symbol)
	case d.Reason == drift.Extra:
		return text.Sprintf("%s is not in Go: %s lacks it", path, symbol)
	case d.Keyword == marker.Required:
		return text.Sprintf("%s is required, and %s is not", path, symbol)
	case d.Keyword == marker.Optional:
		return text.Sprintf("%s is not required, and %s is", path, symbol)
	case d.Reason == drift.Limit:
		return describeKeyword(d)
	case d.Path == "":
		return text.Sprintf("the description differs from %s", symbol)
	}
	return text.Sprintf("the description of %s differs from %s", path, symbol)
}

// describeKeyword says how a keyword differs from what markers say, with the values where they are known.
func describeKeyword(d drift.Difference) text.Text {
	name, symbol := text.Sprintf("%s", d.Keyword), text.Foreign(d.Go.Symbol)
	if d.Path != "" {
		name = text.Sprintf("%s of %s", d.Keyword, text.Path(d.Path))
	}
	switch {
	case d.Written == "" && d.Declared == "":
		return text.Sprintf("%s differs from %s", name, symbol)
	case d.Written == "":
		return text.Sprintf("%s is missing: %s says %s", name, symbol, text.Value(d.Declared))
	case d.Declared == "":
		return text.Sprintf("%s is %s, and %s has none", name, text.Value(d.Written), symbol)
	}
	return text.Sprintf("%s is %s, and %s says %s", name, text.Value(d.Written), symbol, text.Value(d.Declared))
}
