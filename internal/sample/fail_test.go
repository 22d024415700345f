package sample

import "testing"

// TestMayFail: nothing is tried of a rule that has nothing to end in an error.
func TestMayFail(t *testing.T) {
	t.Parallel()
	for rule, may := range map[string]bool{
		"self.split('/')[0] == 'a'":        false,
		"self.split('/')[1] == 'a'":        true,
		"self.split('/', 0)[0] == 'a'":     true,
		"self.list[0] == 'a'":              true,
		"self.size() > 2":                  false,
		"quantity('1') == quantity('2')":   false,
		"quantity(self) == quantity('2')":  true,
		"self.a.b.startsWith('quantity(')": false,
	} {
		if MayFail(rule) != may {
			t.Errorf("%s may fail: %v", rule, !may)
		}
	}
}
