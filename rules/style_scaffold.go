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
	Doc: `kubebuilder and the Operator SDK start a new API with an example field and with comments for its author. Whatever comment
stands above a Go field becomes its description, so that users read "INSERT ADDITIONAL SPEC FIELDS" or
"Important: Run "make"" in ` + "`kubectl explain`" + ` and in generated documents.

**What to do**: replace the comment above the field in its Go type by what users should know, remove the example field
if nobody uses it, and generate the manifest anew. A line of the scaffold that stays for authors needs an empty line
between it and the field's own comment.

**When to ignore it**: when the API is an example itself.

**Source**: https://github.com/kubernetes-sigs/kubebuilder, the scaffold of api/*_types.go.`,
	Run: leftovers,
}

// ofScaffold are sentences that nobody but the scaffold writes.
var ofScaffold = regexp.MustCompile(`(?i)INSERT ADDITIONAL (SPEC|STATUS) FIELDS?|Important: Run "(make|operator-sdk)[^"]*"|\bfoo is an example field of \w+`)

func leftovers(p *engine.Pass) {
	where := ""
	if g, ok := p.CRD.Generator(p.Document().Header()); ok {
		where = ", " + g.Advice()
	}
	for _, r := range roots(p) {
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
