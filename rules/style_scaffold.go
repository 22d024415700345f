package rules

import (
	"regexp"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

var scaffoldLeftover = &engine.Rule{
	ID:       "scaffold-leftover",
	Summary:  "descriptions that kubebuilder's scaffold left behind",
	Severity: lint.Info,
	Run:      leftovers,
}

// ofScaffold are sentences that nobody but the scaffold writes.
var ofScaffold = regexp.MustCompile(`(?i)INSERT ADDITIONAL (SPEC|STATUS) FIELDS?|Important: Run "(make|operator-sdk)[^"]*"|\bfoo is an example field of \w+`)

func leftovers(p *engine.Pass) {
	where := ""
	if g, ok := p.CRD.Generator(p.Document().Header()); ok {
		where = ", " + g.Advice()
	}
	for _, r := range scannedRoots(p) {
		var all []*engine.Finding
		for _, s := range r.all {
			scaffold, _ := yaml11.Text(s.Get("description"))
			scaffold = ofScaffold.FindString(strings.Join(strings.Fields(scaffold), " "))
			if scaffold != "" {
				all = append(all, p.Reportf(s.At("description"), "%s is described by a scaffold's text, %s; say what it is for%s",
					fieldName(s.Schema), text.Quoted(scaffold), where))
			}
		}
		engine.Together(all)
	}
}
