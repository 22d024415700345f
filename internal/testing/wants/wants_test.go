package wants

import "testing"

func TestWithout(t *testing.T) {
	t.Parallel()
	const src = "# found: {rule: x}\n# a comment\nscope: namespaced # want scope-invalid:8 \"unknown\"\n  # want-next x:1\nkind: A\n"
	if got, want := string(Without([]byte(src))), "# a comment\nscope: namespaced\nkind: A\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
