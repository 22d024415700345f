package crds

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var Generated = []*engine.Rule{
	idle(withoutTypes, Check(lint.Warning, "manifest-stale", "generated manifests whose fields, descriptions or markers are not those of the Go types",
		func(p *engine.Pass) {
			if !isFreshOutput(p) {
				return
			}
			seen := map[string]bool{} // schemas: in v1beta1, versions may share one
			for _, v := range p.CRD.Versions() {
				if v.Root() == nil || seen[v.Schema.Path] {
					continue
				}
				seen[v.Schema.Path] = true
				fresh := func(kind *gotypes.Kind) bool { return len(drift.Find(p.CRD, v, kind)) == 0 }
				if p.GlanceAt(v.Name, fresh) {
					continue
				}
				if kind := p.GoType(v.Name); kind != nil {
					reportStale(p, drift.Find(p.CRD, v, kind))
				}
			}
		})),
}

func withoutTypes(_ *lint.Config, types bool) (why, todo string) {
	if !types {
		return "compares with Go types, which are switched off", "--go auto looks for them around each CRD."
	}
	return "", ""
}

// isFreshOutput reports whether a manifest is what controller-gen writes into the folder that it is told, and not a copy.
// The generator gives each CRD a file and names it after group and plural; files with other names are put together by
// scripts, and charts are released at their own pace.
func isFreshOutput(p *engine.Pass) bool {
	if crd.StringAt(p.CRD.Node, "metadata", "annotations", "controller-gen.kubebuilder.io/version") == "" || !p.Unfinished() || p.Above() > 0 {
		return false
	}
	if isReprinted(p) {
		return false
	}
	return p.FileName() == p.OutputName() && crd.StringAt(p.CRD.Node, "spec", "group") != "" && !p.InChart() && !p.IsCopy()
}

// isReprinted reports whether another program than the generator printed a manifest. The generator does not indent lists; yq
// does, and a script that runs it does so to take away what markers say.
func isReprinted(p *engine.Pass) bool {
	key, versions := crd.Lookup(crd.Get(p.CRD.Node, "spec"), "versions")
	return versions != nil && versions.Column > key.Column
}

// maxDifferences is how many differences a finding names; it counts the others.
const maxDifferences = 10

// reportStale reports the differences of a version, by the first.
func reportStale(p *engine.Pass, all []drift.Difference) {
	if len(all) == 0 {
		return
	}
	first := all[0]
	at := first.At
	if first.Reason == drift.Text {
		at = at.At("description")
	}
	more := text.Text{}
	if n := len(all) - 1; n > 0 {
		more = text.Sprintf(", and %s", text.Count(n, "more difference"))
	}
	f := p.Reportf(at, "%s%s", describe(first), more) // its origin has the place, and what to do
	if first.Reason == drift.Text {
		f.AtMost(lint.Info) // the fields are all there
	}
	f.Origin = p.OriginAt(first.Go, lint.StaleOrigin)
	for _, d := range all[1:min(len(all), maxDifferences)] {
		f.Related = append(f.Related, lint.Related{Pos: d.Go.Pos, Message: text.OneLine(describe(d).String())})
	}
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
		return text.Sprintf("the description is not that of %s", symbol)
	}
	return text.Sprintf("the description of %s is not that of %s", path, symbol)
}

// describeKeyword says how a keyword differs from what markers say, with the values where they are known.
func describeKeyword(d drift.Difference) text.Text {
	name, symbol := text.Sprintf("%s", d.Keyword), text.Foreign(d.Go.Symbol)
	if d.Path != "" {
		name = text.Sprintf("%s of %s", d.Keyword, text.Path(d.Path))
	}
	switch {
	case d.Written == "" && d.Declared == "":
		return text.Sprintf("%s is not that of %s", name, symbol)
	case d.Written == "":
		return text.Sprintf("%s is missing: %s says %s", name, symbol, text.Value(d.Declared))
	case d.Declared == "":
		return text.Sprintf("%s is %s, and %s has none", name, text.Value(d.Written), symbol)
	}
	return text.Sprintf("%s is %s, and %s says %s", name, text.Value(d.Written), symbol, text.Value(d.Declared))
}
