package yaml11

import "testing"

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a: [b, 1]", "a:\n- \"b\"\n- 1 # one", true},
		{"a: 'yes'", "a: \"yes\"", true},
		{"a: 'yes'", "a: yes", false},
		{"a: 1", "a: '1'", false},
		{"a: !!str 1", "a: '1'", true},
		{"a: 0o7", "a: '0o7'", false},
		{"'<<': {}", "<<: {}", false},
		{"a: b", "a: c", false},
		{"a: b", "a: b\nc: d", false},
		{"a: {}", "a: []", false},
		{"a: &x b\nc: *x", "a: &x b\nc: *x", false},
	} {
		if got := Alike(parse(t, c.a), parse(t, c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
