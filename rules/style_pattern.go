package rules

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var (
	oneClass  = regexp.MustCompile(`^\[[^\]]+\][+*]?$`)
	manyKinds = regexp.MustCompile(`(?i)(image|path|ur[il])$`) // text.Names of fields that hold more than words
)

var patternUnanchored = &engine.Rule{
	ID:       "pattern-unanchored",
	Summary:  "patterns that describe a whole value, but match a part of one",
	Severity: lint.Warning,
	Run: func(p *engine.Pass) {
		eachSchema(p, forStrings, func(s scannedSchema) {
			pattern := crd.StringAt(s.Node, "pattern")
			if pattern == "" || s.typ != "string" && !s.Flag(intOrStringKey) || s.InJunctor() || s.keywords&(hasEnum|hasFormat|hasJunctor) != 0 {
				return
			}
			if oneClass.MatchString(pattern) && manyKinds.MatchString(s.Name) {
				return // an anchor would refuse what users write: the class has not all that such a value holds
			}
			witness, mixed := compare.Unanchored(pattern)
			if most, ok := numberAt(s.Schema, "maxLength"); witness == "" || ok && float64(utf8.RuneCountInString(witness)) > most {
				return
			}
			if mixed {
				p.Reportf(s.At("pattern"), "the pattern of %s accepts %s: ^ and $ bind closer than |; put the alternatives in brackets: ^(...)$",
					fieldName(s.Schema), text.Quoted(witness))
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
				fieldName(s.Schema), text.Quoted(witness), missing)
		})
	},
}
