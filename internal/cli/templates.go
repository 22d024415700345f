package cli

import (
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// templatesOff is the word for Helm templates that are passed over.
const templatesOff = "off"

func addTemplates(cmd *cobra.Command, value *string) {
	addChoice(cmd, value, "templates", "", "Helm templates: read them as they are (auto, the default), or skip them (off)", "auto", templatesOff)
}

// isRendered reports whether a text is a manifest: it is no Helm template.
func isRendered(path string, src []byte) bool { return template.Recognise(path, src) != template.Helm }

// convertAny converts a file and explains refusals.
func convertAny(path string, src []byte, opt policy.Options) (*convert.Result, error) {
	return convert.Explained(path, src, opt, rules.Explainer())
}

// convertRendered is convertAny for manifests; Helm templates are passed over.
func convertRendered(path string, src []byte, opt policy.Options) (*convert.Result, error) {
	if !isRendered(path, src) {
		return &convert.Result{Output: src, Template: string(template.Helm)}, nil
	}
	return convertAny(path, src, opt)
}

// reason says why a template was passed over.
func reason(t lint.Template) string {
	if t.Why == "" {
		return "a " + t.Language + " template that names CRDs"
	}
	return "a " + t.Language + " template that names CRDs, and " + t.Why
}

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
			r.note("%s: skipped: %s; lint %s", t.Path, reason(t), madeOf(t.Language))
		}
	}
	if left > 0 {
		r.note("skipped %s more with CRDs", text.Count(left, "template"))
	}
}
