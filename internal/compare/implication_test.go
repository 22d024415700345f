package compare

import (
	"strings"
	"testing"
)

// TestImplies proves of rules that they let through all that others do. What is not certain is not implied.
func TestImplies(t *testing.T) {
	t.Parallel()
	const yes, no, equal = 1, 0, 2
	for _, test := range []struct {
		a, b string
		want int // equal for both directions
	}{
		{"self.kind == 'A'", "self.kind in ['A', 'B']", yes},
		{"!has(self.kind) || self.kind == 'A'", "!has(self.kind) || self.kind in ['A', 'B']", yes},
		{"self.kind in ['B', 'A']", "self.kind in ['A', 'B', 'C']", yes},
		{"self.kind in ['B', 'A']", "self.kind in ['A', 'B']", equal},
		{"self.kind in ['A', 'D']", "self.kind in ['A', 'B', 'C']", no},
		{"self.kind in self.kinds", "self.kind in ['A']", no},
		{"self.kind in ['A', self.other]", "self.kind in ['A', self.other, 'B']", no}, // of what is no literal, nothing is known
		{"self.kind == self.other", "self.kind in ['A', self.other]", no},
		{"self.kind == 'A'", "self.mode in ['A', 'B']", no},
		{"!(self.kind in ['A', 'B'])", "!(self.kind == 'A')", yes},
		{"self.n <= 3", "self.n <= 5", yes},
		{"self.n < 5", "self.n < 5", equal},
		{"self.n >= 3", "self.n >= 1", yes},
		{"self.n > 3", "self.n < 5", no},
		{"self.n <= 3", "self.m <= 5", no},
		{"self.n <= 3", "self.n <= 3.5", no},
		{"self.n >= self.m", "self.n >= 0", no},
		{"size(self.l) <= 3 && self.a", "size(self.l) <= 5", yes},
		{"self.a && self.b", "self.b && self.a", equal},
		{"self.a || self.b", "self.b || self.a || self.c", yes},
		{"self.a", "self.a || self.b", yes},
		{"self.a ? self.n < 3 : true", "self.a ? self.n < 5 : true", yes},
		{"self.a ? self.n < 3 : true", "self.b ? self.n < 5 : true", no},
		{"self.l.all(x, x.kind == 'A')", "self.l.all(x, x.kind in ['A', 'B'])", yes},
		{"self.l.all(x, x.kind == 'A')", "self.m.all(x, x.kind in ['A', 'B'])", no},
		{"self.l.exists(x, x == 1)", "self.l.exists(x, x in [1, 2])", yes},
		{"self.l.exists_one(x, x == 1)", "self.l.exists_one(x, x in [1, 2])", no},
		{"self.l[0] == 'A'", "self.l[0] in ['A', 'B']", yes},
		{"self.?a.orValue('') == 'A'", "self.?a.orValue('') in ['A', '']", yes},
		{"self == oldSelf", "self == oldSelf || self.a", yes},
		{"{'a': self.a} == {'a': 1}", "{'a': self.a} == {'a': 1}", no}, // which is not looked into
		{"self.a.startsWith('x')", "self.a.startsWith('x') || self.a == ''", yes},
		{"self.a.startsWith('x')", "self.b.startsWith('x')", no},
		{strings.Repeat("(self.a || self.b) && ", 40) + "self.c", strings.Repeat("(self.d && self.e) || ", 40) + "self.f", no}, // and soon
	} {
		a, b := parsed(test.a), parsed(test.b)
		if a == nil || b == nil {
			t.Fatalf("%s or %s does not parse", test.a, test.b)
		}
		if got := implies(a, b); got != (test.want > no) {
			t.Errorf("%s implies %s: %v", test.a, test.b, got)
		}
		if got := implies(b, a); got != (test.want == equal) {
			t.Errorf("%s implies %s: %v", test.b, test.a, got)
		}
	}
}
