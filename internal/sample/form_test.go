package sample

import (
	"slices"
	"testing"
)

// TestForms tries what a field is likely to hold first, and everything in the end.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, description, first string }{
		{"holdTime", "", "1m30s"},
		{"spec", "The schedule in Cron format.", "10 * * * *"},
		{"cpu", "how long it may take, as a duration", "2"},
		{"holdTime", "One of `Never`, 'Always'.", "Never"},
		{"zzz", "", "1m30s"},
	} {
		all := Forms(c.name, c.description)
		if all[0] != c.first {
			t.Errorf("%s, %q: %q, want %q", c.name, c.description, all[0], c.first)
		}
		for _, text := range []string{"1m30s", "10 * * * *", "10.0.1.0/24", "50%", "YWJj", "{}"} {
			if !slices.Contains(all, text) {
				t.Errorf("%s: no %s", c.name, text)
			}
		}
		slices.Sort(all)
		if once := slices.Compact(slices.Clone(all)); len(once) != len(all) {
			t.Errorf("%s: %d texts, %d of them once", c.name, len(all), len(once))
		}
	}
}
