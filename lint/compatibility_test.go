package lint

import "testing"

func TestCompatibilityLimit(t *testing.T) {
	t.Parallel()
	off, warning := Off, Warning
	plain, strict := Compatibility{}, Compatibility{Alpha: &off, Beta: &warning, Status: &off}
	for _, test := range []struct {
		version       string
		below         bool
		plain, strict Severity
	}{
		{"v1alpha1", false, Info, Off},
		{"v1alpha1", true, Info, Off},
		{"v2beta10", false, Error, Warning},
		{"v2beta10", true, Warning, Off},
		{"v1", false, Error, Error},
		{"v1", true, Warning, Off},
		{"v1alpha", false, Error, Error}, // no name of Kubernetes'
		{"alpha1", false, Error, Error},
		{"", false, Error, Error},
	} {
		if got := plain.Limit(test.version, test.below); got != test.plain {
			t.Errorf("%s by default: %s", test.version, got)
		}
		if got := strict.Limit(test.version, test.below); got != test.strict {
			t.Errorf("%s: %s", test.version, got)
		}
	}
}
