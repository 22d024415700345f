package cli

import (
	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// convertAny converts a file and explains rejections.
func convertAny(path string, src []byte, opt policy.Options) (*convert.Result, error) {
	return convert.Explained(path, src, opt, rules.Explainer())
}

// convertRendered is convertAny for manifests; Helm templates are skipped.
func convertRendered(path string, src []byte, opt policy.Options) (*convert.Result, error) {
	if template.Recognise(path, src) == template.Helm {
		return &convert.Result{Output: src, Template: string(template.Helm)}, nil
	}
	return convertAny(path, src, opt)
}

// reason says why a template was skipped.
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
