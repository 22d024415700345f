package rules

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

var (
	oneClass  = regexp.MustCompile(`^\[[^\]]+\][+*]?$`)
	manyKinds = regexp.MustCompile(`(?i)(image|path|ur[il])$`) // names of fields that hold more than words
)

var patternUnanchored = &engine.Rule{
	ID:       "pattern-unanchored",
	Summary:  "patterns that describe a whole value, but match a part of one",
	Severity: lint.Warning,
	Doc: `A pattern matches anywhere in a value unless ` + "`^` and `$`" + ` say otherwise, so that ` + "`[a-z0-9]+`" + ` accepts every value with one small
letter or digit in it. ` + "`^` and `$`" + ` bind closer than ` + "`|`" + `: ` + "`^Allow|Deny$`" + ` accepts what begins with Allow, and what ends with Deny.

The message has a value that is accepted and hardly meant to be. What plainly looks for a beginning (` + "`^https://`" + `), an end
(` + "`\\.yaml$`" + `), a word or one character of a kind (` + "`\\S`" + `) is not reported, nor a pattern beside which other keywords bound the value.

**What to do**: write ` + "`^`" + ` in front and ` + "`$`" + ` behind, and brackets around alternatives: ` + "`^(Allow|Deny)$`" + `. Objects that are stored
may break the new pattern; in a version that has users, look at them first.
With controller-gen: ` + "`+kubebuilder:validation:Pattern=`" + `, with the pattern in quotes or backquotes.

**When to ignore it**: when the pattern looks for a part on purpose; ` + "`.*`" + ` around it says so, and ends the warning.

**Source**: https://json-schema.org/draft-04/draft-fge-json-schema-validation-00#rfc.section.3.3 (patterns are not implicitly
anchored); validate.Pattern of k8s.io/kube-openapi.`,
	Run: func(p *engine.Pass) {
		eachSchema(p, forStrings, func(s walked) {
			pattern := crd.StringAt(s.Node, "pattern")
			if pattern == "" || s.typ != "string" && !s.Flag(intOrStringKey) || s.InJunctor() || s.keywords&(hasEnum|hasFormat|hasJunctor) != 0 {
				return
			}
			if oneClass.MatchString(pattern) && manyKinds.MatchString(s.Name) {
				return // an anchor would refuse what users write: the class has not all that such a value holds
			}
			witness, mixed := compare.Unanchored(pattern)
			if most, ok := number(s.Schema, "maxLength"); witness == "" || ok && float64(utf8.RuneCountInString(witness)) > most {
				return
			}
			if mixed {
				p.Reportf(s.At("pattern"), "the pattern of %s accepts %s: ^ and $ bind closer than |; put the alternatives in brackets: ^(...)$",
					fieldName(s.Schema), quoted(witness))
				return
			}
			missing := "^ in front"
			switch {
			case strings.HasSuffix(pattern, "$"):
			case strings.Contains(pattern, "|"): // to which ^ and $ bind closer
				missing = "^( in front and )$ behind"
			default:
				missing = "^ in front and $ behind"
			}
			p.Reportf(s.At("pattern"), "the pattern of %s matches any part of the value, so that it accepts %s; write %s",
				fieldName(s.Schema), quoted(witness), missing)
		})
	},
}
