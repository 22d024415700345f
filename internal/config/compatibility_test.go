package config

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

func TestCompatibilityLimit(t *testing.T) {
	t.Parallel()
	off, warning := lint.Off, lint.Warning
	plain, strict := lint.Compatibility{}, lint.Compatibility{Alpha: &off, Beta: &warning, Status: &off}
	for _, test := range []struct {
		version       string
		below         bool
		plain, strict lint.Severity
	}{
		{"v1alpha1", false, lint.Info, lint.Off},
		{"v1alpha1", true, lint.Info, lint.Off},
		{"v2beta10", false, lint.Error, lint.Warning},
		{"v2beta10", true, lint.Warning, lint.Off},
		{"v1", false, lint.Error, lint.Error},
		{"v1", true, lint.Warning, lint.Off},
		{"v1alpha", false, lint.Error, lint.Error}, // no name of Kubernetes'
		{"alpha1", false, lint.Error, lint.Error},
		{"", false, lint.Error, lint.Error},
	} {
		if got := Limit(&plain, test.version, test.below); got != test.plain {
			t.Errorf("%s by default: %s", test.version, got)
		}
		if got := Limit(&strict, test.version, test.below); got != test.strict {
			t.Errorf("%s: %s", test.version, got)
		}
	}
}
