package cli

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// madeOf names the files to lint in place of a template.
func madeOf(language string) string {
	if language == "Helm" {
		return "the output of 'helm template'"
	}
	return "its output"
}

// maxTemplates is how many templates are named where somebody watches: a log may be searched, a terminal scrolls away.
const maxTemplates = 10

// nameTemplates names the templates with CRDs in them that were passed over. The others hold nothing that would be linted;
// the summary counts them all.
func (r *lintRun) nameTemplates(all []lint.Template) {
	named, left := 0, 0
	for _, t := range all {
		switch {
		case !t.CRDs:
		case named == maxTemplates && isTerminal(r.stderr):
			left++
		default:
			named++
			r.note("%s: skipped: a %s template that names CRDs; lint %s", t.Path, t.Language, madeOf(t.Language))
		}
	}
	if left > 0 {
		r.note("skipped %s more with CRDs", text.Count(left, "template"))
	}
}
