package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// TestRulesByMeaning wants a rule to be the same however it is written, and another one to be another.
func TestRulesByMeaning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		old, new string
		same     bool
	}{
		{"self.a > 1 && self.b", "self.a>1&&self.b", true},
		{"self.a > 1 && self.b", "(self.a > 1) &&\n  (self.b)", true},
		{"self.a || self.b || self.c || self.d", "self.a || self.b || self.c\n|| self.d // all of them", true},
		{"has(self.a) && self.l.all(x, x.size() > 2)", "(has( self.a )) && self.l.all( x, (x.size()) > 2 )", true},
		{"self.?a.orValue('') == ''", `self.?a.orValue("") == ""`, true},
		{"!has(oldSelf.a) || self.__namespace__ == 'x'", "( !has(oldSelf.a) ) || self.__namespace__ == 'x'", true},
		{"self.a in ['x', 'y']", "self.a in ['x','y']", true},
		{"self.a == 'x  y'", "self.a == 'x y'", false},
		{"self.a && self.b || self.c", "self.a && (self.b || self.c)", false},
		{"self.a && self.b && self.c", "self.a && (self.b && self.c)", true},
		{"self.a - (self.b - 1) > 0", "self.a - self.b - 1 > 0", false},
		{"self.a == 1", "self.a == 1.0", false},
		{"self.a ? self.b : true", "self.a ? self.b : false", false},
		{"this is  no rule", "this is no rule", true},
		{"this is no rule", "this is no (rule)", false},
		{strings.Repeat("(", 1000) + "self" + strings.Repeat(")", 1000), "self", false}, // deeper than the parser goes
	} {
		schema := func(rule string) string {
			return fmt.Sprintf("{type: object, x-kubernetes-validations: [{rule: %q}]}", rule)
		}
		all, err := compare.CRDs(inputs.CRD(t, withSpec(schema(test.old))), inputs.CRD(t, withSpec(schema(test.new))))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range all.Changes {
			got = append(got, fmt.Sprint(c.Kind, " ", c.Effect))
		}
		want := "removed loosens, added tightens"
		if test.same {
			want = "changed neutral"
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s to %s: got %q, want %q", test.old, test.new, text, want)
		}
	}
}
