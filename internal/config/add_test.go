package config

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestAddIgnore adds an ignore in the style of a file, which stays as it was otherwise and is read back with it.
func TestAddIgnore(t *testing.T) {
	t.Parallel()
	more := lint.Ignore{Rule: "schema-float", Reason: "it: is"}
	for _, test := range []struct{ before, after string }{
		{"", "ignore:\n  - rule: schema-float\n    reason: \"it: is\"\n"},
		{"# later", "# later\nignore:\n  - rule: schema-float\n    reason: \"it: is\"\n"},
		{"preset: all\n", "preset: all\nignore:\n  - rule: schema-float\n    reason: \"it: is\"\n"},
		{"preset: all\r\nfailOn: info", "preset: all\r\nfailOn: info\r\nignore:\r\n  - rule: schema-float\r\n    reason: \"it: is\"\r\n"},
		{"ignore:\r\n- file: a\r\n  reason: r\r\n", "ignore:\r\n- file: a\r\n  reason: r\r\n- rule: schema-float\r\n  reason: \"it: is\"\r\n"},
		{"ignore: # these\n- file: a.yaml # one\n  reason: r\nfailOn: info\n", "ignore: # these\n- file: a.yaml # one\n  reason: r\n- rule: schema-float\n  reason: \"it: is\"\nfailOn: info\n"},
	} {
		after, err := AddIgnore("x", []byte(test.before), more)
		if err != nil {
			t.Fatal(err)
		}
		if string(after) != test.after {
			t.Errorf("%q became\n%s", test.before, after)
		}
		if all := mustRead(t, "x", string(after)).Ignores; all[len(all)-1].Reason != more.Reason {
			t.Errorf("%q is read as %v", after, all)
		}
	}
	for _, broken := range []string{"ignore: 1", "- a", "a: [", "ignore: {a: b}"} {
		if after, err := AddIgnore("x", []byte(broken), more); err == nil {
			t.Errorf("%q became %q", broken, after)
		}
	}
}
